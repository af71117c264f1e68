/** Shortcuts of the whole window. ⌘ is Ctrl elsewhere. */

const apple = /Mac|iPhone|iPad/.test(navigator.platform);

/** A shortcut as this system writes it: "⌘N" or "Ctrl N". */
export const keyLabel = (label: string, mac = apple): string =>
  mac ? label : label.replace('⌘⇧', 'Ctrl Shift ').replace('⌘', 'Ctrl ').replace('⇧', 'Shift ').replace(/\s+/g, ' ').trim();

export type Shortcut = 'new' | 'palette' | 'threads' | 'settings' | 'local-only' | 'help';

/** Whether the focus is in something that takes text. */
export function inField(target: EventTarget | null): boolean {
  const element = target instanceof HTMLElement ? target : null;
  return element !== null && (element.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(element.tagName));
}

const withCommand: Record<string, Shortcut> = { n: 'new', k: 'palette', '\\': 'threads', ',': 'settings', '/': 'help' };

/** The shortcut of a key press. Letters by themselves are none: they are typed. */
export function shortcut(event: KeyboardEvent): Shortcut | null {
  const command = event.metaKey || event.ctrlKey;
  if (event.isComposing || event.altKey || !command) return null;
  if (event.shiftKey) return event.key.toLowerCase() === 'l' ? 'local-only' : null;
  return withCommand[event.key.toLowerCase()] ?? null;
}

/**
 * A letter that nothing on the page has a use for: it belongs into the box. While
 * text is on its way there, so do spaces, whatever has the focus.
 */
export function isStray(event: KeyboardEvent, typing = false): boolean {
  if (event.isComposing || event.ctrlKey || event.metaKey || inField(event.target)) return false;
  if ([...event.key].length !== 1) return false;
  const target = event.target instanceof Element ? event.target : null;
  if (target?.closest('[role="menu"], [role="listbox"], dialog[open]')) return false;
  return event.key !== ' ' || typing || target === null || target.closest('button, a, summary, [role="switch"], [role="tab"], [tabindex="0"]') === null;
}
