import { render } from '@testing-library/svelte';
import { tick } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SearchHit, SearchResult } from '../../api/types';
import Found from './Found.svelte';

const found = (n: number): SearchResult => ({
  items: Array.from({ length: n }, (_, i) => ({ passage: `psg_${i}`, title: `a${i}`, path: `/docs/a${i}.txt`, snippet: 'lamp', marks: [] }) as unknown as SearchHit),
  total: n, more: false, took_ms: 1, understood: { words: '', phrases: [], without: [], types: [], folders: [] }, behind: null,
});

describe('Found', () => {
  it('says what cannot be found yet', () => {
    const given = { query: 'lamp', counted: null, roots: ['/docs'], chosen: '', onopen: () => {} };
    const { container } = render(Found, { ...given, found: { ...found(0), behind: { files: 2, passages: 0, rebuilding: false } } });
    expect(container.textContent).toContain('2 files still to be read');
  });

  it('names a heading beside the title only where it is another', () => {
    const hit = (heading: string): SearchResult => ({ ...found(1), items: [{ ...found(1).items[0]!, locator: { page: 0, line: 0, start: 0, end: 4, heading } }] });
    const given = { query: 'lamp', counted: null, roots: ['/docs'], chosen: '', onopen: () => {} };
    const place = (heading: string): string | null => render(Found, { ...given, found: hit(heading) }).container.querySelector('.place')!.textContent;
    expect([place('a0'), place('Lens')]).toEqual(['', 'Lens']);
  });

  it('says where there are more passages than were looked for', () => {
    const given = { query: 'lamp', counted: null, roots: ['/docs'], chosen: '', onopen: () => {} };
    expect(render(Found, { ...given, found: found(3) }).container.textContent).toContain('3 passages, under 10 ms');
    expect(render(Found, { ...given, found: { ...found(3), total: 200, more: true } }).container.textContent).toContain('200 passages and more, under 10 ms');
  });

  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('shows what fills a window at once, and the rest when the typing pauses', async () => {
    const given = { query: 'lamp', counted: null, roots: ['/docs'], chosen: '', onopen: () => {} };
    const { container, rerender } = render(Found, { ...given, found: found(50) });
    const rows = (): number => container.querySelectorAll('.hits button').length;
    expect(rows()).toBe(12);
    await vi.advanceTimersByTimeAsync(200);
    await tick();
    expect(rows()).toBe(50);
    await rerender({ ...given, found: found(40) });
    expect(rows()).toBe(12);
    await vi.advanceTimersByTimeAsync(200);
    await tick();
    expect(rows()).toBe(40);
  });
});
