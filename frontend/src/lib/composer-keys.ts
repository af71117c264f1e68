/** What a key means in the question box. Pure, so that every case is a test. */

export type KeyAction =
  | 'ask' | 'answer-now' | 'clear-mode' | 'recall' | 'recall-back' | 'below'
  | 'menu-next' | 'menu-previous' | 'menu-confirm' | 'menu-close';

export interface KeyPress {
  key: string;
  shift: boolean;
  /** Ctrl or ⌘. */
  command: boolean;
  /** An input method is composing: Enter belongs to it. */
  composing: boolean;
}

export interface BoxState {
  empty: boolean;
  /** The slash menu is open; `choices` says how many commands it shows. */
  menu: boolean;
  choices: number;
  running: boolean;
  /** A mode other than balanced is set. */
  mode: boolean;
  /** The text is one recalled with ↑. */
  recalled: boolean;
  /** There is something below to go into with ↓. */
  below: boolean;
}

function menuKey(press: KeyPress, box: BoxState): KeyAction | null {
  if (press.key === 'Escape') return 'menu-close';
  if (box.choices === 0) return null;
  if (press.key === 'ArrowDown') return 'menu-next';
  if (press.key === 'ArrowUp') return 'menu-previous';
  if (press.key === 'Tab' || (press.key === 'Enter' && !press.shift)) return 'menu-confirm';
  return null;
}

/** The action of a key press, or null when the text field shall have it. */
export function keyAction(press: KeyPress, box: BoxState): KeyAction | null {
  if (press.composing) return null;
  if (box.menu) {
    const action = menuKey(press, box);
    if (action) return action;
  }
  switch (press.key) {
    case 'Enter':
      if (press.command) return box.running ? 'answer-now' : 'ask';
      return press.shift ? null : 'ask';
    case 'Backspace':
      return box.empty && box.mode ? 'clear-mode' : null;
    case 'ArrowUp':
      return box.empty || box.recalled ? 'recall' : null;
    case 'ArrowDown':
      if (box.recalled) return 'recall-back';
      return box.below ? 'below' : null;
    default:
      return null;
  }
}
