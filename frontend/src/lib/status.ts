/** The one status line: trouble first, then what is being read, else which model writes. Pure. */
import type { LibraryEventBodies } from '../api/events';
import type { LibraryStatus } from '../api/types';
import type { InUse } from './models';
import { texts } from './texts';

export interface StatusFacts {
  inUse: InUse;
  looking: boolean;
  library: LibraryStatus | null;
  progress: LibraryEventBodies['progress'] | null;
  disconnected: boolean;
  /** Files that wait are not read. */
  paused: boolean;
}

export interface Status {
  dot: 'ok' | 'off' | 'run' | 'warn' | 'bad';
  text: string;
  href: string;
}

const t = texts.status;
const modelPage = '#/settings/models';

function reading({ library, progress }: StatusFacts): [done: number, total: number] | null {
  if (progress && progress.files_done < progress.files_total) return [progress.files_done, progress.files_total];
  const totals = library?.totals;
  return totals && totals.waiting > 0 ? [totals.files - totals.waiting, totals.files] : null;
}

export function statusOf(facts: StatusFacts): Status {
  if (facts.disconnected) return { dot: 'bad', text: t.disconnected, href: '#/settings/about' };
  const files = reading(facts);
  if (files && facts.paused) return { dot: 'warn', text: t.paused(files[1] - files[0]), href: '#/settings/library' };
  if (files) return { dot: 'run', text: t.reading(...files), href: '#/library' };
  if (facts.looking) return { dot: 'off', text: t.looking, href: modelPage };
  const { inUse } = facts;
  if (inUse.state === 'none') return { dot: 'off', text: t.none, href: modelPage };
  if (inUse.state === 'missing') return { dot: 'warn', text: t.missing(inUse.label), href: modelPage };
  return { dot: 'ok', text: inUse.local ? t.local(inUse.label) : t.cloud(inUse.label, inUse.provider), href: modelPage };
}
