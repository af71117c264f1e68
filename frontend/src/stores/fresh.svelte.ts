/** Answers that are kept fresh: what open windows hear of their checks. */
import { backend, type LibraryApi, type LibraryEventBodies } from '../api';

export type FreshNews = LibraryEventBodies['fresh'];

const settleMs = 300;

export class FreshStore {
  /** Grows with each check that began or ended. */
  news = $state(0);
  /** Threads that were spoken of last. */
  threads = $state.raw<ReadonlySet<string>>(new Set());

  readonly #api: Pick<LibraryApi, 'libraryEvents'>;
  #heard = new Set<string>();
  #settle: ReturnType<typeof setTimeout> | undefined;

  constructor(api: Pick<LibraryApi, 'libraryEvents'>) {
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
