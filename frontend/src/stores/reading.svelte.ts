/** A reader in front of one answer: its drawn text, its notes, what is pointed at and what is lit. */
import { claimsOf, notesOf, type Note } from '../lib/footnotes';
import { mayHoldMath } from '../lib/markdown/math';
import { StreamRenderer, type Drawn } from '../lib/markdown/stream';
import { loadMath } from '../lib/markdown/typeset';
import type { RunStore } from './run.svelte';

const hoverDelay = 150;
const leaveDelay = 180;

export class Reading {
  readonly turn: RunStore;
  readonly #renderer = new StreamRenderer();
  /** Badge whose card is lit. */
  lit = $state<number | null>(null);
  /** Badge under the pointer or the focus: its claim is lit. */
  pointed = $state<number | null>(null);
  /** Badge whose peek is open, and where it stands. */
  peek = $state.raw<{ k: number; badge: HTMLElement } | null>(null);
  /** Steps are folded out. */
  steps = $state(false);

  readonly drawn: Drawn = $derived.by(() => this.#draw());
  readonly notes: Note[] = $derived.by(() => notesOf(this.turn.view, this.drawn.marks));
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(turn: RunStore) {
    this.turn = turn;
  }

  /** What is lit in the text: the pointed badge with its claim, else the lit one while its passage is `held` open. */
  litIn(held: boolean): { badge: number | null; claim: string } {
    const badge = this.pointed ?? (held ? this.lit : null);
    return { badge, claim: badge === null ? '' : this.notes[badge]?.claim ?? '' };
  }

  /** The pointer or the focus came to a badge. The peek waits a moment, unless one is open already. */
  point(k: number, badge: HTMLElement, now: boolean): void {
    clearTimeout(this.#timer);
    this.pointed = k;
    const show = (): void => {
      this.peek = { k, badge };
    };
    if (now || this.peek) show();
    else this.#timer = setTimeout(show, hoverDelay);
  }

  /** The pointer came to the peek itself. */
  stay(): void {
    clearTimeout(this.#timer);
  }

  /** The pointer or the focus left; the peek closes unless either comes back at once. */
  leave(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.hush(), leaveDelay);
  }

  /** Closes the peek. Gives whether one was open. */
  hush(): boolean {
    clearTimeout(this.#timer);
    const open = this.peek !== null;
    this.peek = null;
    this.pointed = null;
    return open;
  }

  /** The badge that the `n`-th number of the reader means: the first that wears it. */
  firstOf(n: number): Note | undefined {
    return this.notes.find((note) => note.shown === n);
  }

  /** The badge before (-1) or after (+1) another one, round and round. */
  next(from: number | null, by: 1 | -1): number | null {
    const count = this.notes.length;
    if (count === 0) return null;
    if (from === null) return by > 0 ? 0 : count - 1;
    return (from + by + count) % count;
  }

  #draw(): Drawn {
    const { view } = this.turn;
    if (mayHoldMath(view.text)) void loadMath().catch(() => {}); // without it a formula stays as its source
    const numbers = new Set(view.sources.map((source) => source.n));
    return this.#renderer.draw(view.text, {
      growing: view.status === 'running' && !view.checked,
      claims: claimsOf(view),
      known: (n) => numbers.has(n),
    });
  }
}
