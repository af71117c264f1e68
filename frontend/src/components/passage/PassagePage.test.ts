import { render } from '@testing-library/svelte';
import { expect, test, vi } from 'vitest';
import type { Pages } from '../../lib/pdf/open';
import PassagePage from './PassagePage.svelte';

test('a passage that is closed while its quote is looked for leaves no error behind', async () => {
  let found: (pieces: string[]) => void = () => {};
  const pages = { count: 3, sections: async () => [], labels: async () => null, size: vi.fn(async () => ({ width: 1, height: 1 })), pieces: vi.fn(() => new Promise<string[]>((resolve) => (found = resolve))) };
  const wrong = vi.fn();
  process.on('unhandledRejection', wrong);
  const { rerender } = render(PassagePage, { pages: pages as unknown as Pages, start: 1, quotes: [], faint: false, opened: 1, label: 'a.pdf' });
  await vi.waitFor(() => expect(pages.pieces).toHaveBeenCalled());
  await rerender({ pages: null as unknown as Pages }).catch(() => {}); // it is on its way out
  found([]);
  await new Promise((later) => setTimeout(later, 20));
  process.off('unhandledRejection', wrong);
  expect(wrong).not.toHaveBeenCalled();
});
