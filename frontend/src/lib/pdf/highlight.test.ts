// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { highlightOf } from './highlight';
import type { Run } from './places';

const run = (more: Partial<Run> = {}): Run => ({ str: '0123456789', dir: 'ltr', transform: [10, 0, 0, 10, 100, 700], width: 50, height: 10, ...more });

describe('highlightOf', () => {
  it('lies over the words it is of, with what they prove', () => {
    const made = highlightOf([run()], [{ piece: 0, start: 2, end: 6 }], 3, 'It is so.');
    expect(made).toMatchObject({ pageIndex: 3, popup: { contents: 'It is so.' } });
    expect(made.rect.map((n) => Math.round(n * 100) / 100)).toEqual([110, 697.8, 130, 708.5]);
    expect(made.quadPoints.map(Math.round)).toEqual([110, 709, 130, 709, 110, 698, 130, 698]);
  });

  it('follows letters that are turned, and those that are read from the right', () => {
    const turned = highlightOf([run({ transform: [0, 10, -10, 0, 100, 700] })], [{ piece: 0, start: 0, end: 10 }], 0, '');
    expect(turned.rect.map(Math.round)).toEqual([92, 700, 102, 750]);
    const right = highlightOf([run({ dir: 'rtl' })], [{ piece: 0, start: 0, end: 2 }], 0, '');
    expect([right.rect[0], right.rect[2]].map((n) => Math.round(n ?? 0))).toEqual([140, 150]);
  });

  it('has a shape for each line', () => {
    const made = highlightOf([run(), run({ transform: [10, 0, 0, 10, 100, 686] })], [{ piece: 0, start: 5, end: 10 }, { piece: 1, start: 0, end: 4 }], 0, '');
    expect([made.outlines.length, made.quadPoints.length]).toEqual([2, 16]);
  });
});
