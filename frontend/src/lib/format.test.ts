// @vitest-environment node
import { describe, expect, it } from 'vitest';
import type { FileInfo } from '../api/types';
import { flatten } from '../api/settings';
import { coverageParts, coverageWords } from './coverage';
import { dayGroup } from './dates';
import { about, apart, baseName, bytes, folderOf, nameBeside, plural, wholesOf } from './format';
import { marked } from './marks';
import { place } from './place';
import { type Field, readValue, settingsParts, writeValue } from './settings-parts';

describe('nameBeside', () => {
  it('names the file where its title does not', () => {
    expect(nameBeside('Skerry Point lighthouse: visitor guide', '/sample/Visitor guide.md')).toBe('Visitor guide.md');
    expect([nameBeside('Visitor guide.md', '/sample/Visitor guide.md'), nameBeside('Visitor guide', 'C:\\sample\\Visitor guide.md'), nameBeside('A', '')]).toEqual(['', '', '']);
  });
});

describe('numbers and names', () => {
  it('read as people write them', () => {
    expect([bytes(0), bytes(999), bytes(1640), bytes(212_000_000), bytes(5.2e9)]).toEqual(['0 B', '999 B', '1.6 KB', '212 MB', '5.2 GB']);
    expect([plural(1, 'file'), plural(3310, 'file')]).toEqual(['1 file', '3,310 files']);
    expect([about(400), about(40_000), about(120_000), about(7_200_000)]).toEqual(['about 1 second', 'about 40 seconds', 'about 2 minutes', 'about 2 hours']);
  });

  it('tell files of one name apart by their folders, and say none where the name is enough', () => {
    const file = (path: string) => ({ title: baseName(path), path });
    expect(apart([file('/srv/vim/copyright'), file('/srv/git/copyright'), file('/srv/git/news.md')])).toEqual(['srv › vim', 'srv › git', '']);
    expect(apart([file('/srv/vim/copyright'), file('/srv/vim/copyright')])).toEqual(['', '']);
  });

  it('offer folders one by one, and what stands in none together', () => {
    const roots = [{ path: '/a/Vault', folder: true }, { path: '/z/one.pdf', folder: false }, { path: '/z/two.pdf', folder: false }];
    const singles = (n: number): string => `${n} files`;
    expect(wholesOf(roots, singles).map(({ label, paths }) => [label, ...paths])).toEqual([['Vault', '/a/Vault'], ['2 files', '/z/one.pdf', '/z/two.pdf']]);
    expect(wholesOf(roots.slice(0, 2), singles).map(({ label }) => label)).toEqual(['Vault', 'one.pdf']);
    expect(wholesOf(roots.slice(0, 1), singles)).toHaveLength(1);
  });

  it('take paths of any system apart', () => {
    expect(baseName('/home/ann/a.pdf')).toBe('a.pdf');
    expect(baseName('C:\\Users\\Ann\\a.pdf')).toBe('a.pdf');
    expect(folderOf('/home/ann/Household/House/Boiler/a.pdf', ['/home/ann', '/home/ann/Household'])).toBe('House › Boiler');
    expect(folderOf('/srv/x/y/z/a.pdf', [])).toBe('y › z');
    expect(folderOf('/data/uploads/7490d50b3d5f9d61/a.pdf', ['/data/uploads'])).toBe('');
    expect(folderOf('/data/uploads/7490d50b3d5f9d61/a.pdf', [])).toBe('data › uploads');
    expect(folderOf('/srv/7490d50b3d5f9d61/a.pdf', ['/srv'])).toBe('7490d50b3d5f9d61');
  });

  it('groups days by the calendar, also over a change of the clocks', () => {
    const now = new Date(2026, 2, 30, 12);
    expect(dayGroup(new Date(2026, 2, 30, 0, 1).toISOString(), now)).toBe('today');
    expect(dayGroup(new Date(2026, 2, 29, 23, 59).toISOString(), now)).toBe('yesterday');
    expect(dayGroup(new Date(2026, 2, 24, 1).toISOString(), now)).toBe('week');
    expect(dayGroup(new Date(2026, 2, 23, 23).toISOString(), now)).toBe('older');
  });
});

