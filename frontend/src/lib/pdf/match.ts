/**
 * Finds a quote among the pieces of text of a page. Extraction and page differ
 * in blanks, hyphens, ligatures and the order of columns, so only letters and
 * digits are compared, and a quote may be found in several stretches. Pure.
 */

/** A part of one piece of text, in UTF-16 units. */
export interface Hit {
  piece: number;
  start: number;
  end: number;
}

/** What is looked for: the words, and the words that stand before them. */
export interface Quote {
  text: string;
  before: string;
}

/** Letters and digits of a page in a row, with the place of each. */
export interface Letters {
  text: string;
  piece: number[];
  from: number[];
  to: number[];
}

const blockLeast = 12;
const enough = 0.6;
/** A quote shorter than this stands in many places: the words before it must agree. */
const short = 24;
const agree = 8;

/** The letters of some pieces of text. */
export function lettersOf(pieces: readonly string[]): Letters {
  const out: Letters = { text: '', piece: [], from: [], to: [] };
  const parts: string[] = [];
  pieces.forEach((piece, n) => {
    let at = 0;
    for (const char of piece) {
      const plain = plainOf(char);
      for (let i = 0; i < plain.length; i++) {
        out.piece.push(n);
        out.from.push(at);
        out.to.push(at + char.length);
      }
      parts.push(plain);
      at += char.length;
    }
  });
  out.text = parts.join('');
  return out;
}

function plainOf(text: string): string {
  return text.normalize('NFKD').toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

/** Where a quote stands on a page; none when too little of it is there. */
export function findQuote(page: Letters, quote: Quote): Hit[] {
  const wanted = plainOf(quote.text);
  if (!wanted) return [];
  const whole = nearest(page.text, wanted, plainOf(quote.before));
  const found = whole >= 0 ? [{ at: whole, length: wanted.length }] : blocksOf(page.text, wanted);
  const covered = found.reduce((sum, block) => sum + block.length, 0);
  return covered >= wanted.length * enough ? found.flatMap((block) => hitsOf(page, block.at, block.at + block.length)) : [];
}

/** Of several places, the one before which the same words stand. */
function nearest(text: string, wanted: string, before: string): number {
  let best = -1;
  let most = -1;
  const least = wanted.length < short ? Math.min(agree, before.length) : 0;
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    let same = 0;
    while (same < before.length && text[at - 1 - same] === before[before.length - 1 - same]) same++;
    if (same > most && same >= Math.min(least, at)) [best, most] = [at, same];
  }
  return best;
}

/** The longest stretches of a quote that stand on the page, from its front to its end. */
function blocksOf(text: string, wanted: string): { at: number; length: number }[] {
  const blocks: { at: number; length: number }[] = [];
  for (let i = 0; i + blockLeast <= wanted.length; ) {
    let at = text.indexOf(wanted.slice(i, i + blockLeast));
    if (at < 0) {
      i++;
      continue;
    }
    let length = blockLeast;
    for (let longer = at; longer >= 0 && i + length < wanted.length; ) {
      longer = text.indexOf(wanted.slice(i, i + length + 1), at);
      if (longer >= 0) [at, length] = [longer, length + 1];
    }
    blocks.push({ at, length });
    i += length;
  }
  return blocks;
}

function hitsOf(page: Letters, start: number, end: number): Hit[] {
  const hits: Hit[] = [];
  for (let i = start; i < end; i++) {
    const piece = page.piece[i] ?? 0;
    const last = hits.at(-1);
    if (last?.piece === piece) last.end = page.to[i] ?? last.end;
    else hits.push({ piece, start: page.from[i] ?? 0, end: page.to[i] ?? 0 });
  }
  return hits;
}
