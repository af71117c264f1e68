import { texts } from '../lib/texts';
import { app } from './app.svelte';

const undoMs = 8000;

/** Says that something is gone, and has it go in 8 s unless the reader wants it `back`. */
export function undoable(said: string, act: () => Promise<void>, back: () => void): void {
  const timer = setTimeout(() => void act().catch((error: unknown) => (app.sayFault(error), back())), undoMs);
  app.say(said, {
    label: texts.app.undo,
    run: () => {
      clearTimeout(timer);
      back();
    },
  });
}
