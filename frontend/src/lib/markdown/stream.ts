/**
 * A text that grows, drawn block by block. Blocks that can no longer change are
 * parsed once and kept; only the tail is parsed again. When the text is complete
 * the result equals that of a full parse.
 */
import type { Token } from 'marked';
import { Guard } from './guard';
import { lex, normalise } from './lex';
import { escapeExact, renderBlock, type Claim, type Context, type Mark } from './render';
import { sanitize } from './sanitize';
import { settle } from './tail';

export type { Claim, Mark } from './render';

/** One drawn block. `html` is safe to put into the page. */
export interface Block {
  /** Position among the blocks; the same block keeps it. */
  id: number;
  html: string;
}

/** A drawn text: its blocks and the markers in it, in order. */
export interface Drawn {
  blocks: Block[];
  marks: Mark[];
}

/** How a text is drawn. */
export interface DrawOptions {
  /** More text may follow. */
  growing: boolean;
  claims: readonly Claim[];
  known: (n: number) => boolean;
}

interface Kept {
  token: Token;
  base: number;
  key: string;
  html: string;
  marks: Mark[];
}

/** Blocks at the end that later text may still change. */
const unsettled = 3;
const plainChunk = 8192;

/** Draws a growing text. One instance for one text. */
export class StreamRenderer {
  #text = '';
  #guard = new Guard();
  #kept: Kept[] = [];
  #keptTo = 0;
  #plain: Block[] = [];
  #tail = new Map<string, Kept>();

  /** Draws the text. If it does not continue the one before, everything is drawn anew. */
  draw(source: string, options: DrawOptions): Drawn {
    const text = normalise(source);
    if (!text.startsWith(this.#text)) this.#reset();
    this.#text = text;
    if (this.#guard.heavy(text)) return { blocks: this.#drawPlain(text), marks: [] };
    const out: Kept[] = [];
    this.#advance(text);
    let mark = 0;
    for (const kept of this.#kept) {
      this.#refresh(kept, mark, options);
      mark += kept.marks.length;
      out.push(kept);
    }
    out.push(...this.#drawTail(text, mark, options));
    return {
      blocks: out.map((kept, id) => ({ id, html: kept.html })),
      marks: out.flatMap((kept) => kept.marks),
    };
  }

  #reset(): void {
    this.#guard = new Guard();
    this.#kept = [];
    this.#keptTo = 0;
    this.#plain = [];
    this.#tail.clear();
  }

  /** Moves blocks that can no longer change out of the tail. */
  #advance(text: string): void {
    const tokens = lex(text.slice(this.#keptTo));
    const blocks = tokens.filter((token) => token.type !== 'space').length;
    let settled = blocks - unsettled;
    if (settled <= 0 || !covers(tokens, text.length - this.#keptTo)) return;
    let pending: Kept[] = [];
    let base = this.#keptTo;
    for (const token of tokens) {
      if (token.type === 'space') {
        this.#kept.push(...pending);
        this.#keptTo = base + token.raw.length;
        pending = [];
        if (settled <= 0) return;
      } else if (settled-- > 0) {
        pending.push({ token, base, key: '', html: '', marks: [] });
      }
      base += token.raw.length;
    }
  }

  #drawTail(text: string, firstMark: number, options: DrawOptions): Kept[] {
    const tail = text.slice(this.#keptTo);
    const shown = options.growing ? settle(tail) : tail;
    const before = this.#tail;
    this.#tail = new Map();
    const out: Kept[] = [];
    let base = this.#keptTo;
    let mark = firstMark;
    for (const token of lex(shown)) {
      if (token.type !== 'space') {
        const name = `${base}:${token.raw}`;
        const kept = before.get(name) ?? { token, base, key: '', html: '', marks: [] };
        this.#refresh(kept, mark, options);
        this.#tail.set(name, kept);
        mark += kept.marks.length;
        out.push(kept);
      }
      base += token.raw.length;
    }
    return out;
  }

  /** Draws a block again when its claims or its numbers have changed. */
  #refresh(kept: Kept, firstMark: number, options: DrawOptions): void {
    const end = kept.base + kept.token.raw.length;
    const claims = options.claims.filter((claim) => claim.start < end && claim.end > kept.base);
    const known = [...new Set(numbers(kept.token.raw))].filter(options.known);
    const key = `${firstMark}|${known.join()}|${claims.map((c) => `${c.id}:${c.start}-${c.end}`).join()}`;
    if (kept.key === key) return;
    const context: Context = { source: kept.token.raw, base: kept.base, claims, known: options.known, firstMark };
    const { html, marks } = renderBlock(kept.token, context);
    Object.assign(kept, { key, html: sanitize(html), marks });
  }

  #drawPlain(text: string): Block[] {
    const whole = Math.floor(text.length / plainChunk);
    for (let i = this.#plain.length; i < whole; i++) this.#plain.push(plainBlock(text, i));
    return text.length % plainChunk ? [...this.#plain, plainBlock(text, whole)] : [...this.#plain];
  }
}

/** Draws a complete text in one go. */
export function drawWhole(source: string, options: Omit<DrawOptions, 'growing'>): Drawn {
  return new StreamRenderer().draw(source, { ...options, growing: false });
}

function plainBlock(text: string, i: number): Block {
  const chunk = text.slice(i * plainChunk, (i + 1) * plainChunk);
  return { id: i, html: `<span class="plain">${escapeExact(chunk)}</span>` };
}

function covers(tokens: Token[], length: number): boolean {
  return tokens.reduce((sum, token) => sum + token.raw.length, 0) === length;
}

function* numbers(raw: string): Generator<number> {
  for (const match of raw.matchAll(/\[(\d{1,3})\]/g)) yield Number(match[1]);
}
