import { texts } from '../lib/texts';
import { app } from './app.svelte';

const undoMs = 8000;

/** What waits while the reader may still undo it. */
const waiting = new Set<() => void>();

/**
 * Does something in 8 s, or at once when the page is left: what the reader has seen
 * go must not be there again. What is given takes it back.
 */
export function later(act: () => Promise<void>): () => void {
  const end = (): void => {
    clearTimeout(timer);
    waiting.delete(now);
  };
  const now = (): void => {
    end();
    void act();
  };
  const timer = setTimeout(now, undoMs);
  waiting.add(now);
  return end;
}

/** Does all that waits; the page is being left. */
export function settle(): void {
  for (const now of [...waiting]) now();
}

/** Says that something is gone, and has it go in 8 s unless the reader wants it `back`. */
export function undoable(said: string, act: () => Promise<void>, back: () => void): void {
  const undo = later(() => act().catch((error: unknown) => (app.sayFault(error), back())));
  app.say(said, { label: texts.app.undo, run: () => (undo(), back()) });
}
