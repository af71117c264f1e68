/** A question being written. It keeps its text until it has been asked. */
import { type Ask, backend, type Backend, type Collection, type Drop, Fault, type Focus, type Persona, type SearchHit } from '../api';
import { modeOf, type Offer, type Work } from '../lib/commands';
import { length } from '../lib/format';
import type { ModelChoice } from '../lib/models';
import { remember, remembered } from '../lib/remember';
import { texts } from '../lib/texts';
import { unreadOf } from '../lib/unread';
import { app } from './app.svelte';
import { collections } from './collections.svelte';
import { models } from './models.svelte';
import { settings } from './settings.svelte';
import { since, typed } from './typed.svelte';
import { wishes } from './wishes.svelte';

/** A file that belongs to the question only. */
export interface Attachment {
  id: string;
  name: string;
  /** Why nothing of it can be found or cited; absent while nothing speaks against it. */
  unread?: string;
  /** A folder: its id is its path. */
  folder?: boolean;
  /** A named set of sources. */
  collection?: boolean;
}

export interface Defaults {
  focus: Focus;
  work: Work;
  web: boolean;
  /** The question is forgotten when the program ends. */
  forget: boolean;
}

/** A question waits so long for the files it is about; what takes longer is found later. */
const readMs = 15_000;
const recallKey = 'asked';
const recallMax = 30;
const homeDraft = 'draft.home';

/** Where a pasted text ends being a question: the first line or sentence, else a word before the limit. */
export function splitLong(text: string, max: number): [question: string, rest: string] {
  const chars = [...text];
  const head = chars.slice(0, max).join('');
  const line = head.indexOf('\n');
  const stop = /[.?!。？！](\s|$)/.exec(head);
  const at = line > 0 ? line : stop ? stop.index + 1 : Math.max(head.lastIndexOf(' '), 1);
  return [text.slice(0, at).trim(), text.slice(at).trim()];
}

export class Composer {
  text = $state('');
  focus = $state<Focus>('all');
  work = $state<Work>('balanced');
  web = $state(true);
  forget = $state(false);
  /** "" = the setting, "none", or provider/model. */
  model = $state('');
  /** Id of the persona that the answer is written as; "" = none. */
  persona = $state('');
  /** Pasted text that goes along with the question. */
  context = $state('');
  files = $state.raw<Attachment[]>([]);
  /** The files and folders are the scope of a conversation: they stay until they are taken away. */
  limited = $state(false);
  attaching = $state(0);
  /** Attached files that are being read. */
  reading = $state(0);
  asking = $state(false);
  fault = $state.raw<Fault | null>(null);

  readonly #api: Pick<Backend, 'addPaths' | 'upload' | 'chooseFiles' | 'file'>;
  readonly #draft: string;
  #reads: Promise<void>[] = [];

