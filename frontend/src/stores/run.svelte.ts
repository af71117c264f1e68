/**
 * One run as it is shown: replays what has happened, then follows live. It
 * resumes by number, so an event is neither lost nor folded twice.
 */
import type { RunsApi, Unsubscribe } from '../api/backend';
import { Fault } from '../api/backend';
import type { Run } from '../api/types';
import { fold, viewOfRun } from '../lib/fold';
import { emptyView, type RunView } from '../lib/view';

/** What a run store asks of the backend. */
export type RunPort = Pick<RunsApi, 'follow' | 'stop' | 'answerNow' | 'ledger'>;

const tick = 200;

export class RunStore {
  readonly id: string;
  view = $state.raw<RunView>(emptyView(''));
  /** Why following ended early; null while all is well. */
  fault = $state.raw<Fault | null>(null);
  /** The program's clock, ticking while the run goes on. */
  now = $state(0);
  /** Stop or Answer now has been pressed and not yet had its effect. */
  asked = $state<'' | 'stop' | 'answer-now'>('');

  readonly #api: RunPort;
  #following: Unsubscribe | null = null;
  #timer: ReturnType<typeof setInterval> | undefined;
  #ahead = 0;

  constructor(api: RunPort, id: string, question = '') {
    this.#api = api;
    this.id = id;
    this.view = emptyView(id, question);
    this.now = Date.now();
  }

  /** A store for a run of a thread: a running one is followed, an ended one shown as stored. */
  static of(api: RunPort, run: Run): RunStore {
    const store = new RunStore(api, run.id, run.question.question);
    if (run.status === 'running') store.follow();
    else store.view = viewOfRun(run);
    // Notes of a run that did not finish, what research went through and where nothing was found are kept in its events alone.
    const told = run.status === 'failed' || run.status === 'stopped' || run.question.mode === 'deep' || run.answer?.outcome === 'no-evidence';
    if (told && run.status !== 'running') store.replay();
    return store;
  }

  get running(): boolean {
    return this.view.status === 'running';
  }

  /** Follows the run from the last event that was folded in. */
  follow(): void {
    if (this.#following) return;
    this.fault = null;
    this.#timer = setInterval(() => (this.now = Date.now() + this.#ahead), tick);
    const unsubscribe = this.#api.follow(this.id, this.view.seq, (event) => this.#take(event), (fault) => this.#end(fault));
    if (this.fault || !this.running) unsubscribe();
    else this.#following = unsubscribe;
  }

  /** Fetches what an ended run went through, for its steps. */
  replay(): void {
    if (this.view.seq > 0 || this.#following) return;
    let view = emptyView(this.id, this.view.question);
    this.#api.follow(this.id, 0, (event) => (view = fold(view, event)), (fault) => {
      if (!fault) this.view = view;
    });
  }

  /** Stops following; the run itself goes on. */
  close(): void {
    this.#following?.();
    this.#following = null;
    clearInterval(this.#timer);
  }

  async stop(): Promise<void> {
    await this.#press('stop', () => this.#api.stop(this.id));
  }

  async answerNow(): Promise<void> {
    await this.#press('answer-now', () => this.#api.answerNow(this.id));
  }

  #take(event: Parameters<typeof fold>[1]): void {
    if (event.seq > this.view.seq + 1) return this.#resume();
    this.#ahead = Math.max(this.#ahead, Date.parse(event.at) - Date.now());
    this.view = fold(this.view, event);
    this.now = Date.now() + this.#ahead;
    if (!this.running) this.close();
  }

  /** An event is missing: asks again from the last one that came. */
  #resume(): void {
    this.close();
    queueMicrotask(() => this.follow());
  }

  #end(fault: Fault | null): void {
    this.close();
    this.fault = this.running ? fault ?? gone : null;
  }

  async #press(what: 'stop' | 'answer-now', act: () => Promise<void>): Promise<void> {
    if (this.asked === what) return;
    this.asked = what;
    try {
      await act();
    } catch (error) {
      this.asked = '';
      if (Fault.of(error).code !== 'already-ended') throw error;
    }
  }
}

const gone = new Fault({ code: 'interrupted', message: 'The connection to this run ended.', hint: 'Open the thread again.' });
