/** Shortcuts of the whole window. ⌘ is Ctrl elsewhere. */

const apple = /Mac|iPhone|iPad/.test(navigator.platform);

/** A shortcut as this system writes it: "⌘N" or "Ctrl N". */
export const keyLabel = (label: string, mac = apple): string =>
  mac ? label : label.replace('⌘⇧', 'Ctrl Shift ').replace('⌘', 'Ctrl ').replace('⇧', 'Shift ').replace(/\s+/g, ' ').trim();

export type Shortcut = 'new' | 'palette' | 'threads' | 'settings' | 'local-only' | 'help';

/** Fields that take no letters: those are typed past them. */
const pressed = /^(button|checkbox|color|file|image|radio|range|reset|submit)$/;

/** Whether the focus is in something that takes text. */
export function inField(target: EventTarget | null): boolean {
  const element = target instanceof HTMLElement ? target : null;
  if (element instanceof HTMLInputElement) return !pressed.test(element.type);
  return element !== null && (element.isContentEditable || /^(TEXTAREA|SELECT)$/.test(element.tagName));
}

/** Gives an element the focus that came by itself: whoever types in a field meanwhile keeps it. */
export function offerFocus(element: HTMLElement): void {
  if (!inField(document.activeElement)) element.focus({ preventScroll: true });
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
  if ([...event.key].length !== 1 || ofWidget(event)) return false;
  const target = event.target instanceof Element ? event.target : null;
  return event.key !== ' ' || typing || target === null || target.closest('button, a, summary, input, [role="switch"], [role="tab"], [tabindex="0"]') === null;
}

/** A paste, or a key that begins a letter of several: the browser puts it where the focus is, so a box must have it. */
export function needsBox(event: KeyboardEvent): boolean {
  if (inField(event.target) || ofWidget(event)) return false;
  if (event.ctrlKey || event.metaKey) return !event.shiftKey && !event.altKey && event.key.toLowerCase() === 'v';
  return event.key === 'Dead' || event.key === 'Process';
}

const ofWidget = (event: KeyboardEvent): boolean => event.target instanceof Element && event.target.closest('[role="menu"], [role="listbox"]') !== null;
