/** A thread on screen: its runs in order, the running ones followed. */
import { Fault, type RunsApi, type ThreadsApi } from '../api/backend';
import type { Ask, FreshWish, Models, Mode, Standing, Versions } from '../api/types';
import { type Rhythm, standingOf, wishOf } from '../lib/fresh';
import { RunStore } from './run.svelte';

/** What a conversation asks of the backend. */
export type ConversationPort = Pick<RunsApi, 'ask' | 'follow' | 'stop' | 'answerNow' | 'retry' | 'refresh' | 'ledger' | 'keepFresh' | 'dropFresh'> & Pick<ThreadsApi, 'thread' | 'seenThread'>;

export class Conversation {
  readonly id: string;
  title = $state('');
  type = $state('chat');
  turns = $state.raw<RunStore[]>([]);
  /** The notebook that it belongs to, by id. */
  within = $state('');
  /** Turns that other threads ask in another way. */
  versions = $state.raw<Versions[]>([]);
  /** Kept in memory only. */
  private = $state(false);
  /** Answers that are kept fresh. */
  fresh = $state.raw<Standing[]>([]);
  loaded = $state(false);
  fault = $state.raw<Fault | null>(null);

  readonly #api: ConversationPort;
  #closed = false;

  constructor(api: ConversationPort, id: string) {
    this.#api = api;
    this.id = id;
  }

  /** Loads the thread. A run that has just been asked is followed at once, before the thread is there. */
  async load(runId?: string): Promise<void> {
    if (runId && !this.#turn(runId)) this.#follow(runId, '');
    const before = this.turns;
    try {
      const thread = await this.#api.thread(this.id);
      if (this.#closed) return;
      this.title = thread.title;
      this.type = thread.type;
      this.private = thread.private ?? false;
      const told = thread.runs.map((run) => this.#turn(run.id) ?? RunStore.of(this.#api, run));
      // What was asked since the thread was asked for is not in it yet.
      this.turns = [...told, ...this.turns.filter((turn) => !before.includes(turn) && !told.includes(turn))];
      this.within = thread.collection ?? '';
      this.versions = thread.versions ?? [];
      this.fresh = thread.fresh ?? [];
      this.fault = null;
      if (thread.unseen) await this.#api.seenThread(this.id);
    } catch (error) {
      this.fault = Fault.of(error);
    }
    this.loaded = true;
  }

  get last(): RunStore | undefined {
    return this.turns.at(-1);
  }

  get running(): RunStore | undefined {
    return this.turns.findLast((turn) => turn.running);
  }

  /** Asks the next question of the thread. */
  async ask(question: Ask): Promise<string> {
    const asked = await this.#api.ask({ ...question, thread: this.id });
    this.#follow(asked.run, question.question);
    return asked.run;
  }

  /** Asks a question of the thread again. */
  async again(run: RunStore, change: { mode?: Mode; models?: Partial<Models> } = {}): Promise<string> {
    const asked = await this.#api.retry(run.id, change);
    this.#follow(asked.run, run.view.question);
    return asked.run;
  }

  /** Looks whether an answer of the thread still holds. */
  async refresh(run: RunStore): Promise<string> {
    const asked = await this.#api.refresh(run.id);
    this.#follow(asked.run, run.view.question);
    return asked.run;
  }

  /** How an answer is kept fresh; null: not at all. */
  standing(run: RunStore): Standing | null {
    return standingOf(this.fresh, run.id, (id) => this.#turn(id)?.view.answer?.diff?.run) ?? null;
  }

  /** Whether no later answer refreshes one. */
  newest(run: RunStore): boolean {
    return !this.turns.some((turn) => turn.view.answer?.diff?.run === run.id);
  }

  /** Has an answer checked from time to time, or not any more. */
  async keepFresh(run: RunStore, rhythm: Rhythm): Promise<void> {
    const before = this.standing(run);
    if (rhythm === 'off') {
      if (before) await this.#api.dropFresh(before.run);
      this.fresh = this.fresh.filter((s) => s !== before);
      return;
    }
    await this.#keep(before?.run ?? run.id, wishOf(rhythm));
  }

  /** Has an answer checked again that was given up. */
  async freshAgain(run: RunStore): Promise<void> {
    const before = this.standing(run);
    if (before) await this.#keep(before.run, { every_ms: before.every_ms, on_change: before.on_change });
  }

  async #keep(id: string, wish: FreshWish): Promise<void> {
    const kept = await this.#api.keepFresh(id, wish);
    this.fresh = [...this.fresh.filter((s) => s.run !== kept.run), kept];
  }

  /** Stops following; the runs go on. */
  close(): void {
    this.#closed = true;
    for (const turn of this.turns) turn.close();
  }

  #turn(id: string): RunStore | undefined {
    return this.turns.find((turn) => turn.id === id);
  }

  #follow(id: string, question: string): void {
    const store = new RunStore(this.#api, id, question);
    this.turns = [...this.turns, store];
    store.follow();
  }
}
