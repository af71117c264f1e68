// @vitest-environment node
import { expect, it } from 'vitest';
import { presetKeys, presetOf, presetValues } from './presets';

const news = { semantic: 0.25, keyword: 0.2, freshness: 0.4, authority: 0.15, k: 8 };

it('a set of weights goes into the settings and comes back', () => {
  const values = presetValues('news', news);
  expect(values['rank.presets.news.freshness']).toBe(0.4);
  expect(Object.keys(values)).toEqual(presetKeys('news'));
  expect(presetOf('news', values)).toEqual(news);
});

it('half a set is none', () => {
  expect(presetOf('news', { 'rank.presets.news.k': 8 })).toBeNull();
});
