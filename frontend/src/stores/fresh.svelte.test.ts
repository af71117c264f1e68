import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Fault, type KeptFresh, type LibraryEvent } from '../api';
import { type FreshPort, FreshStore } from './fresh.svelte';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('gathers what is told of checks, and listens until it is left', () => {
  let tell: (event: LibraryEvent) => void = () => {};
  const leave = vi.fn();
  const store = new FreshStore({ libraryEvents: (on: typeof tell) => ((tell = on), leave) } as unknown as FreshPort);
  const stop = store.watch();
  const event = (thread: string) => ({ seq: 1, at: '', kind: 'fresh', body: { run: 'run_1', thread, state: 'same', message: '' } }) as LibraryEvent;
  tell(event('thr_1'));
  tell(event('thr_2'));
  tell({ seq: 3, at: '', kind: 'queued', body: { file: 'fil_1' } });
  expect(store.news).toBe(0);
  vi.runAllTimers();
  expect([store.news, [...store.threads]]).toEqual([1, ['thr_1', 'thr_2']]);
  tell(event('thr_3'));
  stop();
  vi.runAllTimers();
  expect(store.news).toBe(1);
  expect(leave).toHaveBeenCalledOnce();
});

it('lists what is kept fresh, ends it, and takes that back', async () => {
  const one = (run: string, tried?: string): KeptFresh => ({ run, thread: 'thr_1', title: run, every_ms: 86_400_000, on_change: false, failures: 0, paused: false, unseen: false, checking: false, ...(tried ? { tried } : {}) });
  let all = [one('never'), one('lately', '2026-11-22T10:00:00Z'), one('before', '2026-11-21T10:00:00Z')];
  const api = {
    freshList: vi.fn(async () => [...all]),
    dropFresh: vi.fn(async (run: string) => void (all = all.filter((kept) => kept.run !== run))),
    keepFresh: vi.fn(async (run: string) => void (all = [...all, one(run)])),
  };
  const store = new FreshStore(api as unknown as FreshPort);
  await store.load();
  expect(store.kept?.map((kept) => kept.run)).toEqual(['lately', 'before', 'never']);
  expect(await store.drop(store.kept![0]!)).toBe(true);
  expect(store.kept?.map((kept) => kept.run)).toEqual(['before', 'never']);
  await store.again(one('lately'));
  expect(api.keepFresh).toHaveBeenCalledWith('lately', { every_ms: 86_400_000, on_change: false });
  expect(store.kept?.map((kept) => kept.run)).toContain('lately');
  api.dropFresh.mockRejectedValueOnce(new Fault({ code: 'disconnected', message: 'No.', hint: '' }));
  expect(await store.drop(one('before'))).toBe(false);
  expect([store.fault?.message, store.kept?.length]).toEqual(['No.', 3]);
});
