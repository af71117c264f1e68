import { describe, expect, it } from 'vitest';
import { rowsIn } from './windowed';

const heightOf = (drawn: ReturnType<typeof rowsIn>, row: number): number => drawn.before + (drawn.last - drawn.first) * row + drawn.after;

describe('rowsIn', () => {
  it('draws a few dozen rows of ten thousand, wherever one is', () => {
    for (const top of [0, 1234, 150_000, 369_000]) {
      const drawn = rowsIn({ top, height: 700 }, 37, 10_000);
      expect(drawn.last - drawn.first).toBeLessThan(50);
      expect(heightOf(drawn, 37)).toBe(370_000);
      expect(drawn.first * 37).toBeLessThanOrEqual(top);
      expect(drawn.last * 37).toBeGreaterThanOrEqual(Math.min(370_000, top + 700));
    }
  });

  it('counts a row that is open, above, in and below the view', () => {
    const tall = { index: 50, by: 200 };
    const whole = 1000 * 37 + 200;
    for (const top of [0, 1900, 20_000]) {
      const drawn = rowsIn({ top, height: 700 }, 37, 1000, tall);
      const open = tall.index >= drawn.first && tall.index < drawn.last ? tall.by : 0;
      expect(heightOf(drawn, 37) + open).toBe(whole);
    }
  });

  it('draws all of a short list and nothing of none', () => {
    expect(rowsIn({ top: 0, height: 700 }, 37, 5)).toEqual({ first: 0, last: 5, before: 0, after: 0 });
    expect(rowsIn({ top: 90, height: 700 }, 37, 0)).toEqual({ first: 0, last: 0, before: 0, after: 0 });
  });

  it('draws nothing of a list that is far below', () => {
    expect(rowsIn({ top: -5000, height: 700 }, 28, 500)).toEqual({ first: 0, last: 0, before: 0, after: 14_000 });
  });

  it('never loses the end when the list has become shorter', () => {
    const drawn = rowsIn({ top: 50_000, height: 700 }, 37, 20);
    expect(drawn.last).toBe(20);
  });
});
