/** Addresses written by a model: what may be opened, and which host it leads to. */

/** A link that may be shown. */
export interface Link {
  href: string;
  /** The host as the network sees it (punycode), or the mail address. */
  host: string;
}

/** Reads an address; null when it is none that may be opened outside. */
export function readLink(address: string): Link | null {
  let url: URL;
  try {
    url = new URL(address.trim());
  } catch {
    return null;
  }
  if (url.protocol === 'mailto:') return { href: url.href, host: url.pathname };
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return null;
  if (!url.host) return null;
  url.username = '';
  url.password = '';
  return { href: url.href, host: url.host };
}

/** Whether a link's text is the address itself, so that its host is already shown. */
export function saysHost(text: string, link: Link): boolean {
  const shown = text.trim().replace(/^(?:https?:\/\/|mailto:)/i, '');
  if (shown === link.host) return true;
  return shown.startsWith(`${link.host}/`) || shown.startsWith(`${link.host}?`) || shown.startsWith(`${link.host}#`);
}
