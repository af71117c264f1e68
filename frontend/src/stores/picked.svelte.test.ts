// @vitest-environment node
import { describe, expect, it, vi } from 'vitest';
import { Picked } from './picked.svelte';

vi.mock('../api', async () => ({ ...(await vi.importActual<object>('../api/backend')), backend: {}, onUnauthorized: () => {} }));
vi.stubGlobal('navigator', { onLine: true });
const { Composer } = await import('./composer.svelte');

const a = { id: 'fil_a', name: 'a.md' };
const b = { id: 'fil_b', name: 'b.md' };
const folder = { id: '/docs', name: 'docs', folder: true };

describe('what is ticked', () => {
  it('is taken back by a second tick, all together too', () => {
    const picked = new Picked();
    picked.toggle(a);
    picked.toggle(folder);
    picked.toggleAll([a, b]);
    expect(picked.items).toEqual([folder, a, b]);
    picked.toggleAll([a, b]);
    expect(picked.items).toEqual([folder]);
    picked.toggle(folder);
    expect(picked.items).toEqual([]);
  });

  it('is handed over once', () => {
    const picked = new Picked();
    picked.toggle(b);
    picked.hand([a]);
    expect(picked.items).toEqual([]);
    expect(picked.take()).toEqual([a]);
    expect(picked.take()).toEqual([]);
  });

  it('limits the question to itself, and to the files', () => {
    const box = new Composer('x', {} as never);
    box.limit([a, folder]);
    expect(box.toAsk()).toMatchObject({ focus: 'local', scope: { files: ['fil_a'], folders: ['/docs'], collections: [] } });
  });
});
