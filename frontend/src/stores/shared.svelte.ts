/** Conversations that others show, and with whom one's own are shared. */
import { Fault, type SharingApi } from '../api';
import type { Share, Shared, Thread } from '../api/types';

export class SharedWithMe {
  items = $state.raw<Shared[]>([]);
  open = $state.raw<Thread | null>(null);
  loaded = $state(false);
  fault = $state.raw<Fault | null>(null);

  readonly #api: SharingApi;

  constructor(api: SharingApi) {
    this.#api = api;
  }

  async load(): Promise<void> {
    await this.#try(async () => (this.items = await this.#api.shared()));
    this.loaded = true;
  }

  /** Opens what is shown; what was taken back is gone from the screen too. */
  async show(id: string): Promise<void> {
    this.open = null;
    await this.#try(async () => (this.open = await this.#api.sharedThread(id)));
  }

  /** What a link shows; "" where it shows nothing. */
  async follow(secret: string): Promise<string> {
    return (await this.#try(() => this.#api.openShared(secret))) ?? '';
  }

  /** A copy of one's own; "" where there is none. */
  async copy(id: string): Promise<string> {
    return (await this.#try(() => this.#api.copyShared(id))) ?? '';
  }

  async #try<T>(act: () => Promise<T>): Promise<T | undefined> {
    this.fault = null;
    try {
      return await act();
    } catch (error) {
      this.fault = Fault.of(error);
      return undefined;
    }
  }
}

export class Shares {
  items = $state.raw<Share[]>([]);
  /** The secret of a link that was just made. */
  secret = $state('');
  fault = $state.raw<Fault | null>(null);

  readonly #api: SharingApi;
  readonly #thread: string;

  constructor(api: SharingApi, thread: string) {
    this.#api = api;
    this.#thread = thread;
  }

  load(): Promise<boolean> {
    return this.#change(async () => {});
  }

  /** Shares with a person or group, or by a link where there is no name. True when it is done. */
  give(name: string): Promise<boolean> {
    return this.#change(async () => {
      this.secret = (await this.#api.share(this.#thread, name)).secret ?? '';
    });
  }

  take(share: string): Promise<boolean> {
    return this.#change(async () => {
      await this.#api.unshare(this.#thread, share);
      this.secret = '';
    });
  }

  async #change(act: () => Promise<void>): Promise<boolean> {
    this.fault = null;
    try {
      await act();
      this.items = await this.#api.shares(this.#thread);
      return true;
    } catch (error) {
      this.fault = Fault.of(error);
      return false;
    }
  }
}
