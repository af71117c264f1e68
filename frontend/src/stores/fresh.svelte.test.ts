import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { LibraryEvent } from '../api';
import { FreshStore } from './fresh.svelte';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('gathers what is told of checks, and listens until it is left', () => {
  let tell: (event: LibraryEvent) => void = () => {};
  const leave = vi.fn();
  const store = new FreshStore({ libraryEvents: (on) => ((tell = on), leave) });
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
