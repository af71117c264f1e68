// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { findQuote, lettersOf } from './match';

const find = (pieces: string[], text: string, before = ''): string[] =>
  findQuote(lettersOf(pieces), { text, before }).map((hit) => pieces[hit.piece]?.slice(hit.start, hit.end) ?? '');

describe('findQuote', () => {
  it('finds a quote that runs over lines, hyphens and ligatures', () => {
    const page = ['The trust pays the ﬁrst 2,500 euro of each storm dam-', 'age and the rest is in-', 'sured.'];
    expect(find(page, 'first 2,500 euro of each storm damage')).toEqual(['ﬁrst 2,500 euro of each storm dam', 'age']);
  });

  it('takes the place before which the same words stand', () => {
    const page = ['Fire is covered. ', 'Theft is covered. ', 'Frost is covered.'];
    const hits = findQuote(lettersOf(page), { text: 'is covered', before: '… Frost ' });
    expect(hits).toEqual([{ piece: 2, start: 6, end: 16 }]);
  });

  it('takes a single word only where the words before it agree', () => {
    const page = ['Storm damage, and any other damage.'];
    expect(findQuote(lettersOf(page), { text: 'damage', before: 'and any other ' })).toEqual([{ piece: 0, start: 28, end: 34 }]);
    expect(findQuote(lettersOf(page), { text: 'damage', before: 'on the next page stands wilful ' })).toEqual([]);
    expect(find(['damage at the top of a page'], 'damage', 'whatever stood before')).toEqual(['damage']);
  });

  it('finds a quote whose parts the page interleaves with something else', () => {
    const page = ['Damage by waves to the landing and the', 'Page 2 of 12', 'causeway is not covered by this policy.'];
    expect(find(page, 'Damage by waves to the landing and the causeway is not covered')).toEqual([
      'Damage by waves to the landing and the', 'causeway is not covered',
    ]);
  });

  it('finds nothing where too little of the quote stands', () => {
    expect(find(['Damage by waves is another matter altogether.'], 'Damage by waves to the landing and the causeway is not covered')).toEqual([]);
    expect(find(['Anything'], ' – ')).toEqual([]);
  });

  it('counts units, also beyond the basic plane', () => {
    expect(find(['𝒳𝒳 the lens weighs', ' three tons'], 'lens weighs three')).toEqual(['lens weighs', ' three'.trim()]);
  });
});
