/** The answer screen: which answer is being read, which note is open, what a press does. */
import { tick } from 'svelte';
import type { Backend } from '../api/backend';
import type { Ask, Asked, Steering } from '../api/types';
import { copyRich, copyText, listedAnswer, markdownAnswer, richAnswer } from '../lib/copy';
import type { Note } from '../lib/footnotes';
import { plural } from '../lib/format';
import type { Rhythm } from '../lib/fresh';
import { texts } from '../lib/texts';
import { Conversation } from './conversation.svelte';
import { PassageStore } from './passage.svelte';
import { Reading } from './reading.svelte';
import type { RunStore } from './run.svelte';
import { TraceStore } from './trace.svelte';
import { typed } from './typed.svelte';

/** What the screen tells its surroundings. */
export interface ScreenHost {
  say(text: string): void;
  sayFault(error: unknown): void;
  /** Shows the passage of a note in the address, or none. */
  setNote(note: number | null, run: string): void;
  /** A question of the thread has begun: it is brought into view, unless the reader is `elsewhere` by now. */
  asked(run: string, elsewhere: boolean): void;
}

export class ThreadScreen {
  readonly talk: Conversation;
  readonly passage: PassageStore;
  /** Run whose notes stand beside the text. */
  reading = $state('');
  /** The title of the thread is being written anew. */
  renaming = $state(false);
  /** The sheet of a phone is up. */
  sheet = $state(false);

  readonly #api: Backend;
  readonly #host: ScreenHost;
  readonly #readings = new Map<string, Reading>();
  readonly #traces = new Map<string, TraceStore>();
  #opener: HTMLElement | null = null;
  /** How many passages were opened. */
  #opened = 0;

  constructor(api: Backend, thread: string, host: ScreenHost) {
    this.#api = api;
    this.#host = host;
    this.talk = new Conversation(api, thread);
    this.passage = new PassageStore(api);
  }

  /** The reader's place in one answer. */
  of(turn: RunStore): Reading {
    let reading = this.#readings.get(turn.id);
    if (reading) return reading;
    // It outlives the part of the page that asked for it first: the column and the research screen share it.
    $effect.root(() => void (reading = new Reading(turn)));
    this.#readings.set(turn.id, reading!);
    return reading!;
  }

  /** How one answer came about. */
  traceOf(turn: RunStore): TraceStore {
    let trace = this.#traces.get(turn.id);
    if (!trace) this.#traces.set(turn.id, (trace = new TraceStore(this.#api, turn.id)));
    return trace;
  }

  /** The answer whose notes are shown: the one last touched, else the last. */
  get current(): Reading | undefined {
    const turn = this.talk.turns.find((t) => t.id === this.reading) ?? this.talk.last;
    return turn ? this.of(turn) : undefined;
  }

  /** A badge was pressed. First its card is lit; again, or by key, its passage opens. */
  pick(reading: Reading, k: number, badge: HTMLElement, keyboard: boolean, phone: boolean): void {
    this.reading = reading.turn.id;
    this.#opener = badge;
    const again = reading.lit === k && (!phone || this.sheet);
    reading.lit = k;
    if (phone) this.sheet = true;
    if (phone) reading.hush();
    if (keyboard || again) this.open(reading, k);
  }

  /** Opens the passage of badge k. */
  open(reading: Reading, k: number): void {
    reading.hush();
    this.#opened++;
    this.sheet = false;
    this.reading = reading.turn.id;
    reading.lit = k;
    this.#host.setNote(k + 1, reading.turn.id);
  }

  /** Opens source n: the passage of its first badge, else its own. */
  openSource(reading: Reading, n: number): void {
    const lit = reading.lit === null ? undefined : reading.notes[reading.lit];
    const note = lit?.n === n ? lit : reading.notes.find((other) => other.n === n);
    if (note) this.open(reading, note.k);
    else void this.outside(reading.turn.view.sources.find((source) => source.n === n)?.id ?? '');
  }

  /** Loads what the address asks for. */
  show(note: Note | undefined): void {
    if (note) void this.passage.open(note);
  }

  /** Closes the passage; by the key of a button, the focus goes back to the badge it came from. */
  close(byPointer = false): void {
    this.#host.setNote(null, '');
    if (!byPointer) this.#opener?.focus();
  }

  /** Closes the passage; one goes on writing where one was, once the box is seen again. */
  async leave(): Promise<void> {
    this.close(true);
    await tick();
    if (!typed.back()) this.#opener?.focus();
  }

