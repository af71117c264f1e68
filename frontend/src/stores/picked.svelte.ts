/** Files and folders that are ticked, and those handed to the box: the next question asks them alone. */
import type { Attachment } from './composer.svelte';

export class Picked {
  items = $state.raw<Attachment[]>([]);
  #handed: Attachment[] = [];
  #quote = '';

  has(id: string): boolean {
    return this.items.some((item) => item.id === id);
  }

  toggle(item: Attachment): void {
    this.items = this.has(item.id) ? this.items.filter(({ id }) => id !== item.id) : [...this.items, item];
  }

  /** Ticks all of these, or takes them all back when they are. */
  toggleAll(items: Attachment[]): void {
    const all = items.every(({ id }) => this.has(id));
    const others = this.items.filter(({ id }) => !items.some((item) => item.id === id));
    this.items = all ? others : [...others, ...items];
  }

  clear(): void {
    this.items = [];
  }

  /** Hands these, and words that are asked about, to the box that is opened next. */
  hand(items: Attachment[], quote = ''): void {
    this.#handed = items;
    this.#quote = quote;
    this.items = [];
  }

  /** The words that were handed over; a second call finds none. */
  takeQuote(): string {
    const quote = this.#quote;
    this.#quote = '';
    return quote;
  }

  /** What was handed over; a second call finds none. */
  take(): Attachment[] {
    const items = this.#handed;
    this.#handed = [];
    return items;
  }
}

export const picked = new Picked();
