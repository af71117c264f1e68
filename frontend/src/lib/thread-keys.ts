/** Keys of the answer screen. Single letters work only when no field has the focus. */
import { inField } from './keys';

/** What a key asks for. A number is the footnote of that number. */
export type ThreadKey = 'previous' | 'next' | 'notes' | 'copy' | 'copy-markdown' | 'again' | 'open' | 'close' | number;

interface Press {
  key: string;
  shiftKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  target: EventTarget | null;
}

/** Reads a key press; null when it is none of this screen's. */
export function threadKey(press: Press): ThreadKey | null {
  if (press.key === 'Escape') return 'close';
  if (press.ctrlKey || press.metaKey || press.altKey || inField(press.target)) return null;
  if (press.key === 'Enter') return onControl(press.target) ? null : 'open';
  if (press.key === '[') return 'previous';
  if (press.key === ']') return 'next';
  if (/^[1-9]$/.test(press.key)) return Number(press.key);
  switch (press.key.toLowerCase()) {
    case 'n': return press.shiftKey ? null : 'notes';
    case 'c': return press.shiftKey ? 'copy-markdown' : 'copy';
    case 'r': return press.shiftKey ? null : 'again';
    default: return null;
  }
}

function onControl(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('button, a, summary, [role="menuitem"]') !== null;
}
