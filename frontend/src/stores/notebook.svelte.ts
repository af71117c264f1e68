/** One notebook on screen: a collection with its threads and notes. */
import { backend, type Collection, Fault, type LibraryApi, type NewNote, type Note, type NotesApi, type ThreadInfo, type ThreadsApi } from '../api';

export type NotebookPort = Pick<LibraryApi, 'collections' | 'putCollection'> & NotesApi & Pick<ThreadsApi, 'threads'>;

export class OpenNotebook {
  view = $state.raw<Collection | null>(null);
  threads = $state.raw<ThreadInfo[]>([]);
  notes = $state.raw<Note[]>([]);
  fault = $state.raw<Fault | null>(null);
  readonly #api: NotebookPort;
  #id = '';

  constructor(api: NotebookPort = backend) {
    this.#api = api;
  }

  async open(id: string): Promise<void> {
    if (id !== this.#id) Object.assign(this, { view: null, threads: [], notes: [], fault: null });
    this.#id = id;
    try {
      const [all, threads, notes] = await Promise.all([this.#api.collections(), this.#api.threads({ collection: id, limit: 200 }), this.#api.notes(id)]);
      if (id !== this.#id) return;
      this.view = all.find((one) => one.id === id) ?? null;
      this.threads = threads.items;
      this.notes = notes;
      this.fault = null;
    } catch (error) {
      if (id === this.#id) this.fault = Fault.of(error);
    }
  }

  rename(name: string): Promise<boolean> {
    return this.#change({ name });
  }

  /** Puts files, by id, and folders, by path, into it. */
  add(files: string[], folders: string[]): Promise<boolean> {
    const has = this.view;
    if (!has) return Promise.resolve(false);
    return this.#change({ files: [...has.files.map((file) => file.id), ...files], folders: [...has.folders, ...folders] });
  }

  /** Takes a file, by id, or a folder, by path, out of it. */
  takeOut(member: string): Promise<boolean> {
    const has = this.view;
    if (!has) return Promise.resolve(false);
    return this.#change({ files: has.files.map((file) => file.id).filter((id) => id !== member), folders: has.folders.filter((path) => path !== member) });
  }

  /** Writes a note; false when it was refused. */
  async write(note: NewNote): Promise<boolean> {
    return this.#try(async () => {
      const made = await this.#api.addNote(this.#id, note);
      this.notes = [made, ...this.notes];
    });
  }

  async rewrite(id: string, text: string): Promise<boolean> {
    return this.#try(async () => {
      const changed = await this.#api.changeNote(id, text);
      this.notes = this.notes.map((note) => (note.id === id ? changed : note));
    });
  }

  /** Takes a note off the page; the caller erases it, or puts it back. */
  drop(note: Note): { erase: () => Promise<void>; back: () => void } {
    const before = this.notes;
    this.notes = before.filter((one) => one.id !== note.id);
    return {
      erase: () => this.#api.removeNote(note.id),
      back: () => {
        if (!this.notes.some((one) => one.id === note.id)) this.notes = [...this.notes, note].sort((a, b) => b.made.localeCompare(a.made));
      },
    };
  }

  #change(change: { name?: string; files?: string[]; folders?: string[] }): Promise<boolean> {
    const { view } = this;
    if (!view) return Promise.resolve(false);
    return this.#try(async () => {
      this.view = await this.#api.putCollection({ id: view.id, ...change });
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
}
