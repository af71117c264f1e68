import { expect, it } from 'vitest';
import { notebookTexts } from './texts-notebooks';

it('says of how many files a sentence stands there, of those that were looked at', () => {
  const { of } = notebookTexts.about;
  expect([of(6, 15, 6), of(6, 15, 4), of(3, 3, 3), of(3, 3, 2)]).toEqual(['6 newest of 15 files', '4 of the 6 newest of 15 files', '3 files', '2 of 3 files']);
});
