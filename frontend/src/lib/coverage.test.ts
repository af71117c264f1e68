// @vitest-environment node
import { describe, expect, it } from 'vitest';
import type { FileInfo } from '../api/types';
import { coverageParts, coverageWords, nextStep } from './coverage';
import { texts } from './texts';

const { next } = texts.library;
const file = (given: Partial<FileInfo>): FileInfo => ({
  id: 'fil_1', name: 'a.pdf', path: '/a.pdf', status: 'ready', reason: '', pages: 0, pages_read: 0, pages_empty: 0, garbled: 0, truncated: false, read_as: '', answer: false,
  chunks: 1, topics: [], bytes: 1, modified: '', indexed: '', digest: '', ...given,
});

describe('what was read of a file', () => {
  it('sums to the whole bar, whatever was read', () => {
    const files = [file({}), file({ pages: 12, pages_read: 12, garbled: 0.34 }), file({ pages: 2, pages_read: 1, pages_empty: 1 }), file({ status: 'waiting' })];
    for (const each of files) expect(coverageParts(each).reduce((sum, part) => sum + part.share, 0)).toBeCloseTo(1);
    expect(coverageParts(file({ status: 'failed' }))).toEqual([]);
  });

  it('names pages, scans, garbled text and a missing end', () => {
    expect(coverageWords(file({ pages: 2, pages_read: 1, pages_empty: 1 }))).toBe('1 of 2 pages, 1 scan');
    expect(coverageWords(file({ pages: 12, pages_read: 12, garbled: 0.34, truncated: true }))).toBe('12 of 12 pages, 34 % garbled, the end is missing');
    expect(coverageWords(file({ status: 'failed', reason: 'It is damaged.' }))).toBe('It is damaged.');
    expect(coverageWords(file({ read_as: 'iso-8859-2' }))).toBe('All text, characters doubtful');
    expect(coverageWords(file({ answer: true }))).toBe('All text, a saved answer');
  });
});

describe('what helps', () => {
  it('fits what is missing', () => {
    expect(nextStep(file({ status: 'partial', pages_empty: 1 }))).toBe(next.scan);
    expect(nextStep(file({ status: 'partial', garbled: 0.3 }))).toBe(next.garbled);
    expect(nextStep(file({ status: 'failed', reason: 'Encrypted, so it cannot be read.' }))).toBe(next.locked);
    expect(nextStep(file({ status: 'failed', reason: 'It is damaged.' }))).toBe(next.failed);
    expect(nextStep(file({ status: 'away' }))).toBe(next.away);
    expect(nextStep(file({ read_as: 'iso-8859-2' }))).toBe(next.readAs('iso-8859-2'));
    expect(nextStep(file({ answer: true }))).toBe(next.savedAnswer);
    expect(nextStep(file({}))).toBe('');
  });

  it('is not said twice', () => {
    expect(nextStep(file({ status: 'failed', reason: 'The PDF is protected with a password. Save a copy without it to have it read.' }))).toBe('');
  });
});
