import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { FileInfo, LibraryApi, LibraryEvent, SearchResult } from '../api';
import { Fault } from '../api';
import { nothingFound } from '../lib/testdata/fake';
import { Library } from './library.svelte';

const totals = { files: 3, ready: 2, partial: 0, failed: 0, waiting: 1, chunks: 9, vectors: 9, bytes: 1 };

function setup() {
  const api = {
    library: vi.fn(async () => ({ roots: [], totals, rebuilding: null })),
    files: vi.fn(async () => ({ items: [{ id: 'fil_1', status: 'waiting' } as FileInfo], next: null as string | null })),
    addPaths: vi.fn(async (paths: string[]) => ({ added: paths.map((path) => ({ id: 'fil_2', path })), skipped: [] as { path: string; reason: string }[], looking: false })),
    upload: vi.fn(async () => [{ id: 'fil_3', name: 'a', topics: [] }]),
    removeFile: vi.fn(async () => {}),
    file: vi.fn(async (id: string) => ({ id, name: 'a', status: 'ready', reason: '' }) as FileInfo),
    searchLibrary: vi.fn(async (q: string): Promise<SearchResult> => ({ ...nothingFound, total: q.length })),
  };
  const host = { say: vi.fn(), sayFault: vi.fn(), open: vi.fn() };
  return { api, host, store: new Library(api as unknown as LibraryApi, host) };
}
const progress = (done: number): LibraryEvent => ({
  seq: 1, at: '', kind: 'progress',
  body: { files_done: done, files_total: 3, bytes_done: 0, bytes_total: 0, rate: 1, left_ms: 0, vectors_done: 0, vectors_total: 0 },
});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('Library', () => {
  it('reads the list once for many events', async () => {
    const { api, store } = setup();
    for (const file of ['a', 'b', 'c']) store.take({ seq: 1, at: '', kind: 'ready', body: { file, coverage: 1 } });
    await vi.advanceTimersByTimeAsync(1000);
    expect(api.files).toHaveBeenCalledOnce();
  });

  it('goes on reading the list while events never cease', async () => {
    const { api, store } = setup();
    for (let n = 0; n < 40; n++) {
      store.take({ seq: n, at: '', kind: 'ready', body: { file: `fil_${n}`, coverage: 1 } });
      await vi.advanceTimersByTimeAsync(100);
    }
    expect(api.library.mock.calls.length).toBeGreaterThan(2);
    expect(api.library.mock.calls.length).toBeLessThan(8);
  });

  it('shows progress without reading the list, until it is done', async () => {
    const { api, store } = setup();
    store.take(progress(1));
    await vi.advanceTimersByTimeAsync(1000);
    expect(store.reading).toBe(true);
    expect(api.library).not.toHaveBeenCalled();
    store.take(progress(3));
    await vi.advanceTimersByTimeAsync(1000);
    expect(store.reading).toBe(false);
    expect(api.library).toHaveBeenCalledOnce();
  });

  it('marks a file as being read at once', async () => {
    const { store } = setup();
    await store.load();
    store.take({ seq: 1, at: '', kind: 'extracting', body: { file: 'fil_1', percent: 10 } });
    expect(store.rows[0]?.status).toBe('reading');
  });

  it('marks no file as being read that was read long ago', async () => {
    const { api, store } = setup();
    api.library.mockResolvedValueOnce({ roots: [], totals, rebuilding: null, last_event: 7 } as never);
    await store.load();
    store.take({ seq: 7, at: '', kind: 'extracting', body: { file: 'fil_1', percent: 0 } });
    expect(store.rows[0]?.status).toBe('waiting');
  });

  it('adds paths in place and copies contents', async () => {
    const { api, store } = setup();
    await store.add({ paths: ['/a'], files: [] });
    expect(api.addPaths).toHaveBeenCalledWith(['/a'], true);
    await store.add({ paths: [], files: [new File(['x'], 'x.txt')] });
    expect(api.upload).toHaveBeenCalledOnce();
  });

  it('names what was not added', async () => {
    const { api, store } = setup();
    api.addPaths.mockResolvedValueOnce({ added: [], skipped: [{ path: '/a.heic', reason: 'Pictures are not read.' }], looking: false });
    await store.add({ paths: ['/a.heic'], files: [] });
    expect(store.skipped).toHaveLength(1);
  });

  it('says how many files came with a folder', async () => {
    const { api, host, store } = setup();
    api.addPaths.mockResolvedValueOnce({ added: [{ id: 'rot_1', path: '/docs' }, { id: 'rot_2', path: '/a.md' }], skipped: [], looking: false });
    api.library.mockResolvedValue({ roots: [{ id: 'rot_1', folder: true, files: 36 }, { id: 'rot_2', folder: false, files: 1 }] as never[], totals, rebuilding: null });
    await store.add({ paths: ['/docs', '/a.md'], files: [] });
    expect(host.say).toHaveBeenCalledWith('1 folder, 37 files added. Reading goes on in the background.');
  });

  it('says that reading goes on only while there is something to read', async () => {
    const { api, host, store } = setup();
    api.library.mockResolvedValue({ roots: [{ id: 'fil_2', folder: true, files: 3 }] as never[], totals: { ...totals, waiting: 0 }, rebuilding: null });
    await store.add({ paths: ['/docs'], files: [] });
    expect(host.say).toHaveBeenLastCalledWith('1 folder, 3 files added.');
  });

  it('says that more files come while a folder is looked through', async () => {
    const { api, host, store } = setup();
    api.addPaths.mockResolvedValueOnce({ added: [{ id: 'rot_1', path: '/docs' }], skipped: [], looking: true });
    api.library.mockResolvedValue({ roots: [{ id: 'rot_1', folder: true, files: 500 }] as never[], totals, rebuilding: null });
    await store.add({ paths: ['/docs'], files: [] });
    expect(host.say).toHaveBeenCalledWith('1 folder added, 500 files so far. Reading goes on in the background.');
  });

  it('says which of the files just added cannot be searched, once they were read', async () => {
    const { api, host, store } = setup();
    api.file.mockResolvedValueOnce({ name: 'a.bin', status: 'reading', reason: '' } as FileInfo);
    api.file.mockResolvedValueOnce({ name: 'a.bin', status: 'skipped', reason: 'No text.' } as FileInfo);
    await store.add({ paths: [], files: [new File(['x'], 'a.bin')] });
    await vi.advanceTimersByTimeAsync(600);
    expect(host.say).toHaveBeenLastCalledWith('a.bin cannot be searched. No text.', expect.objectContaining({ label: 'Library' }));
    api.addPaths.mockResolvedValueOnce({ added: [{ id: 'rot_1', path: '/folder' }], skipped: [], looking: false });
    await store.add({ paths: ['/folder'], files: [] });
    await vi.advanceTimersByTimeAsync(600);
    expect(api.file).toHaveBeenCalledTimes(2);
    expect(host.say).toHaveBeenLastCalledWith('1 file added. Reading goes on in the background.');
  });

  it('says so of a file that is read in place, too', async () => {
    const { api, host, store } = setup();
    api.addPaths.mockResolvedValueOnce({ added: [{ id: 'rot_2', path: '/docs/a.bin' }], skipped: [], looking: false });
    api.files.mockResolvedValueOnce({ items: [{ id: 'fil_8', path: '/docs/a.bin.txt' }, { id: 'fil_9', path: '/docs/a.bin' }] as FileInfo[], next: null });
    api.file.mockResolvedValueOnce({ name: 'a.bin', status: 'skipped', reason: 'No text.' } as FileInfo);
    await store.add({ paths: ['/docs/a.bin'], files: [] });
    await vi.advanceTimersByTimeAsync(600);
    expect(api.file).toHaveBeenCalledWith('fil_9');
    expect(host.say).toHaveBeenLastCalledWith('a.bin cannot be searched. No text.', expect.objectContaining({ label: 'Library' }));
  });

  it('says why a typed path is refused', async () => {
    const { api, store } = setup();
    api.addPaths.mockRejectedValueOnce(new Fault({ code: 'path-not-allowed', message: 'No.', hint: '' }));
    expect(await store.addPath('relative')).toMatchObject({ code: 'path-not-allowed' });
    expect(await store.addPath('/ok ')).toBeNull();
    expect(api.addPaths).toHaveBeenLastCalledWith(['/ok'], true);
  });

  it('forgets a file only after the time to undo', async () => {
    const { api, host, store } = setup();
    await store.load();
    store.remove({ id: 'fil_1', path: '/a.pdf' });
    expect(store.rows).toEqual([]);
    host.say.mock.calls[0]?.[1].run();
    await vi.advanceTimersByTimeAsync(9000);
    expect(api.removeFile).not.toHaveBeenCalled();
    store.remove({ id: 'fil_1', path: '/a.pdf' });
    await vi.advanceTimersByTimeAsync(9000);
    expect(api.removeFile).toHaveBeenCalledWith('fil_1');
  });

  it('shows all files when the folder that is listed is forgotten, without those of that folder, and lists it again on undo', async () => {
    const { api, host, store } = setup();
    const roots = [{ id: 'rot_1', path: '/docs', files: 2 }, { id: 'rot_2', path: '/docs/kept', files: 1 }];
    const files = ['/docs/a.md', '/docs/kept/b.md', '/docs-2/c.md'].map((path, n) => ({ id: `fil_${n}`, path }) as FileInfo);
    api.library.mockResolvedValue({ roots, totals, rebuilding: null } as never);
    api.files.mockResolvedValue({ items: files, next: null });
    await store.load();
    store.show('', 'rot_1');
    store.remove({ id: 'rot_1', path: '/docs' });
    await vi.advanceTimersByTimeAsync(10);
    expect([store.root, store.rows.map(({ id }) => id), store.totals?.files]).toEqual(['', ['fil_1', 'fil_2'], 1]);
    expect(api.files).toHaveBeenLastCalledWith(expect.objectContaining({ root: '' }));
    host.say.mock.calls[0]?.[1].run();
    expect([store.root, store.rows.length, store.totals?.files]).toEqual(['rot_1', 3, 3]);
  });

  it('leaves a folder that was forgotten on another page, and not the single files', async () => {
    const { api, store } = setup();
    store.show('', 'rot_1');
    await store.load();
    expect(store.root).toBe('');
    store.show('', 'files');
    await store.load();
    expect(store.root).toBe('files');
    expect(api.removeFile).not.toHaveBeenCalled();
  });

  it('forgets several at once, and takes all of them back', async () => {
    const { api, host, store } = setup();
    const several = [{ id: 'fil_1', path: '/a.pdf' }, { id: 'fil_2', path: '/b.pdf' }];
    store.remove(...several);
    expect(host.say).toHaveBeenCalledWith('2 files are no longer in the library.', expect.anything());
    host.say.mock.calls[0]?.[1].run();
    await vi.advanceTimersByTimeAsync(9000);
    expect([api.removeFile.mock.calls, store.leaving.size]).toEqual([[], 0]);
    store.remove(...several);
    await vi.advanceTimersByTimeAsync(9000);
    expect(api.removeFile.mock.calls).toEqual([['fil_1'], ['fil_2']]);
  });

  it('shows what went when one of several cannot be forgotten', async () => {
    const { api, host, store } = setup();
    api.removeFile.mockRejectedValueOnce(new Fault({ code: 'not-found', message: 'It is gone.', hint: '' }));
    store.remove({ id: 'fil_1', path: '/a.pdf' }, { id: 'fil_2', path: '/b.pdf' });
    await vi.advanceTimersByTimeAsync(9000);
    expect(host.sayFault).toHaveBeenCalledOnce();
    expect(api.files).toHaveBeenCalled();
    expect(store.leaving.size).toBe(0);
  });

  it('ends a count that is no longer wanted', async () => {
    const { api, store } = setup();
    const signals: AbortSignal[] = [];
    const countFiles = vi.fn((_q: string, _by: string, signal: AbortSignal) => (signals.push(signal), signals.length < 2 ? new Promise(() => {}) : Promise.resolve({ total: 2 })));
    Object.assign(api, { countFiles });
    api.searchLibrary.mockResolvedValue({ ...nothingFound, items: [{ passage: 'psg_1' }] as never[], total: 1 });
    await store.search('a');
    await vi.advanceTimersByTimeAsync(400);
    await store.search('ab');
    expect(signals.map((signal) => signal.aborted)).toEqual([true]);
    await vi.advanceTimersByTimeAsync(400);
    expect(store.counted).toEqual({ total: 2 });
    await store.search('abc');
    expect(signals[1]?.aborted).toBe(false);
  });

  it('looks at once for the first key, and once for those that come at one go', async () => {
    const { api, store } = setup();
    const text = 'how high is the tower';
    for (let n = 1; n <= text.length; n++) {
      void store.search(text.slice(0, n));
      await vi.advanceTimersByTimeAsync(20);
    }
    await vi.advanceTimersByTimeAsync(80);
    expect(api.searchLibrary.mock.calls.map(([query]) => query)).toEqual(['h', text]);
    expect(store.found?.total).toBe(text.length);
    await vi.advanceTimersByTimeAsync(200);
    await store.search(`${text}s`);
    expect(store.found?.total).toBe(text.length + 1);
  });

  it('shows the answer to what was typed last, however late the earlier comes', async () => {
    const { api, store } = setup();
    let late: (r: SearchResult) => void = () => {};
    api.searchLibrary.mockImplementationOnce(() => new Promise((resolve) => (late = resolve)));
    const first = store.search('a');
    const second = store.search('ab');
    await vi.advanceTimersByTimeAsync(100);
    await second;
    late({ ...nothingFound, total: 99 });
    await first;
    expect(store.found?.total).toBe(2);
    await store.search('  ');
    expect(store.found).toBeNull();
  });
});

