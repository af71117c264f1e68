/**
 * A question that the address brought (`/?q=…`). It runs by itself only when the
 * reader gave the address to the browser: the program says so of its page.
 */
export interface Brought {
  text: string;
  /** Asked at once; else it waits in the box. */
  now: boolean;
}

/** Takes the question out of the address; a second call finds none. */
export function takeBrought(at: Location = location, page: HTMLElement = document.documentElement): Brought | null {
  const text = new URLSearchParams(at.search).get('q')?.trim() ?? '';
  if (!text) return null;
  history.replaceState(null, '', `/${at.hash}`);
  const now = page.dataset.ask === 'now';
  delete page.dataset.ask;
  return { text, now };
}
