/** Keys of the answer screen. Single letters work only in an answer's own text, and once the reader went into it by keys. */
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
  const viewing = inViewer(press.target);
  if (!viewing && !(entered && inAnswer(press.target))) return null;
  if (press.key === '[') return 'previous';
  if (press.key === ']') return 'next';
  if (viewing || entered === 'pointer') return null;
  if (/^[1-9]$/.test(press.key)) return Number(press.key);
  switch (press.key.toLowerCase()) {
    case 'n': return press.shiftKey ? null : 'notes';
    case 'c': return press.shiftKey ? 'copy-markdown' : 'copy';
    default: return null;
  }
}

/**
 * How the reader went into the answer: by Tab or an arrow, or by a press on a badge, after which what may
 * begin a question is typed. So is everything where Esc or the program puts the focus.
 */
let entered: 'keys' | 'pointer' | '' = '';

/** Watches how the focus comes into an answer; gives how to stop. */
export function watchEntering(): () => void {
  let last = '';
  entered = '';
  const onkeydown = ({ key }: KeyboardEvent): void => {
    last = key;
    if (key === 'Escape') entered = '';
  };
  const onpointerdown = ({ target }: Event): void => {
    entered = target instanceof Element && target.closest('.fn') !== null ? 'pointer' : '';
    last = entered;
  };
  const onfocusin = ({ target, relatedTarget }: FocusEvent): void => {
    if (!inAnswer(target)) entered = '';
    else if (/^(Tab|Arrow.*)$/.test(last)) entered = 'keys';
    else if (!(last === 'pointer' || inAnswer(relatedTarget))) entered = '';
  };
  // Captured: a part of the page that keeps a key to itself is left by it all the same.
  const heard = [['keydown', onkeydown], ['pointerdown', onpointerdown], ['focusin', onfocusin]] as [string, EventListener][];
  for (const [name, hear] of heard) window.addEventListener(name, hear, true);
  return () => {
    for (const [name, hear] of heard) window.removeEventListener(name, hear, true);
  };
}

/** In the passage, or on the badge that has just opened it: the focus is on its way there. */
function inViewer(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false;
  return target.closest('aside.viewer') !== null || (target.closest('.fn') !== null && document.querySelector('aside.viewer') !== null);
}

/** The text of an answer with its badges. */
function inAnswer(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('article .q, article .text') !== null;
}

function onControl(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('button, a, summary, [role="menuitem"]') !== null;
}
