import { expect, it } from 'vitest';
import { fold } from '../../lib/fold';
import { logs } from '../../lib/testdata/logs';
import { emptyView } from '../../lib/view';
import { alsoBegins, alsoFound, cardsOf } from './cards';

it('gives no number to what proves nothing, and says so once', () => {
  const view = logs.answered.reduce(fold, emptyView(''));
  const cards = cardsOf(view, [], null);
  expect(cards.length).toBeGreaterThan(1);
  expect(cards.every((card) => alsoFound(view, card))).toBe(true);
  expect(cards.map((_, i) => alsoBegins(view, cards, i))).toEqual(cards.map((_, i) => i === 0));
  const nothing = { ...view, outcome: 'no-evidence' } as typeof view;
  expect(cards.every((card) => alsoFound(nothing, card))).toBe(true);
  expect(cards.some((_, i) => alsoBegins(nothing, cards, i))).toBe(false);
});
