/** The reader's files: what was added, how far reading is, what a search finds. */
import {
  type AddResult, backend, type Counted, type Drop, Fault, type FileInfo, type FileOrder, type FileStatus, type LibraryApi, type LibraryEvent,
  type LibraryEventBodies, type LibraryStatus, type Root, type SearchResult, type Skip, type WhyNot,
} from '../api';
import { baseName, plural } from '../lib/format';
import { remember, remembered } from '../lib/remember';
import { texts } from '../lib/texts';
import { unreadOf } from '../lib/unread';
import { app, type Toast } from './app.svelte';
import { FileList } from './file-list.svelte';
import { later } from './undo';

export type Progress = LibraryEventBodies['progress'];

/** A file or folder of the library. */
export type Named = { id: string; path: string };

const settleMs = 800;
const sliceSize = 200;
const hitsWanted = 50;
/** Of more files than these the list tells. */
const mostFollowed = 20;
/** Keys that come faster are of one word: it is looked for once they rest for so long. */
const restMs = 60;
/** A count looks through every file: it waits for a pause in the typing. */
const countDelay = 350;

export interface LibraryHost {
  say(text: string, action?: Toast['action']): void;
  sayFault(error: unknown): void;
  /** Opens the library. */
  open(): void;
}

export class Library {
  status = $state.raw<LibraryStatus | null>(null);
  filter = $state.raw<FileStatus | ''>('');
  root = $state.raw('');
  order = $state.raw<FileOrder>((remembered('files.order') ?? '') as FileOrder);
  progress = $state.raw<Progress | null>(null);
  rebuilding = $state.raw<number | null>(null);
  skipped = $state.raw<Skip[]>([]);
  query = $state('');
  found = $state.raw<SearchResult | null>(null);
  /** Exactly which files mention what is searched for; null until it is counted. */
  counted = $state.raw<Counted | null>(null);
  /** Roots and files being forgotten, but still undoable. */
  leaving = $state.raw<ReadonlySet<string>>(new Set());
  fault = $state.raw<Fault | null>(null);

  readonly files: FileList;

  readonly #api: LibraryApi;
  readonly #host: LibraryHost;
  #settle: ReturnType<typeof setTimeout> | undefined;
  #search = 0;
  #lastKey = 0;
  #count: ReturnType<typeof setTimeout> | undefined;
  #counting: AbortController | undefined;
  /** Rows on screen, which are kept fresh. */
  #seen: [number, number] = [0, 0];

