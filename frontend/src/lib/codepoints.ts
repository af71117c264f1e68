/**
 * Offsets on the wire count Unicode code points; JavaScript strings count UTF-16
 * units. These helpers convert between the two and cost nothing for text that
 * has no surrogate pairs.
 */
import type { Range } from '../api/types';

const surrogate = /[\ud800-\udfff]/;

/** The number of code points of a text. A lone surrogate counts as one. */
export function countPoints(text: string): number {
  if (!surrogate.test(text)) return text.length;
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** Makes a function from code-point offsets of a text to unit offsets; out-of-range offsets are clamped. */
export function unitsOf(text: string): (point: number) => number {
  if (!surrogate.test(text)) return (point) => clamp(point, text.length);
  const starts: number[] = [];
  let unit = 0;
  for (const char of text) {
    starts.push(unit);
    unit += char.length;
  }
  starts.push(unit);
  return (point) => starts[clamp(point, starts.length - 1)] ?? unit;
}

/** The part of a text between two code-point offsets. */
export function slicePoints(text: string, start: number, end: number): string {
  const at = unitsOf(text);
  return text.slice(at(start), at(end));
}

/** A piece of text that is inside a highlight or not. */
export interface Piece {
  text: string;
  marked: boolean;
}

/**
 * Cuts a text at highlight ranges. `origin` is the code-point offset at which
 * the text starts in the whole that the ranges speak of. Ranges may overlap,
 * touch, come in any order or lie outside.
 */
export function pieces(text: string, ranges: readonly Range[], origin = 0): Piece[] {
  const at = unitsOf(text);
  const sorted = ranges
    .map((r) => ({ start: at(r.start - origin), end: at(r.end - origin) }))
    .filter((r) => r.end > r.start)
    .sort((a, b) => a.start - b.start);
  const out: Piece[] = [];
  let done = 0;
  for (const { start, end } of sorted) {
    if (end <= done) continue;
    const from = Math.max(start, done);
    if (from > done) out.push({ text: text.slice(done, from), marked: false });
    const last = out.at(-1);
    if (last?.marked) last.text += text.slice(from, end);
    else out.push({ text: text.slice(from, end), marked: true });
    done = end;
  }
  if (done < text.length) out.push({ text: text.slice(done), marked: false });
  return out;
}

function clamp(value: number, max: number): number {
  return Math.min(Math.max(value, 0), max);
}
