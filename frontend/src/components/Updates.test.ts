import { flushSync, mount, unmount } from 'svelte';
import { afterEach, expect, test, vi } from 'vitest';
import { Fault, type SettingsApi, type UpdateView } from '../api';
import { Settings } from '../stores/settings.svelte';
import Updates from './Updates.svelte';

const plain: UpdateView = { possible: true, enabled: false, asked: false, version: '0.1.0', newer: null, checked_at: null };
const newer = { version: '0.2.0', date: '2026-12-01', page: 'https://footnote.invalid/releases' };
let made: object | null = null;

async function shown(view: UpdateView, { whole = false, asked = view.asked, look = () => Promise.resolve(view) } = {}) {
  const put = vi.fn(() => Promise.resolve());
  const settings = new Settings({
    settings: () => Promise.resolve({ values: { 'privacy.update_check': view.enabled, 'ui.update_asked': asked }, defaults: {}, origin: {}, keys: {} }), putSettings: put,
  } as unknown as SettingsApi);
  await settings.load();
  const api = { update: vi.fn(() => Promise.resolve(view)), lookForUpdate: vi.fn(look), openExternal: vi.fn(() => Promise.resolve()) };
  made = mount(Updates, { target: document.body, props: { api, settings, whole } });
  flushSync();
  await vi.waitFor(() => expect(api.update).toHaveBeenCalled());
  await Promise.resolve();
  flushSync();
  return { put, api };
}
const press = (label: string): void => [...document.body.querySelectorAll('button')].find((b) => b.textContent === label)?.click();

afterEach(async () => {
  if (made) await unmount(made);
  made = null;
});

test('it is asked once, and nothing is looked for before the reader said yes', async () => {
  const { put, api } = await shown(plain);
  expect(document.body.textContent).toContain('May Footnote look for new versions?');
  expect(api.lookForUpdate).not.toHaveBeenCalled();
  press('Yes, once a day');
  await vi.waitFor(() => expect(api.lookForUpdate).toHaveBeenCalledOnce());
  expect(put).toHaveBeenCalledExactlyOnceWith({ 'privacy.update_check': true, 'ui.update_asked': true });
  expect(document.body.textContent).not.toContain('May Footnote');
});

test('no is kept, and nothing is looked for', async () => {
  const { put, api } = await shown(plain);
  press('No');
  await vi.waitFor(() => expect(put).toHaveBeenCalledExactlyOnceWith({ 'privacy.update_check': false, 'ui.update_asked': true }));
  expect(api.lookForUpdate).not.toHaveBeenCalled();
  await vi.waitFor(() => expect(document.body.textContent?.trim()).toBe(''));
});

test('a newer version is told with its page, and is not fetched', async () => {
  const { api } = await shown({ ...plain, enabled: true, asked: true, newer });
  expect(document.body.textContent).toContain('Footnote 0.2.0 is there.');
  expect(document.body.querySelector('a, iframe, img')).toBeNull();
  press('What is new, and where to get it');
  expect(api.openExternal).toHaveBeenCalledExactlyOnceWith(newer.page);
});

test('a program that knows nobody to ask offers nothing', async () => {
  await shown({ ...plain, possible: false }, { whole: true });
  expect(document.body.textContent?.trim()).toBe('');
});

test('what could not be asked is said', async () => {
  await shown({ ...plain, asked: true }, { whole: true, look: () => Promise.reject(new Fault({ code: 'offline', message: 'What tells of new versions could not be asked.', hint: 'Try again.' })) });
  press('Look now');
  await vi.waitFor(() => expect(document.body.textContent).toContain('could not be asked'));
});
