/** Shortcuts of the whole window. ⌘ is Ctrl elsewhere. */

const apple = /Mac|iPhone|iPad/.test(navigator.platform);

/** A shortcut as this system writes it: "⌘N" or "Ctrl N". */
export const keyLabel = (label: string, mac = apple): string =>
  mac ? label : label.replace('⌘⇧', 'Ctrl Shift ').replace('⌘', 'Ctrl ').replace('⇧', 'Shift ').replace(/\s+/g, ' ').trim();

export type Shortcut = 'new' | 'palette' | 'threads' | 'settings' | 'local-only' | 'focus-box' | 'help' | 'search-library';

/** Whether the focus is in something that takes text. */
export function inField(target: EventTarget | null): boolean {
  const element = target instanceof HTMLElement ? target : null;
  return element !== null && (element.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(element.tagName));
}

const withCommand: Record<string, Shortcut> = { n: 'new', k: 'palette', '\\': 'threads', ',': 'settings' };
const plain: Record<string, Shortcut> = { '/': 'focus-box', '?': 'help', f: 'search-library' };

/** The shortcut of a key press; single letters only work when no field has the focus. */
export function shortcut(event: KeyboardEvent): Shortcut | null {
  const command = event.metaKey || event.ctrlKey;
  if (event.isComposing || event.altKey) return null;
  if (command && event.shiftKey) return event.key.toLowerCase() === 'l' ? 'local-only' : null;
  if (command) return withCommand[event.key.toLowerCase()] ?? null;
  return inField(event.target) ? null : (plain[event.key] ?? null);
}
