/** Keys of the answer screen. Single letters work only while the focus is in an answer's own text. */
import { inField } from './keys';

/** What a key asks for. A number is the footnote of that number. */
export type ThreadKey = 'previous' | 'next' | 'notes' | 'copy' | 'copy-markdown' | 'open' | 'close' | number;

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
  if (!inAnswer(press.target)) return null;
  if (press.key === '[') return 'previous';
  if (press.key === ']') return 'next';
  if (inViewer(press.target)) return null;
  if (/^[1-9]$/.test(press.key)) return Number(press.key);
  switch (press.key.toLowerCase()) {
    case 'n': return press.shiftKey ? null : 'notes';
    case 'c': return press.shiftKey ? 'copy-markdown' : 'copy';
    default: return null;
  }
}

/** In the passage, or on the badge that has just opened it: the focus is on its way there. */
function inViewer(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false;
  return target.closest('aside.viewer') !== null || (target.closest('.fn') !== null && document.querySelector('aside.viewer') !== null);
}

/** The text of an answer with its badges, and the passage that was opened from it. */
function inAnswer(target: EventTarget | null): boolean {
  return inViewer(target) || (target instanceof Element && target.closest('article .q, article .text') !== null);
}

function onControl(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('button, a, summary, [role="menuitem"]') !== null;
}
