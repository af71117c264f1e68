import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { createRawSnippet, flushSync, tick } from 'svelte';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { FakeBackend } from '../lib/testdata/fake';

const held = vi.hoisted(() => ({ backend: null as unknown as import('../lib/testdata/fake').FakeBackend }));
vi.mock('../api', async () => {
  const backend = await vi.importActual<typeof import('../api/backend')>('../api/backend');
  const through = new Proxy({}, { get: (_, key) => Reflect.get(held.backend, key) ?? (() => () => {}) });
  return { backend: through, Fault: backend.Fault, onUnauthorized: () => {} };
});

HTMLDialogElement.prototype.close ??= () => {}; // jsdom has none
const { default: Shell } = await import('./Shell.svelte');
const { handOn } = await import('../lib/keys');
const { typed } = await import('../stores/typed.svelte');

/** A screen longer than what is seen of it, with a box. */
const children = createRawSnippet(() => ({ render: () => '<main style="overflow-y: auto"><p>Long</p><textarea></textarea></main>' }));
let stop = (): void => {};
let box: HTMLTextAreaElement;
let main: HTMLElement;

beforeEach(() => {
  held.backend = new FakeBackend();
  window.innerWidth = 1280;
  render(Shell, { children });
  [box, main] = [document.querySelector('textarea')!, document.querySelector('main')!];
  box.getClientRects = () => [new DOMRect()] as unknown as DOMRectList; // jsdom draws nothing
  Object.defineProperties(main, { scrollHeight: { value: 5000 }, clientHeight: { value: 500 } });
  stop = rooted(() => typed.box((text) => void (box.value += text))(box));
});
afterEach(() => {
  stop();
  typed.take();
  cleanup();
});
function rooted(attach: () => void | (() => void)): () => void {
  const end = $effect.root(() => {
    $effect(attach);
  });
  flushSync();
  return end;
}
const press = (on: Element, key: string, more: KeyboardEventInit = {}): Promise<boolean> => fireEvent.keyDown(on, { key, ...more });

describe('the frame of a screen', () => {
  test('what a menu or a list handed on is in the box, with the caret behind it', async () => {
    box.value = 'Why ';
    handOn('delete ');
    await tick();
    await tick();
    expect([box.value, document.activeElement, box.selectionStart]).toEqual(['Why delete ', box, 11]);
  });

  test('all is selected and taken away in the box while nothing has the focus', async () => {
    for (const more of [{ key: 'a', ctrlKey: true }, { key: 'Backspace' }, { key: 'Dead' }]) {
      box.blur();
      expect(await press(document.body, more.key, more)).toBe(true);
      expect(document.activeElement).toBe(box);
    }
  });

  test('pages are turned from the list; a space is typed once something is written', async () => {
    const link = screen.getAllByRole('link')[0]!;
    expect(await press(link, 'PageDown')).toBe(false);
    expect(main.scrollTop).toBe(400);
    expect(await press(document.body, ' ')).toBe(false);
    expect(main.scrollTop).toBe(800);
    box.value = 'half';
    expect(await press(document.body, ' ')).toBe(true);
    expect([main.scrollTop, document.activeElement]).toEqual([800, box]);
  });

  test('leaves text that is selected its menu, and what else there is to the window', async () => {
    const asked = vi.fn();
    window.addEventListener('contextmenu', asked);
    Range.prototype.getClientRects = () => [new DOMRect(100, 100, 80, 20)] as unknown as DOMRectList; // jsdom draws nothing
    const words = main.querySelector('p')!;
    const at = (clientX: number, clientY: number): Promise<boolean> => fireEvent.contextMenu(words, { clientX, clientY });
    await at(120, 110);
    expect(asked).toHaveBeenCalledOnce();
    getSelection()!.selectAllChildren(words);
    await at(120, 110);
    await at(120, 123);
    expect(asked).toHaveBeenCalledOnce();
    await at(300, 110);
    expect(asked).toHaveBeenCalledTimes(2);
    getSelection()!.removeAllRanges();
    window.removeEventListener('contextmenu', asked);
  });

  test('takes back what was typed where the window does not, and nowhere else', async () => {
    const undo = vi.fn(() => true);
    document.execCommand = undo;
    expect(await press(box, 'z', { ctrlKey: true })).toBe(true);
    expect(undo).not.toHaveBeenCalled();
    const agent = vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.0 Safari/605.1.15');
    box.addEventListener('keydown', (event) => event.stopPropagation(), { once: true });
    expect(await press(box, 'z', { ctrlKey: true })).toBe(false);
    expect(await press(box, 'y', { ctrlKey: true })).toBe(false);
    expect(undo.mock.calls).toEqual([['undo'], ['redo']]);
    agent.mockRestore();
  });
});
