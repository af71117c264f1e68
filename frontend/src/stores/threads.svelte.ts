/** The list of conversations. */
import { backend, type ThreadInfo, type ThreadsApi } from '../api';
import { type DayGroup, dayGroup } from '../lib/dates';
import { texts } from '../lib/texts';
import { app, type Toast } from './app.svelte';
import { carryDraft, dropDraft, home } from './draft';
import { router } from './router.svelte';
import { later } from './undo';

export type ThreadGroup = 'unkept' | 'pinned' | DayGroup;

const order: readonly ThreadGroup[] = ['pinned', 'today', 'yesterday', 'week', 'older'];
const pollMs = 3000;

/** Groups threads by day, newest first, pinned ones on top. Empty groups are left out. */
export function grouped(items: ThreadInfo[], now: Date): { group: ThreadGroup; items: ThreadInfo[] }[] {
  const sorted = [...items].sort((a, b) => b.updated.localeCompare(a.updated));
  const of = (item: ThreadInfo): ThreadGroup => (item.pinned ? 'pinned' : dayGroup(item.updated, now));
  return order
    .map((group) => ({ group, items: sorted.filter((item) => of(item) === group) }))
    .filter((g) => g.items.length > 0);
}

/** What the list tells its surroundings. */
export interface ThreadsHost {
  /** Other pages of this browser are to read the list again, and a thread that they show. */
  tell(thread: string): void;
  say(text: string, action?: Toast['action']): void;
  sayFault(error: unknown): void;
  open(threadId: string): void;
  /** Leaves the thread on screen, which is deleted, and takes along what was typed there; gives what takes the reader back. */
  leave(threadId: string): () => void;
  /** Lets go of what is kept here for threads that are no more. */
  drop(threadIds: string[]): void;
}

export class Threads {
  items = $state.raw<ThreadInfo[]>([]);
  next = $state.raw<string | null>(null);
  loaded = $state(false);
  /** Private conversations of this visit, newest first: the program lists none of them. */
  unkept = $state.raw<ThreadInfo[]>([]);
  /** Deleted, but the reader may still undo it. */
  leaving = $state.raw<ReadonlySet<string>>(new Set());
  /** What another page has changed: how often, and the thread it was. */
  heard = $state.raw({ times: 0, thread: '' });
  /** The thread on screen: its end needs no toast. */
  current = $state('');

  readonly #api: ThreadsApi;
  readonly #host: ThreadsHost;
  #poll: ReturnType<typeof setTimeout> | undefined;
  #reading = false;

  constructor(api: ThreadsApi, host: ThreadsHost) {
    this.#api = api;
    this.#host = host;
  }

  /** What is there for the reader: not what they have deleted. */
  get listed(): ThreadInfo[] {
    return this.items.filter((item) => !this.leaving.has(item.id));
  }

  get groups(): { group: ThreadGroup; items: ThreadInfo[] }[] {
    const unkept = this.unkept.filter((item) => !this.leaving.has(item.id));
    return [...(unkept.length ? [{ group: 'unkept' as const, items: unkept }] : []), ...grouped(this.listed, new Date())];
  }

  /** The conversation of a thread: it is listed by the newest of its versions. */
  row(id: string): ThreadInfo | undefined {
    return [...this.unkept, ...this.items].find((item) => item.id === id || item.other_versions?.includes(id));
  }

