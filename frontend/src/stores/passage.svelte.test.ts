import { describe, expect, it, vi } from 'vitest';
import { Fault } from '../api/backend';
import type { SourceCard } from '../api/types';
import type { Note } from '../lib/footnotes';
import type { Pages } from '../lib/pdf/open';
import { PassageStore, placesOf } from './passage.svelte';

const text = 'The policy. We pay for burst pipes, and for frost.';
const at = (start: number, end: number, page = 0) => ({ page, line: 0, heading: '', start, end });
const note = (id = 'src_1'): Note => ({
  k: 0, n: 1, shown: 1, at: 0, verdict: 'supported', claim: '', passage: 'psg_1', cited: { quote: { start: 7, end: 22, text: '' }, highlight: [], verdict: 'supported' } as unknown as Note['cited'],
  source: { id, locator: at(0, 0), passages: [{ id: 'psg_1', locator: at(12, 50, 2) }] } as unknown as SourceCard,
});

function setup(mediaType: string, stale = false) {
  const pages = { count: 3, close: vi.fn() } as unknown as Pages;
  const api = {
    source: vi.fn(async (id: string) => ({ id, media_type: mediaType, read_at: '' }) as never),
    sourceText: vi.fn(async () => ({ text, start: 0, end: text.length, total: text.length, highlight: [], page: 0, line: 0, heading: '', digest: '', stale, blocks: [] })),
    sourceFile: vi.fn(async () => new ArrayBuffer(4)),
    passage: vi.fn(async (id: string) => ({ id, source: 'src_1', text: text.slice(12), locator: at(12, 50, 2), chunk: 0, neighbours: ['', ''] as [string, string] })),
  };
  const open = vi.fn(async () => pages);
  return { api, open, pages, store: new PassageStore(api, open) };
}

describe('PassageStore', () => {
  it('moves the quote of a passage into the whole text, and names what stands before it', async () => {
    const { store } = setup('text/plain');
    await store.open(note());
    expect(store.marks).toEqual([{ start: 19, end: 34 }]);
    expect(store.quotes).toEqual([{ text: text.slice(19, 34), before: text.slice(0, 19) }]);
    expect(store.pages).toBeNull();
  });

  it('opens the pages of a document, once, and lets go of them', async () => {
    const { store, open, pages } = setup('application/pdf');
    await store.open(note());
    expect(store.pages).toBe(pages);
    expect(store.at.page).toBe(2);
    await store.open(note());
    expect(open).toHaveBeenCalledOnce();
    await store.open(note('src_2'));
    expect(pages.close).toHaveBeenCalled();
  });

  it('shows only the text of a file that has changed since it was read', async () => {
    const { store, open } = setup('application/pdf', true);
    await store.open(note());
    expect(open).not.toHaveBeenCalled();
    expect(store.stretch?.stale).toBe(true);
  });

  it('says why pages cannot be shown, and keeps the text', async () => {
    const { store, api } = setup('application/pdf');
    api.sourceFile.mockRejectedValueOnce(new Fault({ code: 'not-found', message: 'Policy.pdf is not where it was read.', hint: '' }));
    await store.open(note());
    expect(store.unseen).toBe('Policy.pdf is not where it was read.');
    expect(store.stretch?.text).toBe(text);
  });

  it('opens a passage by id and lights the words that were searched', async () => {
    const { store } = setup('text/plain');
    await store.openPassage('psg_1', ['pipe']);
    expect(store.quotes.map((quote) => quote.text)).toEqual(['pipes']);
  });
});

describe('placesOf', () => {
  it('lights words at their beginning only, whole, and counts code points', () => {
    expect(placesOf('𝒳 Frost, defrosting, frosts', ['frost'])).toEqual([{ start: 2, end: 7 }, { start: 21, end: 27 }]);
    expect(placesOf('a b', ['a'])).toEqual([]);
  });
});
