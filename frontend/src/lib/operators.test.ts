// @vitest-environment node
import { describe, expect, it } from 'vitest';
import type { Understood } from '../api/types';
import { chipsOf, onlyNarrows } from './operators';

const asked = (given: Partial<Understood>): Understood => ({ words: '', phrases: [], without: [], types: [], folders: [], ...given });

describe('what a search was understood as', () => {
  it('names each operator in words', () => {
    const all = asked({ words: 'tide', phrases: ['high water'], without: ['ferry'], types: ['pdf'], folders: ['Old house'], after: '2025-03-01T00:00:00Z' });
    expect(chipsOf(all)).toEqual(['“high water”', 'without ferry', 'type pdf', 'folder Old house', 'changed since 1 Mar 2025']);
    expect(chipsOf(asked({ words: 'tide' }))).toEqual([]);
    expect(chipsOf(undefined)).toEqual([]);
  });

  it('tells filters that find nothing alone', () => {
    expect(onlyNarrows(asked({ types: ['pdf'] }))).toBe(true);
    expect(onlyNarrows(asked({ words: 'tide', types: ['pdf'] }))).toBe(false);
    expect(onlyNarrows(asked({}))).toBe(false);
  });
});