  /** Goes to the previous or next footnote: in the viewer when it is open, else in the text. */
  move(by: 1 | -1, viewing: boolean): void {
    const reading = this.current;
    const k = reading?.next(reading.lit, by) ?? null;
    if (!reading || k === null) return;
    if (viewing) this.open(reading, k);
    else reading.lit = k;
  }

  async ask(question: Ask): Promise<void> {
    await this.#begin(() => this.talk.ask(question));
  }

  async again(turn: RunStore, change: Parameters<Conversation['again']>[1] = {}): Promise<void> {
    await this.#try(() => this.#begin(() => this.talk.again(turn, change)));
  }

  /** Looks whether an answer still holds: asks anew and compares. */
  async refresh(turn: RunStore): Promise<void> {
    await this.#try(() => this.#begin(() => this.talk.refresh(turn)));
  }

  /** Has an answer checked from time to time; tells whether that worked. */
  async keepFresh(turn: RunStore, rhythm: Rhythm): Promise<boolean> {
    return this.#try(() => this.talk.keepFresh(turn, rhythm));
  }

  async freshAgain(turn: RunStore): Promise<void> {
    await this.#try(() => this.talk.freshAgain(turn));
  }

  /** Begins a thread of its own after an answer; gives its id, "" when that did not work. */
  async branch(turn: RunStore): Promise<string> {
    let made = '';
    await this.#try(async () => {
      made = await this.#api.branchThread(this.talk.id, turn.id);
    });
    return made;
  }

  /** Asks a question of the thread in other words, in a thread of its own; null when that did not work. */
  async edit(turn: RunStore, question: string): Promise<Asked | null> {
    let asked: Asked | null = null;
    await this.#try(async () => {
      asked = await this.#api.editRun(turn.id, question);
    });
    return asked;
  }

  /** The run that another thread has in the place of a turn. */
  async versionOf(thread: string, turn: number): Promise<string | undefined> {
    let run: string | undefined;
    await this.#try(async () => {
      run = (await this.#api.thread(thread)).runs[turn]?.id;
    });
    return run;
  }

  async stop(): Promise<void> {
    await this.#try(async () => this.talk.running?.stop());
  }

  async answerNow(): Promise<void> {
    await this.#try(async () => this.talk.running?.answerNow());
  }

  /** Sets what research looks into; with `hold` it goes on waiting. */
  async plan(turn: RunStore, dimensions: string[], hold: boolean): Promise<void> {
    await this.#try(() => this.#api.plan(turn.id, dimensions, hold));
  }

  /** Changes what becomes of one subquestion while research looks into it. */
  async steer(turn: RunStore, dimension: string, action: Steering, question = ''): Promise<void> {
    await this.#try(() => this.#api.steer(turn.id, dimension, action, question));
  }

  /** Replies to what a run asked back. */
  async clarify(turn: RunStore, reply: string): Promise<void> {
    await this.#try(() => this.#api.clarify(turn.id, reply));
  }

  async copy(reading: Reading): Promise<void> {
    const { view, id } = reading.turn;
    const drawn = document.querySelector(`[data-run="${id}"] .text > *`);
    const text = listedAnswer(view, reading.notes);
    this.#copied(drawn ? await copyRich(richAnswer(drawn, view, reading.notes), text) : await copyText(text), 'Answer copied with its sources');
  }

  async copyMarkdown(reading: Reading): Promise<void> {
    const said = reading.notes.length ? `Copied with ${plural(reading.notes.length, 'footnote')}` : 'Copied as Markdown';
    this.#copied(await copyText(markdownAnswer(reading.turn.view, reading.notes)), said);
  }

  /** Fetches the ledger of an answer that came without one. */
  async ledger(turn: RunStore): Promise<void> {
    if (turn.view.ledger.length) return;
    const ledger = await this.#api.ledger(turn.id).catch(() => null);
    if (ledger) turn.view = { ...turn.view, ledger };
  }

  async outside(source: string): Promise<void> {
    await this.#try(() => this.#api.openSource(source));
  }

  async link(href: string): Promise<void> {
    await this.#try(() => this.#api.openExternal(href));
  }

  /** Whoever opens a passage while a question is on its way goes on reading there. */
  async #begin(ask: () => Promise<string>): Promise<void> {
    const opened = this.#opened;
    const run = await ask();
    const elsewhere = this.#opened !== opened;
    if (!elsewhere) this.reading = run;
    this.#host.asked(run, elsewhere);
  }

  #copied(done: boolean, said: string): void {
    this.#host.say(done ? said : texts.app.noClipboard);
  }

  async #try(act: () => Promise<unknown>): Promise<boolean> {
    try {
      await act();
      return true;
    } catch (error) {
      this.#host.sayFault(error);
      return false;
    }
  }
}
