import { flushSync, mount, unmount } from 'svelte';
import { expect, test, vi } from 'vitest';
import type { LedgerLine, Page } from '../api/types';
import WentOut from './WentOut.svelte';

const line = (run: string, host: string): LedgerLine => ({ run, host, purpose: 'embed', bytes_out: 1500, bytes_in: 20, requests: 2, sent: [], files: [{ title: 'Boiler.pdf', path: '/h/Boiler.pdf' }] });

async function shown(pages: Record<string, Page<LedgerLine>>, machine = 'this computer'): Promise<{ text: () => string; leave: () => Promise<void> }> {
  const ledgers = vi.fn((after: string) => Promise.resolve(pages[after]!));
  const made = mount(WentOut, { target: document.body, props: { api: { ledgers }, machine } });
  flushSync();
  await vi.waitFor(() => expect(document.querySelector('section')?.getAttribute('aria-busy')).toBe('false'));
  return { text: () => document.body.textContent ?? '', leave: () => unmount(made) };
}

test('what went out beside questions and for them stands apart, older ones on demand', async () => {
  const { text, leave } = await shown({ '': { items: [line('', 'embed.example'), line('run_2', 'chat.example')], next: 'run_2' }, run_2: { items: [line('run_1', 'old.example')], next: null } });
  expect(text()).toMatch(/Beside questions.*embed\.example.*1\.5 KB sent.*Text of 1 file.*Boiler\.pdf.*latest questions.*chat\.example/s);
  expect(text()).not.toContain('old.example');
  document.querySelector<HTMLButtonElement>('.foot button')?.click();
  await vi.waitFor(() => expect(text()).toContain('old.example'));
  expect(document.querySelector('.foot')).toBeNull();
  await leave();
});

test('where nothing left, the computer is named that it did not leave', async () => {
  const { text, leave } = await shown({ '': { items: [], next: null } }, 'the server library.example');
  expect(text()).toContain('Nothing left the server library.example.');
  await leave();
});
