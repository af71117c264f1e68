/** What a search of the library may say besides words, as the program understood it. Pure. */
import type { Understood } from '../api/types';
import { texts } from './texts';
import { day } from './wording';

const t = texts.library.operators;

/** What was understood beyond plain words, in words: `“high water”`, `without ferry`, `type pdf`. */
export function chipsOf(asked: Understood | undefined): string[] {
  if (!asked) return [];
  return [
    ...asked.phrases.map(t.phrase), ...asked.without.map(t.without), ...asked.types.map(t.type), ...asked.folders.map(t.folder),
    ...(asked.after ? [t.after(day(asked.after))] : []), ...(asked.before ? [t.before(day(asked.before))] : []),
  ];
}

/** Whether only filters were given: they narrow a search and find nothing alone. */
export function onlyNarrows(asked: Understood | undefined): boolean {
  return asked !== undefined && !asked.words.trim() && asked.phrases.length === 0 && chipsOf(asked).length > 0;
}
