import { expect, it, vi } from 'vitest';
import { type Collection, type CollectionChange, Fault } from '../api';
import { Collections } from './collections.svelte';

const house: Collection = { id: 'col_1', name: 'House', files: [], folders: ['/home/a/House'], texts: 3, threads: 0, notes: 0 };
const api = () => ({
  collections: vi.fn(async () => [house]),
  putCollection: vi.fn(async (change: CollectionChange) => ({ ...house, id: change.id ?? 'col_2', name: change.name ?? house.name })),
  removeCollection: vi.fn(async () => {}),
});

it('a new collection stands last, a changed one where it was', async () => {
  const store = new Collections(api());
  await store.load();
  await store.put({ name: 'Taxes', folders: ['/home/a/Taxes'] });
  await store.put({ id: 'col_1', name: 'Home' });
  expect(store.items.map((one) => one.name)).toEqual(['Home', 'Taxes']);
});

it('a refused one says why and changes nothing', async () => {
  const port = api();
  const store = new Collections(port);
  await store.load();
  const refused = new Fault({ code: 'invalid-request', message: 'There is a collection of this name.', hint: '' });
  port.putCollection.mockRejectedValueOnce(refused);
  expect(await store.put({ name: 'House' })).toBe(false);
  expect([store.fault, store.items.length]).toEqual([refused, 1]);
  expect(await store.remove('col_1')).toBe(true);
  expect(store.items).toEqual([]);
});
