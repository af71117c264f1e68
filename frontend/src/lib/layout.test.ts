// @vitest-environment node
import { describe, expect, it } from 'vitest';
import type { TextBlock } from '../api/types';
import { type Block, blocksOf, layoutOf } from './layout';

describe('layoutOf', () => {
  it('knows tables and code by type and by name', () => {
    expect(layoutOf('text/csv', 'a.csv')).toBe('table');
    expect(layoutOf('text/plain', 'main.go')).toBe('code');
    expect(layoutOf('application/json', 'x')).toBe('code');
    expect(layoutOf('text/markdown', 'README.md')).toBe('prose');
    expect(layoutOf('application/pdf', 'a.pdf')).toBe('prose');
  });

  it('tells XML that is a book from XML that is data by what was read of it', () => {
    const block = (kind: TextBlock['kind']): TextBlock => ({ kind, start: 0, end: 1, level: 0, line: 1 }) as TextBlock;
    expect(layoutOf('application/xml', 'book.xml', [block('heading'), block('paragraph'), block('code')])).toBe('prose');
    expect(layoutOf('application/xml', 'data.xml', [block('code')])).toBe('code');
    expect(layoutOf('application/x-ipynb+json', 'tides.ipynb', [block('paragraph'), block('code')])).toBe('prose');
    expect(layoutOf('application/docbook+xml', 'book.dbk')).toBe('prose');
  });
});

const plain = (blocks: Block[]): unknown[] =>
  blocks.map((block) => ('rows' in block ? block.rows.map((row) => row.map((cell) => cell.map((piece) => piece.text).join('')))
    : block.text.map((piece) => piece.text).join('')));

describe('blocksOf', () => {
  it('keeps marks inside the cells of a row', () => {
    const pieces = [{ text: 'Gas  2025\nJan', marked: false }, { text: '  41', marked: true }];
    expect(blocksOf(pieces, true)).toEqual([{ rows: [
      [[{ text: 'Gas', marked: false }], [{ text: '2025', marked: false }]],
      [[{ text: 'Jan', marked: false }], [{ text: '41', marked: true }]],
    ] }]);
  });

  it('finds a table between paragraphs', () => {
    const text = 'Tickets\n\nTicket  Price\nAdult  9.50 euro\nChild  4.00 euro\n\nPay on the boat.\n\nCash only.';
    expect(plain(blocksOf([{ text, marked: false }], false))).toEqual([
      'Tickets', [['Ticket', 'Price'], ['Adult', '9.50 euro'], ['Child', '4.00 euro']], 'Pay on the boat.\n\nCash only.',
    ]);
  });

  it('takes a lone gap in running text for no table', () => {
    expect(plain(blocksOf([{ text: 'One.  Two.\nThree.\nA  b  c\nd', marked: false }], false))).toEqual(['One.  Two.\nThree.\nA  b  c\nd']);
  });

  it('loses no word', () => {
    const text = 'a  b\n\nc  d  e\nf  g  h\ni\n';
    for (const whole of [true, false]) {
      expect(plain(blocksOf([{ text, marked: false }], whole)).flat(3).join('').replace(/\s/g, '')).toBe('abcdefghi');
    }
  });
});
