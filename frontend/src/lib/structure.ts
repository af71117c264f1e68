/** A text as its file has it: headings, lists, tables and code, with what is marked in them. Pure. */
import type { Range, TextBlock } from '../api/types';
import { type Piece, pieces, unitsOf } from './codepoints';
import { type Block, linesOf } from './layout';

/** A part of a text as it is shown; code begins at a line of its file, 0 where that is not known. */
export type Part = (Block | { heading: Piece[]; level: number } | { lists: List[] } | { code: Piece[]; line: number; language: string }) & { quoted?: number };

export interface List {
  ordered: boolean;
  items: Item[];
}

/** An item of a list: its paragraphs, then the lists inside it. */
export interface Item {
  number: number;
  /** No mark is drawn before it: its text has one, or it goes on from an item further up. */
  bare: boolean;
  text: Piece[][];
  lists: List[];
}

/** Parts a stretch that begins at `origin` by its blocks; what lies between them is running text. */
export function structureOf(text: string, origin: number, blocks: readonly TextBlock[], ranges: readonly Range[]): Part[] {
  const at = unitsOf(text);
  const between = (start: number, end: number): string => text.slice(at(start - origin), at(end - origin));
  const cut = (start: number, end: number): Piece[] => pieces(between(start, end), ranges, start);
  const parts: Part[] = [];
  let done = origin;
  let kind = '';
  for (const block of blocks) {
    if (block.end <= done) continue;
    const gap = between(done, block.start);
    if (gap.trim()) {
      parts.push({ text: cut(done, block.start) });
      kind = '';
    }
    const same = block.kind === kind && (parts.at(-1)?.quoted ?? 0) === (block.quoted ?? 0);
    const on = same && goesOn(kind, gap);
    put(parts, block, cut(on ? done : Math.max(done, block.start), block.end), on, same);
    if (block.quoted) parts.at(-1)!.quoted = block.quoted;
    done = block.end;
    kind = block.kind;
  }
  const rest = text.slice(at(done - origin));
  if (rest.trim()) parts.push({ text: pieces(rest, ranges, done) });
  return parts;
}

/** A block goes on after what parts the lines of one, or at the edge of a stretch. */
const goesOn = (kind: string, gap: string): boolean => gap === '' || gap === ' ' || (gap === '\n' && (kind === 'code' || kind === 'paragraph'));

/** What is marked on both sides of the end of a line is one mark, without a seam. */
function goOn(pieces: Piece[], some: readonly Piece[]): void {
  const last = pieces.at(-1);
  const [first, ...rest] = some;
  if (!last || !first || last.marked !== first.marked) pieces.push(...some);
  else pieces.splice(-1, 1, { text: last.text + first.text, marked: last.marked }, ...rest);
}

function put(parts: Part[], block: TextBlock, some: Piece[], on: boolean, same: boolean): void {
  const last = same ? parts.at(-1) : undefined;
  if (block.kind === 'heading') {
    if (on && last && 'heading' in last) goOn(last.heading, some);
    else parts.push({ heading: some, level: block.level || 2 });
  } else if (block.kind === 'list') {
    if (last && 'lists' in last) putItem(last.lists, block, some, on);
    else {
      const lists: List[] = [];
      putItem(lists, block, some, false);
      parts.push({ lists });
    }
  } else if (block.kind === 'row') {
    const rows = linesOf(some).map((line) => line.cells);
    if (last && 'rows' in last) last.rows.push(...rows);
    else parts.push({ rows });
  } else if (block.kind === 'code') {
    if (on && last && 'code' in last && last.language === (block.language ?? '')) goOn(last.code, some);
    else parts.push({ code: some, line: block.line, language: block.language ?? '' });
  } else if (on && last && 'text' in last) goOn(last.text, some);
  else parts.push({ text: some });
}

/** The mark that the text of an item begins with by itself. */
const ownMark = /^\s*([-*+•‣◦▪–—·]|\(?\p{N}{1,3}([.]\p{N}{1,3})*[.)]|\(?\p{L}[.)]|\(?(?=[ivx])x{0,3}(ix|iv|v?i{0,3})[.)]|\p{N}{1,3}([.]\p{N}{1,3})+)\s/iu;

function putItem(lists: List[], block: TextBlock, some: Piece[], on: boolean): void {
  let into = lists;
  for (let depth = Math.max(block.level, 1); depth > 1; depth--) {
    const last = into.at(-1)?.items.at(-1);
    if (!last) break;
    into = last.lists;
  }
  const item = on || block.goes_on ? into.at(-1)?.items.at(-1) : undefined;
  if (item && on) goOn(item.text.at(-1)!, some);
  else if (item) item.text.push(some);
  else {
    const ordered = block.ordered ?? false;
    if (into.at(-1)?.ordered !== ordered) into.push({ ordered, items: [] });
    const bare = block.goes_on === true || (!ordered && ownMark.test(some.map((piece) => piece.text).join('')));
    into.at(-1)?.items.push({ number: block.number ?? 0, bare, text: [some], lists: [] });
  }
}

/** The lines of code, each with its number. */
export const numbered = (code: readonly Piece[], line: number): { n: number; pieces: Piece[] }[] =>
  linesOf(code).map((one, i) => ({ n: Math.max(line, 1) + i, pieces: one.pieces }));

/** A piece of code, with the role that its colour tells. */
export interface Coloured extends Piece {
  role: string;
}

/** Cuts the pieces of a line where its tokens meet. Both have the same text. */
export function colour(line: readonly Piece[], tokens: readonly { text: string; role: string }[]): Coloured[] {
  const out: Coloured[] = [];
  let t = 0;
  let used = 0;
  for (const { text, marked } of line) {
    for (let at = 0; at < text.length; ) {
      const token = tokens[t];
      const length = Math.min(token ? token.text.length - used : Infinity, text.length - at);
      if (length > 0) out.push({ text: text.slice(at, at + length), marked, role: token?.role ?? '' });
      at += length;
      used += length;
      if (token && used >= token.text.length) [t, used] = [t + 1, 0];
    }
  }
  return out;
}
