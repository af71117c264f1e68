// @vitest-environment node
import { describe, expect, it } from 'vitest';
import type { TextBlock } from '../api/types';
import { colour, type List, numbered, structureOf } from './structure';

const text = 'Lamp 🗼\n\nFirst lit. Then dark.\n\none\ntwo goes on\n\nTicket  Price\nAdult  9.50\n\nfunc a()\n  b()';
const of = (kind: TextBlock['kind'], said: string, more: Partial<TextBlock> = {}): TextBlock => {
  const start = [...text.slice(0, text.indexOf(said))].length;
  return { kind, level: 0, line: 0, start, end: start + [...said].length, ...more };
};
const blocks = [
  of('heading', 'Lamp 🗼', { level: 1 }), of('paragraph', 'First lit.'), of('paragraph', 'Then dark.'), of('list', 'one'), of('list', 'two'), of('list', 'goes on'),
  of('row', 'Ticket  Price'), of('row', 'Adult  9.50'), of('code', 'func a()', { line: 12 }), of('code', '  b()', { line: 13 }),
];
const plain = (some: { text: string }[]): string => some.map((piece) => piece.text).join('');

describe('structureOf', () => {
  it('has headings, paragraphs, items, rows and code as the file has them', () => {
    const [heading, words, list, table, code] = structureOf(text, 0, blocks, []);
    expect(heading).toEqual({ heading: [{ text: 'Lamp 🗼', marked: false }], level: 1 });
    expect(words && 'text' in words && plain(words.text)).toBe('First lit. Then dark.');
    expect(list && 'lists' in list && list.lists[0]?.items.map((item) => item.text.map(plain))).toEqual([['one'], ['two goes on']]);
    expect(table && 'rows' in table && table.rows.map((row) => row.map(plain))).toEqual([['Ticket', 'Price'], ['Adult', '9.50']]);
    expect(code && 'code' in code && numbered(code.code, code.line).map((line) => [line.n, plain(line.pieces)])).toEqual([[12, 'func a()'], [13, '  b()']]);
  });

  it('marks what goes on over lines as one, in a paragraph and in an item', () => {
    const from = (said: string): number => [...text.slice(0, text.indexOf(said))].length;
    const parts = structureOf(text, 0, blocks, [{ start: from('lit.'), end: from('dark.') }, { start: from('wo goes'), end: from(' on') + 3 }]);
    const pieces = parts.flatMap((part) => ('text' in part ? part.text : 'lists' in part ? part.lists.flatMap((list) => list.items.flatMap((item) => item.text.flat())) : []));
    expect(pieces.filter((piece) => piece.marked).map((piece) => piece.text)).toEqual(['lit. Then ', 'wo goes on']);
  });

  it('keeps what is marked, also across blocks, and loses no text', () => {
    const start = [...text.slice(0, text.indexOf('dark'))].length;
    const marked = structureOf(text, 0, blocks, [{ start, end: start + 10 }]);
    expect(marked.flatMap((part) => ('text' in part ? part.text : 'lists' in part ? part.lists.flatMap((list) => list.items.flatMap((item) => item.text.flat())) : [])).filter((piece) => piece.marked).map((piece) => piece.text)).toEqual(['dark.', 'one']);
    const bare = structureOf('before\n\ninside\n\nafter', 100, [{ kind: 'heading', level: 2, line: 0, start: 108, end: 114 }], []);
    expect(bare.map((part) => ('text' in part ? plain(part.text).trim() : 'heading' in part ? plain(part.heading) : ''))).toEqual(['before', 'inside', 'after']);
  });
});

describe('lists and quotations', () => {
  const said = 'three\ninner\nfour\nmore\n• own\n\nsaid\n\nplain';
  const at = (kind: TextBlock['kind'], words: string, more: Partial<TextBlock> = {}): TextBlock => ({ kind, level: 0, line: 0, start: said.indexOf(words), end: said.indexOf(words) + words.length, ...more });
  const shown = (lists: List[]): unknown => lists.map((list) => [list.ordered, list.items.map((item) => [item.number, item.bare, item.text.map(plain), shown(item.lists)])]);

  it('numbers items, nests them, and keeps what goes on', () => {
    const parts = structureOf(said, 0, [
      at('list', 'three', { level: 1, ordered: true, number: 3 }), at('list', 'inner', { level: 2 }), at('list', 'four', { level: 1, ordered: true, number: 4 }),
      at('list', 'more', { level: 1, ordered: true, number: 4, goes_on: true }), at('list', '• own'), at('paragraph', 'said', { quoted: 1 }), at('paragraph', 'plain'),
    ], []);
    expect(parts[0] && 'lists' in parts[0] && shown(parts[0].lists)).toEqual([
      [true, [[3, false, ['three'], [[false, [[0, false, ['inner'], []]]]]], [4, false, ['four', 'more'], []]]],
      [false, [[0, true, ['• own'], []]]],
    ]);
    expect(parts.slice(1).map((part) => ['text' in part && plain(part.text), part.quoted])).toEqual([['said', 1], ['plain', undefined]]);
  });

  it('draws no second mark before an item whose text has its own', () => {
    const bare = (words: string): boolean => {
      const [part] = structureOf(words, 0, [{ kind: 'list', level: 1, line: 0, start: 0, end: words.length }], []);
      return part !== undefined && 'lists' in part && (part.lists[0]?.items[0]?.bare ?? false);
    };
    expect(['– a', '(c) rent', '1.1 Owner', 'XIV. Term', '12) b'].map(bare)).toEqual([true, true, true, true, true]);
    expect(['Owner', 'Mix. well', '3 eggs', 'A lamp', '. dot'].map(bare)).toEqual([false, false, false, false, false]);
  });

  it('shows an item whose list began before the stretch', () => {
    const [part] = structureOf('deep', 0, [{ kind: 'list', level: 3, line: 0, start: 0, end: 4, goes_on: true }], []);
    expect(part && 'lists' in part && shown(part.lists)).toEqual([[false, [[0, true, ['deep'], []]]]]);
  });
});

describe('colour', () => {
  const tokens = [{ text: 'func', role: 'keyword' }, { text: ' a(', role: '' }, { text: ')', role: 'punctuation' }];

  it('cuts what is marked where a token ends, and loses nothing', () => {
    expect(colour([{ text: 'fu', marked: false }, { text: 'nc a', marked: true }, { text: '()', marked: false }], tokens)).toEqual([
      { text: 'fu', marked: false, role: 'keyword' }, { text: 'nc', marked: true, role: 'keyword' }, { text: ' a', marked: true, role: '' },
      { text: '(', marked: false, role: '' }, { text: ')', marked: false, role: 'punctuation' },
    ]);
  });

  it('is plain where there are no tokens, or fewer than text', () => {
    expect(colour([{ text: 'x y', marked: false }], [])).toEqual([{ text: 'x y', marked: false, role: '' }]);
    expect(colour([{ text: 'func x', marked: false }], tokens.slice(0, 1)).map((part) => part.text)).toEqual(['func', ' x']);
  });
});
