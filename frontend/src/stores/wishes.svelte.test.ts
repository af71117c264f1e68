import { expect, test } from 'vitest';
import { Fault } from '../api/backend';
import type { Lens, Persona } from '../api/types';
import { Wishes, type WishesPort } from './wishes.svelte';

function port(): WishesPort & { kept: Persona[] } {
  const kept: Persona[] = [{ id: 'per_1', name: 'Short', text: 'Be short.' }];
  return {
    kept,
    personas: async () => kept,
    putPersona: async ({ id, name, text }) => {
      if (!name) throw new Fault({ code: 'invalid-request', message: 'A persona has a name.', hint: '' });
      return { id: id ?? 'per_2', name, text };
    },
    removePersona: async () => {},
    lenses: async () => [],
    setLenses: async (lenses: Lens[]) => lenses.map((lens) => ({ ...lens, pattern: lens.pattern.toLowerCase() })),
  };
}

test('personas are added, changed and removed', async () => {
  const wishes = new Wishes(port());
  await wishes.load();
  expect(await wishes.put({ name: 'Plain', text: 'Plain words.' })).toBe(true);
  expect(await wishes.put({ id: 'per_1', name: 'Shorter', text: 'Be short.' })).toBe(true);
  expect(wishes.personas.map((p) => p.name)).toEqual(['Shorter', 'Plain']);
  await wishes.remove('per_1');
  expect(wishes.personas.map((p) => p.id)).toEqual(['per_2']);
});

test('what is refused changes nothing and says why', async () => {
  const wishes = new Wishes(port());
  await wishes.load();
  expect(await wishes.put({ name: '', text: 'x' })).toBe(false);
  expect([wishes.personas.length, wishes.fault?.message]).toEqual([1, 'A persona has a name.']);
});

test('lenses are kept in the form the program gives them', async () => {
  const wishes = new Wishes(port());
  await wishes.setLenses([{ pattern: 'Example.ORG', action: 'boost', note: '' }]);
  expect(wishes.lenses).toEqual([{ pattern: 'example.org', action: 'boost', note: '' }]);
});
