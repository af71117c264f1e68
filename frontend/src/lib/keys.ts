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
  return event.key !== ' ' || typing || !isOn(event, `${pressable}, a, [tabindex="0"]`);
}

/**
 * A paste, a key that begins a letter of several, or one that changes a text: the
 * browser does it where the focus is, so a box must have it. All is selected and
 * taken away there only while the reader is at nothing else.
 */
export function needsBox(event: KeyboardEvent): boolean {
  if (inField(event.target) || ofWidget(event)) return false;
  const key = event.key.toLowerCase();
  const idle = !isOn(event, `${pressable}, a, [tabindex="0"]`);
  if (event.ctrlKey || event.metaKey) return !event.shiftKey && !event.altKey && (key === 'v' || (key === 'a' && idle));
  return key === 'dead' || key === 'process' || (key === 'backspace' && !event.altKey && idle);
}

/** What is between two lines of a selection belongs to it. */
const leading = 4;

/** Whether a point of the window is on text that is selected. */
export function onSelected(x: number, y: number): boolean {
  const selection = getSelection();
  if (!selection || selection.isCollapsed) return false;
  const within = (r: DOMRect): boolean => x >= r.left && x <= r.right && y >= r.top - leading && y <= r.bottom + leading;
  return [...selection.getRangeAt(0).getClientRects()].some(within);
}

const pressable = 'button, summary, input, [role="switch"], [role="tab"]';
const isOn = (event: KeyboardEvent, what: string): boolean => event.target instanceof Element && event.target.closest(what) !== null;
const ofWidget = (event: KeyboardEvent): boolean => isOn(event, '[role="menu"], [role="listbox"]');

/** WebKit for GTK leaves undoing to the program around it; every other engine does it by itself. */
const undoesNothing = (agent: string): boolean => /X11|Linux/.test(agent) && /AppleWebKit/.test(agent) && !/Chrom(e|ium)/.test(agent);

/** What a key press takes back, or does again, in the text that is written; null where the browser does so, or there is none. */
export function undoOf(event: KeyboardEvent, agent = navigator.userAgent): 'undo' | 'redo' | null {
  if (!undoesNothing(agent) || !inField(event.target) || event.target instanceof HTMLSelectElement) return null;
  if (!event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return null;
  const key = event.key.toLowerCase();
  if (key === 'z') return event.shiftKey ? 'redo' : 'undo';
  return key === 'y' && !event.shiftKey ? 'redo' : null;
}

/** As many pages as nothing has: to an end. */
const all = 1e6;
/** How much of what was seen is new after a page. */
const newShare = 0.8;
const pages: Record<string, number> = { PageDown: 1, PageUp: -1, End: all, Home: -all, ' ': 1 };

/** How many pages a key turns; 0 when it turns none. */
function pagesOf(event: KeyboardEvent): number {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return 0;
  if (event.shiftKey) return event.key === ' ' ? -1 : 0;
  return pages[event.key] ?? 0;
}

const scrolls = (element: Element): boolean => element.scrollHeight > element.clientHeight && /auto|scroll/.test(getComputedStyle(element).overflowY);

/** Whether the browser itself scrolls what is around the focus within a screen. */
function scrollsByItself(target: EventTarget | null, screen: Element): boolean {
  for (let up = target instanceof Element ? target : null; up && up !== screen && screen.contains(up); up = up.parentElement) if (scrolls(up)) return true;
  return false;
}

/** Turns the pages of what a screen shows while the focus is beside it; false where the key is another's. */
export function turnPages(event: KeyboardEvent, screen: HTMLElement): boolean {
  const by = pagesOf(event);
  if (by === 0 || inField(event.target) || ofWidget(event) || isOn(event, 'input, dialog') || (event.key === ' ' && isOn(event, pressable))) return false;
  if (scrollsByItself(event.target, screen)) return false;
  const shown = [...screen.querySelectorAll('main, main *:not(textarea)')].find(scrolls);
  if (!shown) return false;
  shown.scrollTop += by * newShare * shown.clientHeight;
  return true;
}

const handedOn = 'footnote:typed';

/** Hands on what was typed into something that has no use for it. */
export function handOn(text: string): void {
  window.dispatchEvent(new CustomEvent(handedOn, { detail: text }));
}

/** Hears what is handed on; gives how to stop. */
export function onHandedOn(take: (text: string) => void): () => void {
  const hear = (event: Event): void => take((event as CustomEvent<string>).detail);
  window.addEventListener(handedOn, hear);
  return () => window.removeEventListener(handedOn, hear);
}
