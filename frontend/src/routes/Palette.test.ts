import { fireEvent, render, screen } from '@testing-library/svelte';
import { expect, test, vi } from 'vitest';
import type { SearchHit } from '../api';
import { FakeBackend, nothingFound } from '../lib/testdata/fake';

const held = vi.hoisted(() => ({ backend: null as unknown as import('../lib/testdata/fake').FakeBackend }));
vi.mock('../api', async () => {
  const backend = await vi.importActual<typeof import('../api/backend')>('../api/backend');
  const through = new Proxy({}, { get: (_, key) => Reflect.get(held.backend, key) ?? (() => () => {}) });
  return { backend: through, Fault: backend.Fault, onUnauthorized: () => {} };
});
HTMLDialogElement.prototype.showModal ??= () => {}; // jsdom has none
const { default: Palette } = await import('./Palette.svelte');

test('words that were looked for are lit in what is found in files', async () => {
  const hit = { passage: 'psg_1', file: 'fil_1', title: 'Guide', path: '/docs/guide.md', snippet: 'The lamp of the tower', marks: [[4, 8], [16, 21]] } as unknown as SearchHit;
  held.backend = new FakeBackend();
  Object.assign(held.backend, { searchLibrary: async () => ({ ...nothingFound, total: 1, items: [hit] }) });
  render(Palette, { onclose: () => {} });
  await fireEvent.input(screen.getByRole('combobox', { hidden: true }), { target: { value: 'lamp tower' } });
  await vi.waitFor(() => expect([...document.querySelectorAll('em')].map((em) => em.textContent)).toEqual(['lamp', 'tower']));
});
