import { describe, expect, it, vi } from 'vitest';
import type { SearchResult } from '../api';
import { nothingFound } from '../lib/testdata/fake';
import { texts } from '../lib/texts';
import { TypeAhead } from './type-ahead.svelte';

describe('TypeAhead', () => {
  it('asks for nothing short, nothing that is a command, and shows the last answer', async () => {
    const search = { searchLibrary: vi.fn(async (q: string) => ({ ...nothingFound, total: q.length })) };
    const ahead = new TypeAhead(search, 0);
    await ahead.look('ab');
    await ahead.look('/files');
    expect(search.searchLibrary).not.toHaveBeenCalled();
    let late: (r: SearchResult) => void = () => {};
    search.searchLibrary.mockImplementationOnce(() => new Promise((resolve) => (late = resolve)));
    const first = ahead.look('boil');
    await ahead.look('boiler');
    late({ ...nothingFound, total: 99 });
    await first;
    expect(ahead.total).toBe(6);
  });

  it('says where there are more than were looked for', async () => {
    const ahead = new TypeAhead({ searchLibrary: async (q: string) => ({ ...nothingFound, total: q === 'the boiler' ? 200 : 3, more: q === 'the boiler' }) }, 0);
    await ahead.look('the boiler');
    expect(texts.composer.hitsTotal(ahead.total, ahead.more)).toBe('200 passages and more in your files');
    await ahead.look('boilers');
    expect(texts.composer.hitsTotal(ahead.total, ahead.more)).toBe('3 passages in your files');
  });

  it('looks for two signs of a script whose words are as short', async () => {
    const search = { searchLibrary: vi.fn(async (q: string) => ({ ...nothingFound, total: q.length })) };
    const ahead = new TypeAhead(search, 0);
    for (const text of ['灯', 'башня'.slice(0, 2), '灯台', '등대', 'タワ']) await ahead.look(text);
    expect(search.searchLibrary.mock.calls.map(([query]) => query)).toEqual(['灯台', '등대', 'タワ']);
  });

  it('lists each file once, with its best passage', async () => {
    const hit = (file: string, passage: string) => ({ file, passage }) as SearchResult['items'][number];
    const items = [hit('a', '1'), hit('a', '2'), hit('b', '3'), hit('a', '4'), hit('c', '5'), hit('d', '6'), hit('e', '7'), hit('f', '8')];
    const ahead = new TypeAhead({ searchLibrary: async () => ({ ...nothingFound, total: 8, items }) }, 0);
    await ahead.look('boiler');
    expect([ahead.hits.map(({ passage }) => passage), ahead.total]).toEqual([['1', '3', '5', '6', '7'], 8]);
  });

  it('asks once for what was typed at one go', async () => {
    vi.useFakeTimers();
    const search = { searchLibrary: vi.fn(async (q: string) => ({ ...nothingFound, total: q.length })) };
    const ahead = new TypeAhead(search);
    const text = 'how high is the tower';
    for (let n = 1; n <= text.length; n++) {
      void ahead.look(text.slice(0, n));
      await vi.advanceTimersByTimeAsync(40);
    }
    expect(search.searchLibrary).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(40);
    expect(search.searchLibrary.mock.calls.map(([query]) => query)).toEqual([text]);
    expect(ahead.total).toBe(text.length);
    vi.useRealTimers();
  });
});
