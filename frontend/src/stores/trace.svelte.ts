/** How one run went: its stages, its ranking, and the same ranking under other weights. */
import { Fault, type RunsApi } from '../api/backend';
import type { Replay, Replayed, Trace } from '../api/types';

export class TraceStore {
  trace = $state.raw<Trace | null>(null);
  replayed = $state.raw<Replayed | null>(null);
  fault = $state.raw<Fault | null>(null);
  /** A ranking is being computed. */
  busy = $state(false);

  readonly #api: Pick<RunsApi, 'trace' | 'replay'>;
  readonly #run: string;
  #asked = false;

  constructor(api: Pick<RunsApi, 'trace' | 'replay'>, run: string) {
    this.#api = api;
    this.#run = run;
  }

  /** Fetches the trace once. A run without one has its events to show, so nothing is said then. */
  async load(): Promise<void> {
    if (this.#asked) return;
    this.#asked = true;
    this.trace = await this.#api.trace(this.#run).catch(() => null);
  }

  /** Ranks again in another way and keeps both orders to be compared. */
  async replay(change: Replay): Promise<void> {
    this.busy = true;
    this.fault = null;
    try {
      this.replayed = await this.#api.replay(this.#run, change);
    } catch (error) {
      this.fault = Fault.of(error);
    }
    this.busy = false;
  }
}
