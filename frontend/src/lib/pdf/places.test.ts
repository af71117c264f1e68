// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { boxesOf } from './boxes';
import { cornersOf, type Run, widthsOf } from './places';

/** Widths of Helvetica. */
const helvetica = new Map([['i', 222], ['l', 222], ['m', 833], ['s', 500], [' ', 278], ['a', 556]]);
const run = (str: string, more: Partial<Run> = {}): Run => {
  const width = [...str].reduce((sum, letter) => sum + (helvetica.get(letter) ?? 0), 0) / 100;
  return { str, dir: 'ltr', transform: [10, 0, 0, 10, 100, 700], width, height: 10, widths: helvetica, ...more };
};
const across = (one: Run, start: number, end: number): number[] => {
  const [[left], [right]] = cornersOf(one, { piece: 0, start, end });
  return [left, right].map((x) => Math.round(100 * x) / 100);
};

describe('cornersOf', () => {
  it('places letters by the widths of their font, not by their number', () => {
    expect(across(run('illi mama'), 5, 9)).toEqual([100 + 8.88 + 2.78, 100 + 8.88 + 2.78 + 27.78]);
    expect(across(run('illi mama', { dir: 'rtl' }), 0, 4)).toEqual([100 + 2.78 + 27.78, 100 + 8.88 + 2.78 + 27.78]);
  });

  it('gives what a line was stretched by to its blanks', () => {
    const stretched = run('il il mm', { width: 33.1 });
    expect(across(stretched, 3, 5)).toEqual([108.22, 112.66]);
    expect(across(stretched, 6, 8)).toEqual([116.44, 133.1]);
  });

  it('widens all letters where the blanks alone cannot have it', () => {
    expect(across(run('ii ii', { width: 200 }), 0, 1)).toEqual([100, 138.08]); // 200 × 222 / 1166
    expect(across(run('iiii', { width: 40 }), 1, 2)).toEqual([110, 120]);
  });

  it('runs down where it is written from above', () => {
    const corners = cornersOf({ str: '灯台', dir: 'ttb', transform: [10, 0, 0, 10, 100, 700], width: 0, height: 20 }, { piece: 0, start: 1, end: 2 });
    expect(corners.map(([x, y]) => [Math.round(x), Math.round(y)])).toEqual([[105, 690], [105, 680], [95, 680], [95, 690]]);
  });
});

describe('widthsOf', () => {
  it('reads them by letter, also of fonts whose letters are named by number', () => {
    expect([...widthsOf({ widths: { 65: 600 }, defaultWidth: 500, toUnicode: { _map: Object.assign([], { 65: 'A', 66: 'B' }) } })]).toEqual([['A', 600], ['B', 500]]);
    expect([...widthsOf({ widths: { 7: 640 }, toUnicode: { _map: [undefined, 'x'] }, cMap: { _map: [undefined, 7] } })]).toEqual([['x', 640]]);
    expect([...widthsOf(undefined), ...widthsOf({ toUnicode: { firstChar: 0 } })]).toEqual([]);
  });
});

describe('boxesOf', () => {
  it('joins what stands on one line, in percent of the page', () => {
    const view = { width: 1000, height: 1000, convertToViewportPoint: (x: number, y: number) => [x, 1000 - y] };
    const second = run('lili', { transform: [10, 0, 0, 10, 112, 700] });
    const [box, ...more] = boxesOf(view, [run('ill'), second], [{ piece: 0, start: 0, end: 3 }, { piece: 1, start: 0, end: 4 }], 'said');
    expect([box?.left, box?.width, box?.text, more.length]).toEqual([10, expect.closeTo(2.088), 'said', 0]);
  });
});
