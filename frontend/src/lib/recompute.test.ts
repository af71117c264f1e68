// @vitest-environment node
import { describe, expect, it } from 'vitest';
import type { Candidate, Scores } from '../api/types';
import { agreeing, composite, moves, sound } from './recompute';

const weights = { semantic: 0.4, keyword: 0.25, freshness: 0.15, authority: 0.2 };
const scores: Scores = { semantic: 0.82, keyword: 0.74, freshness: 0.5, authority: 0.7, composite: 0.728 };

describe('a score computed again', () => {
  it('is the weighted sum of its parts', () => expect(composite(scores, weights)).toBeCloseTo(0.728, 6));

  it('scales the other weights when a part does not exist', () => {
    expect(composite({ ...scores, semantic: null }, weights)).toBeCloseTo((0.25 * 0.74 + 0.15 * 0.5 + 0.2 * 0.7) / 0.6, 6);
    expect(composite({ semantic: null, keyword: null, freshness: null, authority: null, composite: null }, weights)).toBeNull();
  });

  it('counts the candidates whose shown sum is the computed one', () => {
    const candidates = [{ scores }, { scores: { ...scores, composite: 0.9 } }] as Candidate[];
    expect(agreeing(candidates, weights)).toBe(1);
  });
});

it('weights are sound when they are shares of one', () => {
  expect(sound(weights)).toBe(true);
  expect(sound({ ...weights, authority: 0.3 })).toBe(false);
  expect(sound({ semantic: 1.2, keyword: -0.2, freshness: 0, authority: 0 })).toBe(false);
});

it('a passage that came anew stood nowhere', () => {
  const moved = moves([{ passage: 'a', n: 1 }, { passage: 'b', n: 2 }], [{ passage: 'b', n: 1 }, { passage: 'c', n: 2 }]);
  expect([...moved]).toEqual([['b', 2], ['c', 0]]);
});
