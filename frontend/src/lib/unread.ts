/** What became of files that were just handed over. */
import type { Backend } from '../api';

/** A file nothing of which can be found or cited, and why. */
export interface Unread {
  name: string;
  reason: string;
}

/** Most files are read in a moment, and a question may be waiting for them. */
const everyMs = (n: number): number => (n < 20 ? 100 : 500);
const tries = 120;

/** Waits until a file has been read; gives why nothing of it was, or null. `wanted` ends the wait. */
export async function unreadOf(api: Pick<Backend, 'file'>, id: string, wanted: () => boolean = () => true): Promise<Unread | null> {
  if (!id.startsWith('fil_')) return null; // folders have states of their own
  for (let n = 0; n < tries && wanted(); n++) {
    const file = await api.file(id).catch(() => null); // forgotten meanwhile
    if (!file) return null;
    if (file.status === 'failed' || file.status === 'skipped') return { name: file.name, reason: file.reason };
    if (file.status !== 'waiting' && file.status !== 'reading') return null;
    await new Promise((resolve) => setTimeout(resolve, everyMs(n)));
  }
  return null;
}