  /** Reads the list again; while something is being answered, goes on doing so. */
  async load(): Promise<void> {
    clearTimeout(this.#poll);
    try {
      const page = await this.#api.threads({ limit: 200 });
      this.#tellEnds(page.items);
      const older = page.next === null ? [] : this.#below(page.items);
      this.items = [...page.items, ...older];
      if (older.length === 0) this.next = page.next;
      this.loaded = true;
    } catch (error) {
      if (!this.loaded) this.#host.sayFault(error);
    }
    if (this.items.some((item) => item.running)) this.#poll = setTimeout(() => void this.load(), pollMs);
  }

  /** Reads the list again after something was done here, and has other pages do so. */
  async changed(thread: string): Promise<void> {
    this.#host.tell(thread);
    await this.load();
    if (!this.row(thread)) await this.look(thread);
  }

  /** Lists a conversation that is kept nowhere, as long as it is in memory. */
  async look(id: string): Promise<void> {
    const thread = await this.#api.thread(id).catch(() => null);
    const others = this.unkept.filter((item) => item.id !== id);
    this.unkept = thread?.private ? [{ ...thread, runs: thread.runs.length, running: false }, ...others] : others;
  }

  /** Another page has changed a thread. */
  async hear(thread: string): Promise<void> {
    this.heard = { times: this.heard.times + 1, thread };
    await this.load();
  }

  /** An answer is kept fresh, as far as is listed. */
  get keeps(): boolean {
    return this.items.some((item) => item.kept_fresh);
  }

  /** The thread was opened: what checks found in it is no news any more. */
  seen(id: string): void {
    if (this.row(id)?.unseen) this.#patch(id, { unseen: false });
  }

  /** An answer ended before the reader's eyes: nobody needs to tell of it. */
  ended(id: string): void {
    if (this.row(id)?.running) this.#patch(id, { running: false });
  }

  async more(): Promise<void> {
    if (!this.next || this.#reading) return;
    this.#reading = true;
    try {
      const page = await this.#api.threads({ limit: 200, after: this.next });
      const known = new Set(this.items.map((item) => item.id));
      this.items = [...this.items, ...page.items.filter((item) => !known.has(item.id))];
      this.next = page.next;
    } catch (error) {
      this.next = null; // no more is asked for until the list is read again
      this.#host.sayFault(error);
    }
    this.#reading = false;
  }

  async rename(id: string, title: string): Promise<void> {
    const wanted = title.trim();
    const before = this.row(id)?.title;
    if (!wanted || wanted === before) return;
    this.#patch(id, { title: wanted });
    try {
      await this.#api.renameThread(id, wanted);
      this.#host.tell(id);
    } catch (error) {
      this.#patch(id, { title: before });
      this.#host.sayFault(error);
    }
  }

  async pin(id: string, pinned: boolean): Promise<void> {
    this.#patch(id, { pinned });
    try {
      await this.#api.pinThread(id, pinned);
      this.#host.tell(id);
    } catch (error) {
      this.#patch(id, { pinned: !pinned });
      this.#host.sayFault(error);
    }
  }

  async export(id: string): Promise<void> {
    try {
      await this.#api.exportThread(id, 'md');
    } catch (error) {
      this.#host.sayFault(error);
    }
  }

  /** Takes a conversation off the list, and the reader out of it; it is erased after 8 s unless undone. */
  remove(version: string): void {
    const { id, title } = this.row(version) ?? { id: version, title: '' };
    this.leaving = new Set([...this.leaving, id]);
    const undo = later(() => this.#erase(id));
    const enter = this.#leave(id);
    this.#host.say(texts.nav.removed(title), { label: texts.app.undo, run: () => (undo(), this.#back(id), enter()) });
  }

  /** Nobody stays in a conversation that is deleted: what they ask there would fail. */
  #leave(id: string): () => void {
    const shown = this.current;
    return shown !== '' && (this.row(shown)?.id ?? shown) === id ? this.#host.leave(shown) : () => {};
  }

  async #erase(id: string): Promise<void> {
    try {
      await this.#api.deleteThread(id);
      this.#leave(id); // who came back by the address meanwhile
      this.#host.tell(id);
      this.#host.drop([id, ...(this.row(id)?.other_versions ?? [])]);
      this.items = this.items.filter((item) => item.id !== id);
      this.unkept = this.unkept.filter((item) => item.id !== id);
    } catch (error) {
      this.#host.sayFault(error);
    }
    this.#back(id);
  }

  #back(id: string): void {
    this.leaving = new Set([...this.leaving].filter((other) => other !== id));
  }

  #tellEnds(now: ThreadInfo[]): void {
    const running = new Set(this.items.filter((item) => item.running).map((item) => item.id));
    for (const item of now) {
      if (item.running || !running.has(item.id) || item.id === this.current) continue;
      void this.#tellEnd(item);
    }
  }

  /** Says how an answer ended that nobody looked at; one that was stopped ended by the reader's own hand. */
  async #tellEnd({ id, title }: ThreadInfo): Promise<void> {
    const last = await this.#api.thread(id).then((thread) => thread.runs.at(-1)).catch(() => undefined); // it was deleted meanwhile
    const said = last?.status === 'finished' ? texts.nav.finished(title) : last?.status === 'failed' ? texts.nav.failed(title, last.failure?.message ?? '') : '';
    if (said) this.#host.say(said, { label: texts.nav.open, run: () => this.#host.open(id) });
  }

  /** What was read further down and stands below a first page that was read again. */
  #below(first: ThreadInfo[]): ThreadInfo[] {
    const end = first.at(-1)?.updated ?? '';
    const known = new Set(first.map((item) => item.id));
    return this.loaded && first.length < this.items.length ? this.items.filter((item) => !known.has(item.id) && item.updated < end) : [];
  }

  #patch(id: string, change: Partial<ThreadInfo>): void {
    const row = this.row(id);
    this.items = this.items.map((item) => (item === row ? { ...item, ...change } : item));
  }
}

/** Pages of one data folder in one browser hear of each other. */
const pages = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(`footnote.${document.documentElement.dataset.home ?? ''}.threads`);

export const threads = new Threads(backend, {
  tell: (thread) => pages?.postMessage(thread),
  say: (text, action) => app.say(text, action),
  sayFault: (error) => app.sayFault(error),
  open: (id) => (location.hash = `#/thread/${encodeURIComponent(id)}`),
  leave: (id) => {
    const [back, left] = [carryDraft(id, home), router.route];
    router.go({ name: 'home' });
    const at = router.place;
    return () => (back(), void router.follow(at, left));
  },
  drop: (ids) => ids.forEach(dropDraft),
});
if (pages) pages.onmessage = ({ data }: MessageEvent<string>) => void threads.hear(data);