describe('marks', () => {
  it('cut by code points and lose no text', () => {
    expect(marked('a😀b', [[1, 2]])).toEqual([{ text: 'a', hit: false }, { text: '😀', hit: true }, { text: 'b', hit: false }]);
    for (const marks of [[[0, 99]], [[2, 1]], [[0, 2], [1, 3]], []] as [number, number][][]) {
      expect(marked('abc', marks).map((p) => p.text).join('')).toBe('abc');
    }
  });
});

describe('coverage', () => {
  const file = (change: Partial<FileInfo>): FileInfo => ({
    id: '', name: '', path: '', status: 'ready', reason: '', pages: 0, pages_read: 0, pages_empty: 0, garbled: 0, truncated: false, read_as: '', answer: false, chunks: 0,
    topics: [], bytes: 0, modified: '', indexed: '', digest: '', ...change,
  });

  it('never shows more or less than the whole file', () => {
    for (const f of [file({}), file({ pages: 3, pages_read: 1, pages_empty: 1, garbled: 0.9 }), file({ status: 'waiting' }), file({ truncated: true })]) {
      expect(coverageParts(f).reduce((sum, p) => sum + p.share, 0)).toBeCloseTo(1, 1);
    }
    expect(coverageParts(file({ status: 'failed' }))).toEqual([]);
  });

  it('says the count in words', () => {
    expect(coverageWords(file({ pages: 2, pages_read: 1, pages_empty: 1, status: 'partial' }))).toBe('1 of 2 pages, 1 scan');
    expect(coverageWords(file({ name: 'a.PPTX', pages: 9, pages_read: 8, pages_empty: 1, status: 'partial' }))).toBe('8 of 9 slides, 1 slide of pictures');
    expect(coverageWords(file({ name: 'a.ods', pages: 1, pages_read: 1 }))).toBe('1 of 1 sheet');
    expect(coverageWords(file({}))).toBe('All text');
    expect(coverageWords(file({ status: 'failed', reason: 'Encrypted, so it cannot be read.' }))).toBe('Encrypted, so it cannot be read.');
  });
});

describe('place', () => {
  const view = { width: 400, height: 300 };
  const anchor = (left: number, top: number) => ({ left, right: left + 40, top, bottom: top + 20 });

  it('goes below, and above where there is more room', () => {
    expect(place(anchor(10, 10), 100, 80, view)).toMatchObject({ top: 36, bottom: null });
    expect(place(anchor(10, 250), 100, 80, view)).toMatchObject({ top: null, bottom: 56 });
  });

  it('stays inside the window', () => {
    expect(place(anchor(380, 10), 200, 80, view).left).toBe(192);
    expect(place(anchor(0, 10), 200, 80, view, true).left).toBe(8);
  });
});

describe('settings', () => {
  const fields = Object.values(settingsParts).flatMap((p) => p.sections.flatMap((s) => s.fields as Field[]));
  const number = fields.find((f) => f.key === 'rank.max_passages')!;
  const list = fields.find((f) => f.key === 'web.engines')!;

  it('name every key once', () => {
    expect(new Set(fields.map((f) => f.key)).size).toBe(fields.length);
  });

  it('read what is typed into the kind of the field', () => {
    expect(readValue(number, ' 0,5 ')).toBe(0.5);
    expect(readValue(number, 'many')).toBeUndefined();
    expect(readValue(number, '')).toBeUndefined();
    expect(readValue(list, 'a, b,,')).toEqual(['a', 'b']);
    expect(writeValue(['a', 'b'])).toBe('a, b');
    expect(writeValue(null)).toBe('');
  });

  it('are flattened to section.key, lists kept whole', () => {
    expect(flatten({ web: { engines: ['a'], searxng: { url: '' } }, 'ui.theme': 'dark' })).toEqual({ 'web.engines': ['a'], 'web.searxng.url': '', 'ui.theme': 'dark' });
    expect(flatten(null)).toEqual({});
  });
});
