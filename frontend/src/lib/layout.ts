/** How the text of a source is laid out: running text, code, or rows of cells. Pure. */
import type { TextBlock } from '../api/types';
import type { Piece } from './codepoints';

export type Layout = 'prose' | 'code' | 'table';

const tables = /^text\/(csv|tab-separated-values)$|spreadsheet|ms-excel/;
const code = /^text\/x-|^text\/(javascript|css|x?sql|yaml|toml)|^application\/(json|xml|x?yaml|toml|javascript|typescript|x-(sh|yaml|toml|ipynb|httpd-php|python|ruby|perl))/;
const codeNames = /\.(go|py|js|mjs|cjs|ts|tsx|jsx|java|kt|rs|c|h|cc|cpp|hpp|cs|rb|php|sh|bash|sql|swift|scala|lua|pl|r|jl|css|scss|json|jsonl|xml|ya?ml|toml|ini|cfg|conf|proto|tf|gradle|svelte|vue)$/i;

/**
 * Chosen by what the source is and by its name. XML may be a book, and a notebook
 * holds text beside its code: what was read of them as more than code is to be read.
 */
export function layoutOf(mediaType: string, name: string, blocks: readonly TextBlock[] = []): Layout {
  if (tables.test(mediaType)) return 'table';
  if (!code.test(mediaType) && !codeNames.test(name)) return 'prose';
  return blocks.some((block) => block.kind !== 'code') ? 'prose' : 'code';
}

/** Whether Footnote wrote a source: an answer that was saved as a note. */
export const isSavedAnswer = (mediaType: string): boolean => mediaType === 'text/markdown; variant=Footnote';

/** A part of a text: running text, or rows of cells. */
export type Block = { text: Piece[] } | { rows: Piece[][][] };

const gap = /\t| {2,}/;

/**
 * Parts a marked text into running text and tables. Cells stand two blanks
 * apart; lines are a table where at least two in a row have as many cells, or,
 * in a text that is a table as a whole, wherever there are several cells.
 */
export function blocksOf(pieces: readonly Piece[], whole: boolean): Block[] {
  const lines = linesOf(pieces);
  const count = (n: number): number => lines[n]?.cells.length ?? 0;
  const row = (n: number): boolean => count(n) > 1 && (whole || count(n - 1) === count(n) || count(n + 1) === count(n));
  const blocks: Block[] = [];
  lines.forEach((line, n) => {
    const last = blocks.at(-1);
    if (row(n)) {
      if (last && 'rows' in last && row(n - 1) && (whole || count(n - 1) === count(n))) last.rows.push(line.cells);
      else blocks.push({ rows: [line.cells] });
    } else if (last && 'text' in last) last.text.push({ text: '\n', marked: false }, ...line.pieces);
    else blocks.push({ text: [...line.pieces] });
  });
  return blocks.map(trimmed).filter((block) => 'rows' in block || block.text.length > 0);
}

interface Line {
  pieces: Piece[];
  cells: Piece[][];
}

export function linesOf(pieces: readonly Piece[]): Line[] {
  const lines: Line[] = [{ pieces: [], cells: [[]] }];
  for (const { text, marked } of pieces) {
    text.split('\n').forEach((part, l) => {
      if (l > 0) lines.push({ pieces: [], cells: [[]] });
      const line = lines.at(-1)!;
      if (part) line.pieces.push({ text: part, marked });
      part.split(gap).forEach((cell, c) => {
        if (c > 0) line.cells.push([]);
        if (cell) line.cells.at(-1)?.push({ text: cell, marked });
      });
    });
  }
  return lines;
}

/** Running text without the empty lines at its ends, which set it off from a table. */
function trimmed(block: Block): Block {
  if ('rows' in block) return block;
  const blank = (piece: Piece): boolean => piece.text === '\n';
  const first = block.text.findIndex((piece) => !blank(piece));
  return { text: first < 0 ? [] : block.text.slice(first, block.text.findLastIndex((piece) => !blank(piece)) + 1) };
}
