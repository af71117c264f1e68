/** Groups of the thread list, newest first. */
export type DayGroup = 'today' | 'yesterday' | 'week' | 'older';

const midnight = (at: Date): number => new Date(at.getFullYear(), at.getMonth(), at.getDate()).getTime();

/** Which group a moment belongs to, by the reader's own calendar. */
export function dayGroup(at: string, now: Date): DayGroup {
  const days = Math.round((midnight(now) - midnight(new Date(at))) / 86_400_000);
  if (days <= 0) return 'today';
  if (days === 1) return 'yesterday';
  return days < 7 ? 'week' : 'older';
}

const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' });
const minute = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** The day of a moment, as the reader writes it. */
export const date = (at: string): string => day.format(new Date(at));
/** … and the time of day. */
export const dateTime = (at: string): string => minute.format(new Date(at));
