/** Answers that are kept fresh: which they are, and what open windows hear of their checks. */
import { backend, Fault, type KeptFresh, type LibraryApi, type LibraryEventBodies, type RunsApi } from '../api';

export type FreshNews = LibraryEventBodies['fresh'];
export type FreshPort = Pick<LibraryApi, 'libraryEvents'> & Pick<RunsApi, 'freshList' | 'keepFresh' | 'dropFresh'>;

const settleMs = 300;
const lately = (kept: KeptFresh): string => kept.tried ?? kept.checked ?? '';

export class FreshStore {
  /** Grows with each check that began or ended. */
  news = $state(0);
  /** Threads that were spoken of last. */
  threads = $state.raw<ReadonlySet<string>>(new Set());
  /** All of them, those looked at last first; null until they are read. */
  kept = $state.raw<KeptFresh[] | null>(null);
  fault = $state.raw<Fault | null>(null);

  readonly #api: FreshPort;
  #heard = new Set<string>();
  #settle: ReturnType<typeof setTimeout> | undefined;

  constructor(api: FreshPort) {
    this.#api = api;
  }

  /** Listens until the returned function is called. */
  watch(): () => void {
    const leave = this.#api.libraryEvents((event) => event.kind === 'fresh' && this.#hear(event.body));
    return () => {
      clearTimeout(this.#settle);
      this.#settle = undefined;
      leave();
    };
  }

  async load(): Promise<void> {
    await this.#try(async () => {
      this.kept = (await this.#api.freshList()).sort((a, b) => lately(b).localeCompare(lately(a)));
    });
  }

  /** Keeps an answer fresh no longer; true when that is so. */
  drop(one: KeptFresh): Promise<boolean> {
    return this.#try(async () => {
      await this.#api.dropFresh(one.run);
      this.kept = (this.kept ?? []).filter((kept) => kept.run !== one.run);
    });
  }

  /** Keeps an answer fresh as before: one that was dropped, or given up. */
  again({ run, every_ms, on_change }: KeptFresh): Promise<boolean> {
    return this.#try(async () => {
      await this.#api.keepFresh(run, { every_ms, on_change });
      await this.load();
    });
  }

  async #try(act: () => Promise<void>): Promise<boolean> {
    try {
      await act();
      this.fault = null;
      return true;
    } catch (error) {
      this.fault = Fault.of(error);
      return false;
    }
  }

  #hear(body: FreshNews): void {
    this.#heard.add(body.thread);
    this.#settle ??= setTimeout(() => {
      this.#settle = undefined;
      this.threads = this.#heard;
      this.#heard = new Set();
      this.news += 1;
    }, settleMs); // a stream that is joined tells what was before
  }
}

export const fresh = new FreshStore(backend);