  constructor(api: LibraryApi, host: LibraryHost) {
    this.#api = api;
    this.#host = host;
    this.files = new FileList((after) => this.#api.files({ status: this.filter, root: this.root, sort: this.order, limit: sliceSize, after }));
  }

  get reading(): boolean {
    const { progress } = this;
    return progress ? progress.files_done < progress.files_total : (this.status?.totals.waiting ?? 0) > 0;
  }

  get roots() {
    return (this.status?.roots ?? []).filter((root) => !this.leaving.has(root.id));
  }

  /** What an addition left out; folders that cannot be looked into are told of by themselves. */
  get leftOut(): Skip[] {
    const shut = new Set(this.roots.flatMap((root) => root.shut ?? []).map((skip) => skip.path));
    return this.skipped.filter((skip) => !shut.has(skip.path));
  }

  get rows(): FileInfo[] {
    if (this.leaving.size === 0) return this.files.rows;
    return this.files.rows.filter((file) => !this.leaving.has(file.id) && !this.#leaves(file));
  }

  /** What is counted, without what is being forgotten. */
  get totals() {
    const totals = this.status?.totals;
    if (!totals || this.leaving.size === 0) return totals;
    const going = this.#going.reduce((sum, root) => sum + root.files, 0) + this.files.rows.filter((file) => this.leaving.has(file.id)).length;
    return { ...totals, files: Math.max(0, totals.files - going) };
  }

  get #going(): Root[] {
    return (this.status?.roots ?? []).filter((root) => this.leaving.has(root.id));
  }

  /** The file goes with its folder; one that stands in a folder of its own within that stays. */
  #leaves({ path }: FileInfo): boolean {
    const deepest = (roots: Root[]): number => Math.max(-1, ...roots.filter((root) => isWithin(path, root.path)).map((root) => root.path.length));
    return deepest(this.#going) > deepest(this.roots);
  }

  /** Folders and totals alone: cheap, for the status line and for home. */
  async loadStatus(): Promise<void> {
    try {
      const status = await this.#api.library();
      this.status = status;
      this.rebuilding = status.rebuilding;
      this.fault = null;
      if (isFolder(this.root) && !status.roots.some(({ id }) => id === this.root)) this.show(this.filter, ''); // it was forgotten on another page
    } catch (error) {
      this.fault = Fault.of(error);
    }
  }

  /** Reads totals and the files on screen again. */
  async load(): Promise<void> {
    await Promise.all([this.loadStatus(), this.#try(() => this.files.refresh(...this.#seen))]);
  }

  /** The rows that the reader sees; the end of the list is read before it is reached. */
  see(first: number, last: number): void {
    this.#seen = [first, last];
    if (last + sliceSize / 4 >= this.files.rows.length) void this.#try(() => this.files.more());
  }

  /** Lists the files in another order, and keeps to it. */
  sort(order: FileOrder): void {
    this.order = order;
    remember('files.order', order || null);
    this.show(this.filter, this.root);
  }

  show(filter: FileStatus | '', root: string): void {
    this.filter = filter;
    this.root = root;
    this.#seen = [0, 0];
    void this.#try(() => this.files.restart());
  }

  /** Follows reading until the returned function is called. */
  watch(): () => void {
    const leave = this.#api.libraryEvents((event) => this.take(event));
    return () => {
      clearTimeout(this.#settle);
      this.#settle = undefined;
      this.progress = null; // nobody tells of it any more
      leave();
    };
  }

  take(event: LibraryEvent): void {
    if (event.kind === 'fresh') return; // of answers, not of files
    if (event.kind === 'progress') {
      this.progress = event.body;
      if (event.body.files_done < event.body.files_total) return;
    }
    if (event.kind === 'rebuilding') {
      this.rebuilding = event.body.percent < 100 ? event.body.percent : null;
      return;
    }
    if (event.kind === 'extracting') {
      if (event.seq > (this.status?.last_event ?? 0)) this.files.patch(event.body.file, { status: 'reading' }); // not what was read long ago and is told again
      return;
    }
    this.#settle ??= setTimeout(() => void this.#settled(), settleMs); // many events, one reading
  }

  /** Adds what was dropped or chosen: paths in place, file contents as copies. */
  async add(drop: Drop): Promise<void> {
    try {
      if (drop.paths.length > 0) await this.#told(await this.#api.addPaths(drop.paths, true));
      if (drop.files.length > 0) {
        const kept = await this.#api.upload(drop.files);
        this.#host.say(texts.library.added(0, kept.length, false, true));
        void this.#tellUnread(kept);
      }
    } catch (error) {
      this.#host.sayFault(error);
    }
    await this.load();
  }

  /** Adds the sample library that the program brings along. */
  async addSample(): Promise<void> {
    try {
      await this.#api.addSample();
    } catch (error) {
      this.#host.sayFault(error);
    }
    await this.load();
  }

  /** Adds a path that was typed; a Fault says why it is refused. */
  async addPath(path: string): Promise<Fault | null> {
    try {
      await this.#told(await this.#api.addPaths([path.trim()], true));
      await this.load();
      return null;
    } catch (error) {
      return Fault.of(error);
    }
  }

  async rescan(...items: Named[]): Promise<void> {
    try {
      await this.#api.rescan(items.map(({ id }) => id));
      this.#host.say(texts.library.rescanning(calling(items), items.length));
    } catch (error) {
      this.#host.sayFault(error);
    }
  }

  /** Looks again into a folder whose rights may have changed. */
  async lookAgain(root: Root): Promise<void> {
    const name = baseName(root.path);
    try {
      await this.#api.rescan([root.id]);
      await this.load();
      const still = this.roots.some((one) => one.id === root.id && one.closed);
      this.#host.say(still ? texts.library.stillShut(name) : texts.library.rescanning(calling([root]), 1));
    } catch (error) {
      this.#host.sayFault(error);
    }
  }

  /** Forgets files or folders after 8 s unless undone. The files themselves stay. */
  remove(...items: Named[]): void {
    const ids = items.map(({ id }) => id);
    this.leaving = new Set([...this.leaving, ...ids]);
    const root = ids.includes(this.root) ? this.root : '';
    if (root) this.show(this.filter, ''); // nothing is in a folder that is gone
    const back = (): void => {
      this.leaving = new Set([...this.leaving].filter((other) => !ids.includes(other)));
    };
    const undo = later(async () => {
      const gone = await Promise.allSettled(ids.map((id) => this.#api.removeFile(id))); // all are sent before the page is left
      const kept = gone.find((one) => one.status === 'rejected');
      if (kept) this.#host.sayFault(kept.reason);
      await this.load(); // what went beside one that is kept is gone
      back();
    });
    this.#host.say(texts.library.removed(calling(items), items.length), { label: texts.app.undo, run: () => (undo(), back(), root && !this.root && this.show(this.filter, root)) });
  }

  /** How a file fares in a search for a question. */
  whyNot(file: string, question: string): Promise<WhyNot> {
    return this.#api.whyNot(file, question);
  }

  /** Searches as the reader types; only the last answer counts. */
  async search(query: string): Promise<void> {
    this.query = query;
    const turn = ++this.#search;
    clearTimeout(this.#count);
    this.#counting?.abort(); // a long count would keep the hits of the next key waiting
    this.#counting = undefined;
    const wanted = query.trim();
    const sinceKey = Date.now() - this.#lastKey;
    this.#lastKey = Date.now();
    if (wanted && sinceKey < restMs) await new Promise((rested) => setTimeout(rested, restMs));
    if (turn !== this.#search) return;
    const found = wanted ? await this.#api.searchLibrary(wanted, hitsWanted).catch(() => null) : null;
    if (turn !== this.#search) return;
    this.found = found;
    this.counted = null;
    clearTimeout(this.#count);
    if (found?.items.length) this.#count = setTimeout(() => void this.#counts(wanted, turn), countDelay);
  }

  async #counts(query: string, turn: number): Promise<void> {
    const counting = (this.#counting = new AbortController());
    const counted = await this.#api.countFiles(query, 'file', counting.signal).catch(() => null);
    if (turn !== this.#search) return;
    this.#counting = undefined; // done: there is nothing to end
    this.counted = counted;
  }

  async #told(result: AddResult): Promise<void> {
    this.skipped = result.skipped ?? [];
    const added = result.added ?? [];
    const shut = this.skipped.filter((skip) => added.some((one) => one.path === skip.path));
    const [first] = shut;
    const open = added.filter((one) => !shut.some((skip) => skip.path === one.path));
    if (open.length) {
      await this.loadStatus();
      const reading = result.looking || (this.status?.totals.waiting ?? 0) > 0;
      const roots = open.map((one) => this.status?.roots.find((root) => root.id === one.id));
      const folders = roots.filter((root) => root?.folder).length;
      this.#host.say(texts.library.added(folders, roots.reduce((sum, root) => sum + (root?.folder ? root.files : 1), 0), result.looking, reading));
    }
    if (first) this.#sayUnread(texts.library.unreadFolders(shut.length, baseName(first.path), first.reason));
    void this.#tellUnread(added);
  }

  /** Says of files that were just handed over which of them cannot be searched. */
  async #tellUnread(added: { id: string; path?: string }[]): Promise<void> {
    const looked = await Promise.all(added.slice(0, mostFollowed).map(async (one) => unreadOf(this.#api, await this.#fileOf(one))));
    const unread = looked.filter((one) => one !== null);
    const [first] = unread;
    if (first) this.#sayUnread(texts.library.unread(unread.length, first.name, first.reason));
  }

  #sayUnread(text: string): void {
    this.#host.say(text, { label: texts.library.showUnread, run: () => this.#host.open() });
  }

  /** The id of the file at an added path; a folder keeps its own. */
  async #fileOf({ id, path }: { id: string; path?: string }): Promise<string> {
    if (!path || id.startsWith('fil_')) return id;
    const { items } = await this.#api.files({ q: baseName(path), root: id, limit: mostFollowed }).catch(() => ({ items: [] }));
    return items.find((file) => file.path === path)?.id ?? id;
  }

  async #settled(): Promise<void> {
    await this.load();
    this.#settle = undefined;
  }

  async #try(read: () => Promise<void>): Promise<void> {
    try {
      await read();
    } catch (error) {
      this.fault = Fault.of(error);
    }
  }
}

/** Files that stand in no folder are a choice as well, and have no root of that name. */
const isFolder = (root: string): boolean => root !== '' && root !== 'files';

const isWithin = (path: string, folder: string): boolean => path === folder || (path.startsWith(folder) && /[\\/]/.test(folder.slice(-1) + path.charAt(folder.length)));

/** What a sentence calls these: the name of one, the count of several. */
const calling = (items: readonly Named[]): string => (items.length === 1 && items[0] ? `“${baseName(items[0].path)}”` : plural(items.length, 'file'));

export const library = new Library(backend, {
  say: (text, action) => app.say(text, action),
  sayFault: (error) => app.sayFault(error),
  open: () => (location.hash = '#/library'),
});
