/**
 * What is typed while no field has the focus belongs into the box of the screen, and
 * what comes before there is a box waits for it, so that no letter is lost. Every box
 * says so itself; where a screen has none, search opens and is the box.
 */
import { tick, untrack } from 'svelte';
import type { Attachment } from 'svelte/attachments';

declare global {
  interface Window {
    /** Gives what early.js kept, which then keeps no more. */
    typedEarly?: () => string;
  }
}

type Box = HTMLTextAreaElement | HTMLInputElement;

class Typed {
  waiting = $state('');
  /** In the order in which they came. */
  readonly #boxes = new Set<Box>();

  keep(text: string): void {
    this.waiting += text;
  }

  take(): string {
    const text = this.waiting;
    this.waiting = '';
    return text;
  }

  /** Makes a field a box; `add` puts behind its text what waited for it. */
  box(add: (text: string) => void): Attachment<Box> {
    return (box) => {
      this.#boxes.add(box);
      $effect(() => {
        if (this.waiting === '' || this.#shown() !== box) return;
        untrack(() => add(this.take()));
        void tick().then(() => this.focus());
      });
      return () => void this.#boxes.delete(box);
    };
  }

  /** Puts the caret behind the text of the box; false where the screen shows none. */
  focus(): boolean {
    const box = this.#shown();
    if (!box) return false;
    box.focus({ preventScroll: true });
    box.setSelectionRange(box.value.length, box.value.length);
    return true;
  }

  /** Gives the box the caret again, where it stood; false where the screen shows none. */
  back(): boolean {
    const box = this.#shown();
    box?.focus({ preventScroll: true });
    return box !== undefined;
  }

  /** Something has been written, or is on its way into the box. */
  get begun(): boolean {
    return this.waiting !== '' || (this.#shown()?.value ?? '') !== '';
  }

  #shown(): Box | undefined {
    const modal = document.querySelector('dialog[open]'); // what is beside it takes no focus
    return [...this.#boxes].findLast((box) => box.getClientRects().length > 0 && (!modal || modal.contains(box)));
  }
}

export const typed = new Typed();

/** A screen that has come and has no box: what waits for one would wait for ever. */
export function boxless(screen: HTMLElement): boolean {
  return screen.querySelector('main') !== null && screen.querySelector('main[aria-busy="true"]') === null;
}

/** What was put into a text after it had been taken; "" when it was changed in another way. */
export function since(before: string, now: string): string {
  let head = 0;
  while (head < before.length && before[head] === now[head]) head++;
  const tail = before.slice(head);
  return now.length > before.length && now.endsWith(tail) ? now.slice(head, now.length - tail.length) : '';
}
