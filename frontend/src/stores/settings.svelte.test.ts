import { describe, expect, it, vi } from 'vitest';
import type { SettingsApi, SettingValue } from '../api';
import { Fault } from '../api';
import { Settings } from './settings.svelte';

async function setup() {
  const api = {
    settings: vi.fn(async () => ({
      values: { 'rank.max_passages': 6, 'ui.theme': 'dark', 'limits.tokens': 100 },
      defaults: { 'rank.max_passages': 8, 'ui.theme': 'system', 'limits.tokens': 60000 },
      origin: { 'limits.tokens': 'env', 'rank.max_passages': 'file' },
      keys: { brave: true },
    })),
    putSettings: vi.fn(async (_: Record<string, SettingValue>) => {}),
    setKey: vi.fn(async () => {}),
    removeKey: vi.fn(async () => {}),
  };
  const store = new Settings(api as unknown as SettingsApi);
  await store.load();
  return { api, store };
}

describe('Settings', () => {
  it('holds a change at once', async () => {
    const { store } = await setup();
    expect(await store.put('rank.max_passages', 10)).toBe(true);
    expect(store.value('rank.max_passages', 0)).toBe(10);
  });

  it('keeps the old value when a new one is refused, and says why under its key', async () => {
    const { api, store } = await setup();
    const fault = new Fault({ code: 'invalid-setting', message: 'Too many.', hint: '', details: { key: 'rank.max_passages' } });
    api.putSettings.mockRejectedValueOnce(fault);
    expect(await store.put('rank.max_passages', 40)).toBe(false);
    expect(store.value('rank.max_passages', 0)).toBe(6);
    expect(store.faults['rank.max_passages']).toBe(fault);
    await store.put('rank.max_passages', 7);
    expect(store.faults).toEqual({});
  });

  it('locks what the environment or a flag sets, not what the file says', async () => {
    const { store } = await setup();
    expect(store.lock('limits.tokens')).toBe('env');
    expect(store.lock('rank.max_passages')).toBeNull();
  });

  it('sets back what was changed and can be', async () => {
    const { api, store } = await setup();
    await store.setBack(['rank.max_passages', 'ui.theme', 'limits.tokens', 'unknown']);
    expect(api.putSettings).toHaveBeenCalledWith({ 'rank.max_passages': 8, 'ui.theme': 'system' });
  });

  it('stores and removes keys without ever holding their value', async () => {
    const { api, store } = await setup();
    await store.setKey('openai', 'secret');
    expect(store.view.keys).toEqual({ brave: true, openai: true });
    await store.setKey('brave', '');
    expect(api.removeKey).toHaveBeenCalledWith('brave');
    expect(JSON.stringify(store.view)).not.toContain('secret');
  });
});
