import { flushSync, mount, unmount } from 'svelte';
import { expect, test, vi } from 'vitest';
import { Fault } from '../../api';
import Zotero from './Zotero.svelte';

const added = { works: 3, files: 2, notes: 1, collections: 1, cite_keys: 0, missing: ['/z/storage/A/gone.pdf'], skipped: [] };

test('what Zotero keeps is added by a button, and a refusal says why', async () => {
  const addZotero = vi.fn(async (_: string) => added);
  const onadded = vi.fn();
  const made = mount(Zotero, { target: document.body, props: { api: { addZotero }, onadded } });
  flushSync();
  const button = document.body.querySelector('button')!;
  button.click();
  await vi.waitFor(() => expect(document.body.textContent).toContain('3 works with 2 files'));
  expect(document.body.textContent).toContain('gone.pdf is not on this computer.');
  expect([addZotero.mock.calls, onadded.mock.calls.length]).toEqual([[['']], 1]);

  addZotero.mockRejectedValueOnce(new Fault({ code: 'not-found', message: 'Zotero was not found.', hint: 'Name its folder.' }));
  const field = document.body.querySelector('input')!;
  field.value = '/elsewhere';
  field.dispatchEvent(new Event('input', { bubbles: true }));
  flushSync();
  button.click();
  await vi.waitFor(() => expect(document.body.querySelector('[role="alert"]')?.textContent).toContain('Zotero was not found.'));
  expect([addZotero.mock.lastCall, onadded.mock.calls.length]).toEqual([['/elsewhere'], 1]);
  await unmount(made);
});
