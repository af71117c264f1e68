/** What is said of an answer that is kept fresh. */
import type { FreshWish, Standing } from '../api/types';
import { answerTexts } from './texts-answer';

const hour = 3_600_000;
const day = 24 * hour;
const week = 7 * day;

export type Rhythm = 'off' | 'change' | 'day' | 'week';

const wishes: Record<Exclude<Rhythm, 'off'>, FreshWish> = {
  change: { every_ms: 0, on_change: true },
  day: { every_ms: day, on_change: false },
  week: { every_ms: week, on_change: false },
};

export const wishOf = (rhythm: Exclude<Rhythm, 'off'>): FreshWish => wishes[rhythm];

/** The choice of the menu that a standing has; "" for one that only the command line makes. */
export function rhythmOf(standing: FreshWish | undefined): Rhythm | '' {
  if (!standing) return 'off';
  const same = Object.entries(wishes).find(([, wish]) => wish.every_ms === standing.every_ms && wish.on_change === standing.on_change);
  return (same?.[0] as Rhythm | undefined) ?? '';
}

/** "2 hours ago". */
export function ago(at: string, now: number): string {
  const t = answerTexts.fresh;
  const ms = Math.max(0, now - Date.parse(at));
  if (ms < 60_000) return t.now;
  if (ms < hour) return t.ago(Math.floor(ms / 60_000), 'minute');
  return ms < 2 * day ? t.ago(Math.floor(ms / hour), 'hour') : t.ago(Math.floor(ms / day), 'day');
}

/** How the checks of an answer went, in a line; the second part is why it is not good. */
export function standingWords(s: Standing, now: number): { said: string; bad: boolean } {
  const t = answerTexts.fresh;
  const when = t.rhythm(s.every_ms, s.on_change);
  if (s.checking) return { said: `${when} ${t.checking}`, bad: false };
  if (s.failure) return { said: (s.paused ? t.paused : t.failed)(s.failure.message), bad: true };
  if (!s.checked) return { said: when, bad: false };
  const changed = s.changed !== undefined && s.changed >= s.checked;
  return { said: `${when} ${(changed ? t.changed : t.same)(ago(s.checked, now))}`, bad: false };
}

/** The standing of an answer: its own, or that of one it refreshes. `before` gives the answer a run refreshes. */
export function standingOf(all: Standing[], run: string, before: (run: string) => string | undefined): Standing | undefined {
  const seen = new Set<string>();
  for (let at: string | undefined = run; at !== undefined && !seen.has(at); at = before(at)) {
    const found = all.find((s) => s.run === at);
    if (found) return found;
    seen.add(at);
  }
  return undefined;
}
