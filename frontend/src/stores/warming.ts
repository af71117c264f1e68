/** Connections that are opened while a question is typed. */
import { backend, type Backend } from '../api';
import type { Composer, WebShut } from './composer.svelte';

const warmEvery = 20_000;

/** Has connections opened while a question is typed that may go out. */
export class Warming {
  #last = -Infinity;

  constructor(readonly api: Pick<Backend, 'warm'> = backend, readonly now: () => number = Date.now) {}

  typed({ text, asksWeb, model }: Pick<Composer, 'text' | 'asksWeb' | 'model'>, shut: WebShut | null): void {
    if (!asksWeb || shut || text.trim() === '' || this.now() - this.#last < warmEvery) return;
    this.#last = this.now();
    void this.api.warm(model).catch(() => {}); // a head start, and no more: asking tells what is wrong
  }
}

export const warming = new Warming();
