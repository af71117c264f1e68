/** Named sets of files and folders. */
import { backend, type Collection, type CollectionChange, Fault, type LibraryApi } from '../api';

export class Collections {
  items = $state.raw<Collection[]>([]);
  /** Why the last change was refused. */
  fault = $state.raw<Fault | null>(null);

  readonly #api: Pick<LibraryApi, 'collections' | 'putCollection' | 'removeCollection'>;

  constructor(api: Pick<LibraryApi, 'collections' | 'putCollection' | 'removeCollection'>) {
    this.#api = api;
  }

  /** Reads them; without them questions are asked all the same. */
  async load(): Promise<void> {
    this.items = await this.#api.collections().catch(() => this.items);
  }

  /** Stores a collection; false when it was refused. */
  async put(change: CollectionChange): Promise<boolean> {
    try {
      const kept = await this.#api.putCollection(change);
      const others = this.items.filter((one) => one.id !== kept.id);
      this.items = change.id ? this.items.map((one) => (one.id === kept.id ? kept : one)) : [...others, kept];
      this.fault = null;
      return true;
    } catch (error) {
      this.fault = Fault.of(error);
      return false;
    }
  }

  async remove(id: string): Promise<boolean> {
    try {
      await this.#api.removeCollection(id);
      this.items = this.items.filter((one) => one.id !== id);
      return true;
    } catch (error) {
      this.fault = Fault.of(error);
      return false;
    }
  }
}

export const collections = new Collections(backend);
