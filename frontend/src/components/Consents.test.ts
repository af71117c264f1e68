import { flushSync, mount, unmount } from 'svelte';
import { expect, test, vi } from 'vitest';
import Consents from './Consents.svelte';

test('consents are listed and taken back', async () => {
  let allowed = ['openai', 'groq'];
  const api = {
    consents: () => Promise.resolve(allowed),
    consent: vi.fn((provider: string) => {
      allowed = allowed.filter((p) => p !== provider);
      return Promise.resolve();
    }),
  };
  const made = mount(Consents, { target: document.body, props: { api } });
  flushSync();
  await vi.waitFor(() => expect(document.body.textContent).toContain('groq'));
  document.body.querySelector<HTMLButtonElement>('[aria-label*="openai"]')?.click();
  await vi.waitFor(() => expect(document.body.textContent).not.toContain('openai'));
  expect(api.consent).toHaveBeenCalledExactlyOnceWith('openai', false);
  await unmount(made);
});
