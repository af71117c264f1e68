/** A question being written. It keeps what was written and what goes along until it has been asked. */
import { untrack } from 'svelte';
import { type Ask, backend, type Backend, type Collection, type Drop, Fault, type Focus, type Persona } from '../api';
import { modeOf, type Offer, webOf, type Work } from '../lib/commands';
import { length } from '../lib/format';
import type { ModelChoice } from '../lib/models';
import { remember, remembered } from '../lib/remember';
import { texts } from '../lib/texts';
import { unreadOf } from '../lib/unread';
import { app } from './app.svelte';
import { collections } from './collections.svelte';
import { along, type Chosen, draftText, home, isFreed, isSecret, keepAlong, keepScope, keepText, scopeOf } from './draft';
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
  forget = $state(forgets());
  /** "" = the setting, "none", or provider/model. */
  model = $state('');
  /** Id of the persona that the answer is written as; "" = none. */
  persona = $state('');
  /** The files and folders are the scope of a conversation: they stay until they are taken away. */
  limited = $state(false);
  attaching = $state(0);
  /** Attached files that are being read. */
  reading = $state(0);
  asking = $state(false);
  fault = $state.raw<Fault | null>(null);

  readonly #api: Pick<Backend, 'addPaths' | 'upload' | 'chooseFiles' | 'file'>;
  /** The place where it is kept while it is unfinished. */
  readonly #place: string;
  #focus = $state<Focus>('all');
  #work = $state<Work>('balanced');
  #web = $state(true);
  #context = $state('');
  #files = $state.raw<Attachment[]>([]);
  /** Ids of the files and folders that a conversation is about: they are kept with it, not with the draft. */
  #scope = new Set<string>();
  #chosen: Chosen = {};
  #private = false;
  #reads: Promise<void>[] = [];

  /** `place` names where unfinished text is kept: "home" or a thread id. */
  constructor(place: string, api: Pick<Backend, 'addPaths' | 'upload' | 'chooseFiles' | 'file'> = backend) {
    this.#place = place;
    this.#api = api;
    this.text = draftText(place);
    this.#private = isSecret(place); // until it is known what the conversation is
    this.#restore();
  }

  get focus(): Focus {
    return this.#focus;
  }
  set focus(focus: Focus) {
    this.#focus = focus;
    this.#choose({ focus });
  }

  get work(): Work {
    return this.#work;
  }
  set work(work: Work) {
    this.#work = work;
    this.#choose({ work });
  }

  get web(): boolean {
    return this.#web;
  }
  set web(web: boolean) {
    this.#web = web;
    this.#choose({ web });
  }

  /** Whether the web is asked, as far as it is for the reader to say. */
  get asksWeb(): boolean {
    return { always: true, never: false, chosen: this.web }[webOf(this.focus)];
  }

  /** Pasted text that goes along with the question. */
  get context(): string {
    return this.#context;
  }
  set context(context: string) {
    this.#context = context;
    this.#keepAlong();
  }

  get files(): Attachment[] {
    return this.#files;
  }
  set files(files: Attachment[]) {
    this.#files = files;
    this.#keepAlong();
  }

  /** What this conversation was limited to was taken away here. */
  get freed(): boolean {
    return isFreed(this.#place);
  }

  /** Takes the reader's defaults; what was already chosen by hand is not asked for again. */
  reset(defaults: Defaults): void {
    const { focus, work, web } = { ...defaults, ...this.#chosen };
    this.#focus = this.limited ? 'local' : focus;
    this.#work = work;
    this.#web = web;
    this.forget = defaults.forget;
    this.#keepAll();
  }

  /** Whether the conversation is kept in memory only: then so is what is written for it. */
  keepPrivate(is: boolean): void {
    if (is === this.#private) return; // a screen that was left must not write over what came after it
    this.#private = is;
    this.#keepAll();
  }

  get length(): number {
    return length(this.text.trim());
  }

  write(text: string): void {
    const turned = (this.text === '') !== (text === '');
    this.text = text;
    this.fault = null;
    keepText(this.#place, text, this.#secret);
    if (turned) this.#keepAlong();
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
      web: this.asksWeb || this.web,
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

  /** A question that came from elsewhere takes the place of the one being written, and of what was to go along with it. */
  replace(text: string): void {
    this.#chosen = {};
    this.limited = false;
    this.context = '';
    this.files = [];
    this.write(text);
  }

  /** Empties the box but for what was typed since; home hands that on to the screen of the answer. */
  clear(later = ''): void {
    if (this.#place === home) {
      typed.keep(later);
      this.#private = false;
    }
    this.write(this.#place === home ? '' : later);
    this.context = '';
    this.#reads = [];
    if (this.limited && this.#place !== home) return; // the conversation is about them
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
    const added = untrack(() => this.#added);
    this.limited = true;
    this.#focus = 'local';
    this.#scope = new Set(this.#place === home ? [] : items.map(({ id }) => id));
    this.files = this.#place === home ? items : [...items, ...added.filter(({ id }) => !this.#scope.has(id))];
  }

  /** Keeps what the question is limited to for the conversation that it begins. */
  keepScope(thread: string): void {
    if (this.limited) keepScope(thread, this.files, this.#secret);
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
    if (this.#place !== home) keepScope(this.#place, this.files, this.#secret);
    if (this.files.length > 0) return;
    this.limited = false;
    this.#focus = 'all';
    this.#keepAlong();
  }

  /** The files that belong to the question being written. */
  get #added(): Attachment[] {
    return this.#files.filter(({ id }) => !this.#scope.has(id));
  }

  get #secret(): boolean {
    return this.forget || this.#private;
  }

  #choose(chosen: Chosen): void {
    this.#chosen = { ...this.#chosen, ...chosen };
    this.#keepAlong();
  }

  #keepAll(): void {
    untrack(() => keepText(this.#place, this.text, this.#secret));
    this.#keepAlong();
  }

  /** A choice without a question is none to keep. */
  #keepAlong(): void {
    untrack(() => {
      const [context, files] = [this.#context, this.#added];
      const asks = this.text !== '' || context !== '' || files.length > 0;
      keepAlong(this.#place, { context, files, limited: this.limited && this.#place === home, chosen: asks ? this.#chosen : {} }, this.#secret);
    });
  }

  #restore(): void {
    const { context, files, limited, chosen } = along(this.#place);
    if (this.#place !== home) this.limit(scopeOf(this.#place));
    this.#chosen = chosen;
    this.#context = context;
    this.#work = chosen.work ?? this.#work;
    this.#web = chosen.web ?? this.#web;
    if (!this.limited) this.#focus = limited ? 'local' : (chosen.focus ?? this.#focus);
    this.limited ||= limited;
    this.files = [...this.#files, ...files.filter(({ id }) => !this.#scope.has(id))];
    for (const { id } of files) if (id.startsWith('fil_')) void this.#again(id);
  }

  /** Takes up a file of an earlier visit; one that is forgotten by now cannot be asked. */
  async #again(id: string): Promise<void> {
    const gone = await this.#api.file(id).then(() => false, (error: unknown) => Fault.of(error).code === 'not-found');
    if (gone) this.detach(id);
    else this.#reads.push(this.#follow(id));
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

/** Puts what was typed meanwhile into the box of a thread that is about to be shown. */
export function keepDraft(thread: string, text: string): void {
  if (text) keepText(thread, text, false);
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
