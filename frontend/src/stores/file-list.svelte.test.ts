// @vitest-environment node
import { describe, expect, it, vi } from 'vitest';
import type { FileInfo } from '../api';
import { FileList } from './file-list.svelte';

const size = 3;

/** A shelf of files in the order of their numbers; the cursor is the last number seen. */
function shelf(count: number) {
  let files = Array.from({ length: count }, (_, i) => ({ id: `fil_${i}`, status: 'waiting' }) as FileInfo);
  const read = vi.fn(async (after: string) => {
    const from = after ? files.findIndex((file) => file.id === after) + 1 : 0;
    const items = files.slice(from, from + size);
    return { items, next: from + size < files.length ? items.at(-1)!.id : null };
  });
  return { read, list: new FileList(read), change: (by: (all: FileInfo[]) => FileInfo[]) => (files = by(files)) };
}
const ids = (list: FileList): number[] => list.rows.map((file) => Number(file.id.slice(4)));

describe('FileList', () => {
  it('reads slice by slice, each once', async () => {
    const { list, read } = shelf(7);
    await list.restart();
    await Promise.all([list.more(), list.more()]);
    await list.more();
    await list.more();
    expect(ids(list)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(read).toHaveBeenCalledTimes(3);
  });

  it('reads again only what is in view, and nothing moves', async () => {
    const { list, read, change } = shelf(9);
    await list.restart();
    await list.more();
    await list.more();
    change((all) => all.map((file) => ({ ...file, status: 'ready' })));
    read.mockClear();
    await list.refresh(3, 5);
    expect(read).toHaveBeenCalledExactlyOnceWith('fil_2');
    expect(list.rows.map((file) => file.status === 'ready')).toEqual([false, false, false, true, true, true, false, false, false]);
  });

  it('grows at its end while files come in', async () => {
    const { list, change } = shelf(2);
    await list.restart();
    change((all) => [...all, ...all.map((file, i) => ({ ...file, id: `fil_${i + 2}` }))]);
    await list.refresh(0, 1);
    await list.more();
    expect(ids(list)).toEqual([0, 1, 2, 3]);
  });

  it('loses what is gone and finds what follows again', async () => {
    const { list, change } = shelf(8);
    await list.restart();
    await list.more();
    change((all) => all.slice(1));
    await list.refresh(0, 2);
    expect(ids(list)).toEqual([1, 2, 3]);
    await list.more();
    await list.more();
    expect(ids(list)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  it('begins again when an empty list fills', async () => {
    const { list, change } = shelf(0);
    await list.restart();
    expect(list.loaded).toBe(true);
    change(() => [{ id: 'fil_0' } as FileInfo]);
    await list.refresh(0, 20);
    expect(ids(list)).toEqual([0]);
  });
});