  /** `draft` names the place where unfinished text is kept: "home" or a thread id. */
  constructor(draft: string, api: Pick<Backend, 'addPaths' | 'upload' | 'chooseFiles' | 'file'> = backend) {
    this.#draft = `draft.${draft}`;
    this.#api = api;
    this.text = remembered(this.#draft) ?? '';
    if (draft !== 'home') this.limit(scopeOf(draft));
  }

  /** What this conversation was limited to was taken away here. */
  get freed(): boolean {
    return remembered(`scope.${this.#draft.slice('draft.'.length)}`) === '[]';
  }

  /** Takes the reader's defaults; what was already chosen by hand is not asked for again. */
  reset(defaults: Defaults): void {
    this.focus = this.limited ? 'local' : defaults.focus;
    this.work = defaults.work;
    this.web = defaults.web;
    this.forget = defaults.forget;
  }

  get length(): number {
    return length(this.text.trim());
  }

  write(text: string): void {
    this.text = text;
    this.fault = null;
    remember(this.#draft, text || null);
  }

  /** Takes a long pasted text along; one too long for that becomes a file, where files can be handed over. */
  paste(text: string, max: number, desktop: boolean): void {
    const all = [this.context, text].filter(Boolean).join('\n\n');
    if (all.length <= max || length(all) <= max) {
      this.context = all;
      this.fault = null;
    } else if (desktop) {
      this.fault = new Fault({ code: 'question-too-long', message: texts.composer.pasteTooLong(length(text), max), hint: texts.composer.pasteAsFile });
    } else {
      void this.attach({ paths: [], files: [new File([text], texts.composer.pastedFile, { type: 'text/plain' })] });
    }
  }

  /** Puts an overlong text aside: the question stays, the rest goes along as context. */
  moveLong(max: number): void {
    const [question, rest] = splitLong(this.text, max);
    this.context = [this.context, rest].filter(Boolean).join('\n\n');
    this.write(question);
  }

  toAsk(thread?: string): Ask {
    const { mode, submode } = modeOf(this.work);
    return {
      question: this.text.trim(),
      ...(thread ? { thread } : {}),
      ...(this.context ? { context: this.context } : {}),
      focus: this.focus,
      mode,
      ...(submode ? { submode } : {}),
      ...(this.persona ? { personas: [this.persona] } : {}),
      web: this.web,
      ...(this.forget ? { private: true } : {}),
      scope: { files: this.#ids('file'), folders: this.#ids('folder'), collections: this.#ids('collection') },
      models: { chat: this.model, system: '' },
    };
  }

  /** Asks; the text is let go only when the question has been taken. What is typed meanwhile stays. */
  async send(ask: (question: Ask) => Promise<void>): Promise<void> {
    if (this.asking || this.length === 0) return;
    const question = this.toAsk();
    const written = this.text;
    const sent = await this.#asks(async () => {
      if (this.reading > 0) await Promise.race([Promise.all(this.#reads), new Promise((resolve) => setTimeout(resolve, readMs))]);
      await ask(question);
    });
    if (!sent) return;
    this.clear(since(written, this.text));
    if (!question.private) keepAsked(question.question);
  }

  /** Asks another question than the one being written, which stays as it is. */
  async sendOther(text: string, ask: (question: Ask) => Promise<void>): Promise<void> {
    const { context: _, scope: __, ...question } = this.toAsk();
    await this.#asks(() => ask({ ...question, question: text }));
  }

  /** Empties the box but for what was typed since; home hands that on to the screen of the answer. */
  clear(later = ''): void {
    if (this.#draft === homeDraft) typed.keep(later);
    this.write(this.#draft === homeDraft ? '' : later);
    this.context = '';
    this.#reads = [];
    if (this.limited && this.#draft !== homeDraft) return; // the conversation is about them
    this.files = [];
    this.limited = false;
  }

  async #asks(act: () => Promise<void>): Promise<boolean> {
    if (this.asking) return false;
    this.asking = true;
    this.fault = null;
    try {
      await act();
      return true;
    } catch (error) {
      this.fault = Fault.of(error);
      return false;
    } finally {
      this.asking = false;
    }
  }

  #ids(kind: 'file' | 'folder' | 'collection'): string[] {
    return this.files.filter((one) => (one.collection ? 'collection' : one.folder ? 'folder' : 'file') === kind).map(({ id }) => id);
  }

  /** Limits the question to files and folders of the library, and to them alone. */
  limit(items: Attachment[]): void {
    if (items.length === 0) return;
    this.files = items;
    this.focus = 'local';
    this.limited = true;
  }

  /** Keeps what the question is limited to for the conversation that it begins. */
  keepScope(thread: string): void {
    if (this.limited) keepScope(thread, this.files);
  }

  /** Reads files in and limits the question to them. */
  async attach(drop: Drop): Promise<void> {
    this.attaching += 1;
    try {
      if (drop.paths.length > 0) {
        const { added } = await this.#api.addPaths(drop.paths, false);
        this.#attached(added.map(({ id, path }) => ({ id, name: path.split(/[\\/]/).at(-1) ?? path })));
      }
      if (drop.files.length > 0) this.#attached(await this.#api.upload(drop.files));
    } catch (error) {
      this.fault = Fault.of(error);
    }
    this.attaching -= 1;
  }

  async chooseFiles(): Promise<void> {
    const paths = await this.#api.chooseFiles();
    if (paths.length > 0) await this.attach({ paths, files: [] });
  }

  detach(id: string): void {
    this.files = this.files.filter((file) => file.id !== id);
    if (!this.limited) return;
    if (this.#draft !== homeDraft) keepScope(this.#draft.slice('draft.'.length), this.files);
    if (this.files.length > 0) return;
    this.limited = false;
    this.focus = 'all';
  }

  #attached(files: Attachment[]): void {
    const known = new Set(this.files.map((file) => file.id));
    const added = files.filter((f) => !known.has(f.id)).map(({ id, name }) => ({ id, name }));
    this.files = [...this.files, ...added];
    this.#reads.push(...added.map(({ id }) => this.#follow(id)));
  }

  async #follow(id: string): Promise<void> {
    this.reading += 1;
    const unread = await unreadOf(this.#api, id, () => this.files.some((file) => file.id === id));
    this.reading -= 1;
    if (unread) this.files = this.files.map((file) => (file.id === id ? { ...file, unread: unread.reason } : file));
  }
}

/** What a conversation is limited to; nothing for most. */
function scopeOf(thread: string): Attachment[] {
  try {
    const kept: unknown = JSON.parse(remembered(`scope.${thread}`) ?? '[]');
    return Array.isArray(kept) ? kept.filter((one): one is Attachment => typeof one?.id === 'string' && typeof one?.name === 'string') : [];
  } catch {
    return [];
  }
}

/** An empty scope is kept as well: the reader took away what the conversation was limited to. */
function keepScope(thread: string, files: Attachment[]): void {
  const plain = files.map(({ id, name, folder, collection }) => ({ id, name, ...(folder ? { folder } : {}), ...(collection ? { collection } : {}) }));
  remember(`scope.${thread}`, JSON.stringify(plain));
}

/** What a conversation is limited to holds for another version of it. */
export function shareScope(from: string, to: string): void {
  remember(`scope.${to}`, remembered(`scope.${from}`));
}

/** Puts what was typed meanwhile into the box of a thread that is about to be shown. */
export function keepDraft(thread: string, text: string): void {
  if (text) remember(`draft.${thread}`, text);
}

/** Questions asked before, newest first, for ↑ in an empty box. */
export function asked(): string[] {
  try {
    const list: unknown = JSON.parse(remembered(recallKey) ?? '[]');
    return Array.isArray(list) ? list.filter((q): q is string => typeof q === 'string') : [];
  } catch {
    return [];
  }
}

function keepAsked(question: string): void {
  const list = [question, ...asked().filter((q) => q !== question)].slice(0, recallMax);
  remember(recallKey, JSON.stringify(list));
}

/** What every composer on a screen shares; spread it into `<Composer {...composerProps()} …/>`. */
export interface ComposerProps {
  offer: Offer;
  models: ModelChoice[];
  modelLabel: string;
  personas: Persona[];
  collections: Collection[];
  max: number;
  /** Characters of pasted text that go along with a question. */
  contextMax: number;
  desktop: boolean;
  recall: string[];
  webShut: WebShut | null;
}

/** What keeps every question from the web, whatever its switch says. */
export type WebShut = 'off' | 'local-only';

export function webShut(): WebShut | null {
  if (settings.value<string>('privacy.scope', 'all') === 'local-only') return 'local-only';
  return settings.value<boolean>('web.enabled', true) ? null : 'off';
}

export function composerProps(): ComposerProps {
  const used = models.inUse;
  return {
    offer: app.offer,
    models: models.choices,
    modelLabel: used.state === 'none' ? texts.composer.noModel : used.label,
    personas: wishes.personas,
    collections: collections.items,
    max: settings.value<number>('limits.question_chars', 1000),
    contextMax: settings.value<number>('limits.context_chars', 50_000),
    desktop: backend.desktop,
    recall: asked(),
    webShut: webShut(),
  };
}

/** Whether new questions are kept in memory only. */
export function forgets(): boolean {
  return settings.value<boolean>('store.private_default', false);
}

/** The reader's defaults for a new question. */
export function askDefaults(): Defaults {
  return {
    focus: settings.value<Focus>('ask.focus', 'all'),
    work: settings.value<Work>('ask.mode', 'balanced'),
    web: settings.value<boolean>('ask.web', true),
    forget: forgets(),
  };
}

const warmEvery = 20_000;

/** Has connections opened while a question is typed that may go out. */
export class Warming {
  #last = -Infinity;

  constructor(readonly api: Pick<Backend, 'warm'> = backend, readonly now: () => number = Date.now) {}

  typed({ text, web, focus, model }: Pick<Composer, 'text' | 'web' | 'focus' | 'model'>, shut: WebShut | null): void {
    const out = web && !shut && !['local', 'compute', 'writing'].includes(focus);
    if (!out || text.trim() === '' || this.now() - this.#last < warmEvery) return;
    this.#last = this.now();
    void this.api.warm(model).catch(() => {}); // a head start, and no more: asking tells what is wrong
  }
}

export const warming = new Warming();

/** Of how many passages the files that hold them are listed, and how many files. */
const [passagesLooked, filesListed] = [30, 5];

/** The best passage of each file, as many files as are listed. */
function bestOfFiles(hits: SearchHit[]): SearchHit[] {
  const seen = new Set<string>();
  return hits.filter(({ file }) => !seen.has(file) && seen.add(file)).slice(0, filesListed);
}

/** Two signs of these scripts are a word; of others it takes three letters to look for one. */
const dense = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const leastLetters = (text: string): number => (dense.test(text) ? 2 : 3);

/** File hits while a question is typed, the best passage of each file. Only the last answer counts. */
export class TypeAhead {
  hits = $state.raw<SearchHit[]>([]);
  total = $state(0);
  /** There may be more than `total`. */
  more = $state(false);
  #turn = 0;

  constructor(readonly api: Pick<Backend, 'searchLibrary'> = backend) {}

  async look(text: string): Promise<void> {
    const turn = ++this.#turn;
    const query = text.trim();
    const wanted = query.length >= leastLetters(query) && !query.startsWith('/');
    const found = wanted ? await this.api.searchLibrary(query, passagesLooked).catch(() => null) : null;
    if (turn !== this.#turn) return;
    this.hits = bestOfFiles(found?.items ?? []);
    this.total = found?.total ?? 0;
    this.more = found?.more ?? false;
  }
}
