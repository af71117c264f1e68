// @vitest-environment node
import { expect, it, vi } from 'vitest';
import { Fault } from '../api/backend';
import type { Replayed, Trace } from '../api/types';
import { TraceStore } from './trace.svelte';

const trace: Trace = { run: 'run_1', spans: [], ranking: null };
const replayed: Replayed = { before: [], after: [], moved: 0 };

it('fetches the trace once, however often it is looked at', async () => {
  const api = { trace: vi.fn(async () => trace), replay: vi.fn(async () => replayed) };
  const store = new TraceStore(api, 'run_1');
  await Promise.all([store.load(), store.load()]);
  expect(api.trace).toHaveBeenCalledOnce();
  expect(store.trace).toBe(trace);
});

it('says why weights were refused, and keeps the order computed before', async () => {
  const refused = new Fault({ code: 'invalid-request', message: 'The weights do not sum to 1.', hint: '' });
  const api = { trace: vi.fn(async () => trace), replay: vi.fn(async () => replayed) };
  const store = new TraceStore(api, 'run_1');
  await store.replay({ k: 5 });
  expect(api.replay).toHaveBeenCalledWith('run_1', { k: 5 });
  api.replay.mockRejectedValueOnce(refused);
  await store.replay({});
  expect([store.fault, store.replayed, store.busy]).toEqual([refused, replayed, false]);
});
