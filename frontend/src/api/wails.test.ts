import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { RunEvent } from './events';
import { wailsBackend, wailsFault } from './wails';

type Handler = (...data: unknown[]) => void;

const handlers = new Map<string, Handler>();
const method = () => vi.fn(async (..._: unknown[]): Promise<unknown> => undefined);
const bound = new Proxy({} as Record<string, ReturnType<typeof method>>, {
  get: (target, name: string) => (target[name] ??= method()),
});

beforeEach(() => {
  handlers.clear();
  window.go = { main: { App: bound } };
  window.runtime = {
    EventsOn: (name, handle) => {
      handlers.set(name, handle);
      return () => handlers.delete(name);
    },
    OnFileDrop: vi.fn(),
    OnFileDropOff: vi.fn(),
  };
});
afterEach(() => {
  delete window.go;
  delete window.runtime;
  vi.clearAllMocks();
});

const event = (seq: number, kind = 'text') => ({ run: 'run_1', seq, at: '', kind, body: {} });
const emit = (data: unknown): void => [...handlers.values()][0]?.(data);

describe('desktop backend', () => {
  it('asks with every default filled in, since Go reads missing fields as zero', async () => {
    await wailsBackend().ask({ question: 'Why?' });
    expect(bound.Call).toHaveBeenCalledWith(
      'POST /api/runs', expect.objectContaining({ body: expect.objectContaining({ question: 'Why?', web: true, cache: true, focus: 'all', mode: 'balanced' }) }), '',
    );
  });

  it('subscribes before it asks to follow, so that no event can be missed', () => {
    let subscribed = false;
    bound.Follow?.mockImplementationOnce(async () => void (subscribed = handlers.size === 1));
    wailsBackend().follow('run_1', 3, () => {}, () => {});
    expect(subscribed).toBe(true);
    const [route, sent, channel] = bound.Follow?.mock.calls[0] ?? [];
    expect([route, sent]).toEqual(['GET /api/runs/{id}/events', { path: { id: 'run_1' }, query: {}, body: undefined, after: 3 }]);
    expect([...handlers.keys()]).toEqual([`footnote:event:${channel}`]);
  });

  it('passes events on once, in order, and leaves after the last', () => {
    const seen: number[] = [];
    const onEnd = vi.fn();
    wailsBackend().follow('run_1', 1, (e: RunEvent) => seen.push(e.seq), onEnd);
    for (const e of [event(1), event(2), event(2), event(3, 'finished')]) emit(e);
    expect(seen).toEqual([2, 3]);
    expect(onEnd).toHaveBeenCalledExactlyOnceWith(null);
    expect(handlers.size).toBe(0);
    expect(bound.Cancel).toHaveBeenCalledOnce();
  });

  it('gives up a call that is not wanted any more', async () => {
    const stop = new AbortController();
    const counted = wailsBackend().countFiles('"sea wall"', 'folder', stop.signal);
    const [route, sent, name] = bound.Call?.mock.calls[0] ?? [];
    expect([route, sent]).toEqual(['GET /api/library/count', { path: {}, query: { q: '"sea wall"', by: 'folder' }, body: undefined, after: 0 }]);
    stop.abort();
    await counted;
    expect(bound.Cancel).toHaveBeenCalledWith(name);
  });

  it('ends with a Fault when following fails, and is silent once left', async () => {
    const onEnd = vi.fn();
    bound.Follow?.mockRejectedValueOnce({ code: 'not-found', message: 'There is no such run.', hint: '' });
    wailsBackend().follow('run_x', 0, () => {}, onEnd);
    await vi.waitFor(() => expect(onEnd).toHaveBeenCalledWith(expect.objectContaining({ code: 'not-found' })));
    const quiet = vi.fn();
    wailsBackend().follow('run_1', 0, quiet, quiet)();
    emit(event(1));
    expect(quiet).not.toHaveBeenCalled();
  });

  it('reads errors as an object, as its JSON, or as a sentence', () => {
    const failure = { code: 'model-auth', message: 'The key was refused.', hint: 'Enter it again.' };
    expect(wailsFault(failure)).toMatchObject(failure);
    expect(wailsFault(JSON.stringify(failure))).toMatchObject(failure);
    expect(wailsFault(new Error(JSON.stringify(failure)))).toMatchObject(failure);
    expect(wailsFault('plain words')).toMatchObject({ code: 'internal', message: 'plain words' });
  });

  it('never sends file contents through the window', async () => {
    await expect(wailsBackend().upload([])).rejects.toMatchObject({ code: 'not-acceptable' });
  });

  it('hands dropped paths over and forgets the hover', () => {
    const onDrop = vi.fn();
    const onHover = vi.fn();
    wailsBackend().onFileDrop(onDrop, onHover);
    vi.mocked(window.runtime!.OnFileDrop).mock.calls[0]?.[0](0, 0, ['/home/ann/a.pdf']);
    expect(onDrop).toHaveBeenCalledWith({ paths: ['/home/ann/a.pdf'], files: [] });
    expect(onHover).toHaveBeenLastCalledWith(false);
  });
});