describe('A folder that cannot be looked into', () => {
  const skip = { path: '/docs/inner', reason: 'You have no permission to read this.' };
  const root = (closed: number) => ({ id: 'rot_1', path: '/docs', watch: true, folder: true, files: 1, ready: 1, sample: false, state: 'ready', shut: closed ? [skip] : [], closed });

  it('is told of by itself, not as something left out of an addition', async () => {
    const { api, store } = setup();
    const other = { path: '/docs/key.pem', reason: 'Left out.' };
    api.addPaths.mockResolvedValueOnce({ added: [], skipped: [skip, other], looking: false });
    api.library.mockResolvedValue({ roots: [root(1)] as never[], totals, rebuilding: null });
    await store.add({ paths: ['/docs'], files: [] });
    expect(store.leftOut).toEqual([other]);
  });

  it('is not said to be read in the background', async () => {
    const { api, host, store } = setup();
    api.addPaths.mockResolvedValueOnce({ added: [{ id: 'rot_1', path: '/docs/inner' }], skipped: [skip], looking: false });
    await store.add({ paths: ['/docs/inner'], files: [] });
    expect(host.say.mock.calls.map(([text]) => text)).toEqual(['“inner” cannot be read. You have no permission to read this.']);
  });

  it.each([[1, '“docs” still cannot be read.'], [0, '“docs” is read again.']])('says after another look what became of it: %i', async (closed, says) => {
    const { api, host, store } = setup();
    const rescan = vi.fn(async () => {});
    Object.assign(api, { rescan });
    api.library.mockResolvedValue({ roots: [root(closed)] as never[], totals, rebuilding: null });
    await store.lookAgain(root(1));
    expect(rescan).toHaveBeenCalledWith(['rot_1']);
    expect(host.say).toHaveBeenCalledWith(says);
  });
});
