/** The files of the library, read slice by slice as the reader scrolls. */
import type { FileInfo, Page } from '../api';

/** Reads the slice that begins after a cursor; "" is the beginning. */
export type ReadSlice = (after: string) => Promise<Page<FileInfo>>;

interface Slice {
  after: string;
  items: FileInfo[];
}

export class FileList {
  #slices = $state.raw<Slice[]>([]);
  next = $state.raw<string | null>(null);
  /** True once something was read, even if it was nothing. */
  loaded = $state(false);

  readonly rows: FileInfo[] = $derived.by(() => this.#slices.flatMap((slice) => slice.items));

  readonly #read: ReadSlice;
  #turn = 0;
  #reading = false;

  constructor(read: ReadSlice) {
    this.#read = read;
  }

  /** Begins again at the top. */
  async restart(): Promise<void> {
    const turn = ++this.#turn;
    this.#reading = false;
    const page = await this.#read('');
    if (turn !== this.#turn) return;
    this.#slices = [{ after: '', items: page.items }];
    this.next = page.next;
    this.loaded = true;
  }

  /** Reads the slice below what is there. */
  async more(): Promise<void> {
    const { next } = this;
    if (next === null || this.#reading) return;
    const turn = this.#turn;
    this.#reading = true;
    try {
      const page = await this.#read(next);
      if (turn !== this.#turn) return;
      this.#slices = [...this.#slices, { after: next, items: page.items }];
      this.next = page.next;
    } finally {
      if (turn === this.#turn) this.#reading = false;
    }
  }

  /** Reads the slices of rows `first` to `last` again; nothing else moves. */
  async refresh(first: number, last: number): Promise<void> {
    if (!this.loaded) return this.restart();
    let begin = 0;
    for (const slice of this.#slices) {
      const end = begin + slice.items.length;
      if (begin <= last && Math.max(end, begin + 1) > first) await this.#again(slice.after);
      begin = end;
    }
  }

  /** Changes a file where it is shown. */
  patch(id: string, change: Partial<FileInfo>): void {
    this.#slices = this.#slices.map((slice) =>
      slice.items.some((file) => file.id === id)
        ? { ...slice, items: slice.items.map((file) => (file.id === id ? { ...file, ...change } : file)) }
        : slice,
    );
  }

  async #again(after: string): Promise<void> {
    const turn = this.#turn;
    const page = await this.#read(after);
    const at = this.#slices.findIndex((slice) => slice.after === after);
    if (turn !== this.#turn || at < 0) return;
    const fresh = { after, items: page.items };
    const below = this.#slices[at + 1];
    if (below ? below.after === page.next : page.next === this.next) {
      this.#slices = this.#slices.with(at, fresh);
      return;
    }
    // Files came or went: what is below is read again when it comes into view.
    this.#turn++;
    this.#reading = false;
    this.#slices = [...this.#slices.slice(0, at), fresh];
    this.next = page.next;
  }
}
