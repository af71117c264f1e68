/** Keys that hold in every program: as settings write them, and as people read them. */

const plain = /^(?:[a-z0-9]|space|f(?:[1-9]|1[0-2]))$/;

/** The key of a press, whatever the held keys make of it. */
function keyOf({ key, code }: KeyboardEvent): string {
  if (code === 'Space') return 'space';
  const name = key.toLowerCase();
  return plain.test(name) ? name : code.replace(/^(?:Key|Digit)/, '').toLowerCase();
}

/** The combination that was pressed, such as ctrl+alt+space; null while it is none that can be taken. */
export function keysOf(event: KeyboardEvent): string | null {
  const key = keyOf(event);
  const held = [event.ctrlKey && 'ctrl', event.altKey && 'alt', event.shiftKey && 'shift', event.metaKey && 'super'].filter((name) => name !== false);
  const free = /^f\d/.test(key) || held.some((name) => name !== 'shift');
  return plain.test(key) && free ? [...held, key].join('+') : null;
}

/** ctrl+alt+space as Ctrl + Alt + Space. */
export const sayKeys = (keys: string): string => keys.split('+').map((part) => part.charAt(0).toUpperCase() + part.slice(1)).join(' + ');
