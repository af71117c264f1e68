import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Run, ThreadDetail, ThreadInfo, ThreadsApi } from '../api';
import { Fault } from '../api';
import { grouped, Threads } from './threads.svelte';

const thread = (id: string, change: Partial<ThreadInfo> = {}): ThreadInfo => ({
  id, title: id, type: 'chat', created: '', updated: '2026-11-21T10:00:00.000Z', pinned: false, runs: 1, running: false, group: 'today', ...change,
});

function setup(lists: ThreadInfo[][]) {
  const api = {
    threads: vi.fn(async () => ({ items: lists.length > 1 ? lists.shift()! : lists[0]!, next: null })),
    thread: vi.fn(async (id: string) => ({ runs: [{ status: 'finished', id: `run of ${id}` }] }) as unknown as ThreadDetail),
    renameThread: vi.fn(async () => {}),
    pinThread: vi.fn(async () => {}),
    deleteThread: vi.fn(async () => {}),
  };
  const enter = vi.fn();
  const host = { tell: vi.fn(), say: vi.fn(), sayFault: vi.fn(), open: vi.fn(), leave: vi.fn(() => enter), drop: vi.fn() };
  return { api, host, enter, store: new Threads(api as unknown as ThreadsApi, host) };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('grouped', () => {
  it('groups by the calendar of the reader, pinned on top, empty groups left out', () => {
    const now = new Date(2026, 10, 21, 0, 30);
    const at = (d: Date): string => d.toISOString();
    const groups = grouped(
      [
        thread('old', { updated: at(new Date(2026, 9, 1)) }),
        thread('late', { updated: at(new Date(2026, 10, 20, 23, 50)) }),
        thread('new', { updated: at(new Date(2026, 10, 21, 0, 10)) }),
        thread('week', { updated: at(new Date(2026, 10, 16)) }),
        thread('pin', { updated: at(new Date(2020, 0, 1)), pinned: true }),
      ],
      now,
    );
    expect(groups.map((g) => [g.group, g.items.map((i) => i.id)])).toEqual([
      ['pinned', ['pin']], ['today', ['new']], ['yesterday', ['late']], ['week', ['week']], ['older', ['old']],
    ]);
  });
});

describe('Threads', () => {
  it('reads older threads once, and keeps them when the list is read again', async () => {
    const at = (n: number): string => new Date(2026, 10, 21, 0, 0, -n).toISOString();
    const all = Array.from({ length: 5 }, (_, n) => thread(`t${n}`, { updated: at(n) }));
    const { api, store } = setup([[]]);
    api.threads.mockImplementation((async ({ after }: { after?: string }) => (after ? { items: all.slice(3), next: null } : { items: all.slice(0, 3), next: 'c' })) as never);
    await store.load();
    await Promise.all([store.more(), store.more()]);
    expect(api.threads).toHaveBeenCalledTimes(2);
    await store.load();
    expect(store.items.map((item) => item.id)).toEqual(['t0', 't1', 't2', 't3', 't4']);
    expect(store.next).toBeNull();
  });

  it('erases only after the time to undo is over', async () => {
    const { api, host, store } = setup([[thread('a'), thread('b')]]);
    await store.load();
    store.remove('a');
    expect(store.groups.flatMap((g) => g.items.map((i) => i.id))).toEqual(['b']);
    await vi.advanceTimersByTimeAsync(7900);
    expect(api.deleteThread).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(200);
    expect(api.deleteThread).toHaveBeenCalledWith('a');
    expect(store.items.map((i) => i.id)).toEqual(['b']);
    expect(host.say).toHaveBeenCalledOnce();
  });

  it('lists a conversation once, whichever of its versions is meant', async () => {
    const { api, store } = setup([[thread('newest', { other_versions: ['older'] }), thread('b')]]);
    await store.load();
    expect(store.row('older')?.id).toBe('newest');
    await store.pin('older', true);
    expect(store.row('newest')?.pinned).toBe(true);
    store.remove('older');
    expect(store.groups.flatMap((g) => g.items.map((i) => i.id))).toEqual(['b']);
    await vi.advanceTimersByTimeAsync(8100);
    expect(api.deleteThread).toHaveBeenCalledWith('newest');
  });

  it('brings a deleted thread back on undo', async () => {
    const { api, host, store } = setup([[thread('a')]]);
    await store.load();
    store.remove('a');
    host.say.mock.calls[0]?.[1].run();
    await vi.advanceTimersByTimeAsync(10000);
    expect(api.deleteThread).not.toHaveBeenCalled();
    expect(store.groups[0]?.items).toHaveLength(1);
  });

  it('takes the reader out of the one on screen, and in again on undo', async () => {
    const { host, enter, store } = setup([[thread('newest', { other_versions: ['older'] }), thread('b')]]);
    await store.load();
    store.current = 'older';
    store.remove('b');
    expect(host.leave).not.toHaveBeenCalled();
    store.remove('newest');
    expect(host.leave).toHaveBeenCalledExactlyOnceWith('older');
    expect(store.listed).toEqual([]);
    host.say.mock.calls[1]?.[1].run();
    expect(enter).toHaveBeenCalledOnce();
  });

  it('lets nobody stay in one that is erased, and keeps nothing of it', async () => {
    const { host, store } = setup([[thread('a', { other_versions: ['a1'] })]]);
    await store.load();
    store.remove('a');
    store.current = 'a'; // by Back
    await vi.advanceTimersByTimeAsync(8100);
    expect(host.leave).toHaveBeenCalledExactlyOnceWith('a');
    expect(host.drop).toHaveBeenCalledExactlyOnceWith(['a', 'a1']);
  });

  it('lists a private conversation first, as long as it is in memory', async () => {
    const { api, store } = setup([[thread('a')]]);
    api.thread.mockImplementation(async (id: string) => ({ ...thread(id, { title: 'A secret' }), runs: [], private: true }) as unknown as ThreadDetail);
    await store.changed('p');
    await store.changed('a');
    expect(api.thread.mock.calls).toEqual([['p']]);
    expect(store.groups.map((g) => [g.group, g.items.map((i) => i.title)])).toEqual([['unkept', ['A secret']], ['older', ['a']]]);
    expect([store.row('p')?.title, store.items.length]).toEqual(['A secret', 1]);
    api.thread.mockRejectedValue(new Fault({ code: 'not-found', message: 'Gone.', hint: '' }));
    await store.look('p');
    expect(store.groups.map((g) => g.group)).toEqual(['older']);
  });

  it('takes a refused name back', async () => {
    const { api, host, store } = setup([[thread('a', { title: 'Before' })]]);
    await store.load();
    api.renameThread.mockRejectedValueOnce(new Fault({ code: 'internal', message: 'No.', hint: '' }));
    await store.rename('a', 'After');
    expect(store.items[0]?.title).toBe('Before');
    expect(host.sayFault).toHaveBeenCalledOnce();
  });

  it('ignores an empty name and one that changes nothing', async () => {
    const { api, store } = setup([[thread('a')]]);
    await store.load();
    await store.rename('a', '  ');
    await store.rename('a', 'a');
    expect(api.renameThread).not.toHaveBeenCalled();
  });

  it('reads on while something is answered and says its end elsewhere', async () => {
    const { api, host, store } = setup([[thread('a', { running: true }), thread('b', { running: true })], [thread('a'), thread('b')]]);
    store.current = 'b';
    await store.load();
    await vi.advanceTimersByTimeAsync(3100);
    expect(api.threads).toHaveBeenCalledTimes(2);
    expect(host.say).toHaveBeenCalledOnce();
    expect(host.say.mock.calls[0]?.[0]).toBe('“a” is answered.');
    await vi.advanceTimersByTimeAsync(10000);
    expect(api.threads).toHaveBeenCalledTimes(2);
  });

  it('does not tell of an end that was seen', async () => {
    const { host, store } = setup([[thread('a', { running: true })], [thread('a')]]);
    await store.load();
    store.current = 'a';
    store.ended('a');
    store.current = '';
    await vi.advanceTimersByTimeAsync(3100);
    expect(host.say).not.toHaveBeenCalled();
  });

  it.each<[Partial<Run>, string[]]>([
    [{ status: 'failed', failure: { code: 'model-timeout', message: 'The model stopped.', hint: '' } }, ['“a” could not be answered. The model stopped.']],
    [{ status: 'stopped' }, []],
  ])('says of one that ended elsewhere how it ended: %o', async (run, said) => {
    const { api, host, store } = setup([[thread('a', { running: true })], [thread('a')]]);
    api.thread.mockResolvedValue({ runs: [run] } as unknown as ThreadDetail);
    await store.load();
    await vi.advanceTimersByTimeAsync(3100);
    expect(host.say.mock.calls.map(([text]) => text)).toEqual(said);
  });
});
