import { readFileSync } from 'node:fs';
import { flushSync, tick } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Composer } from './composer.svelte';
import { boxless, since, typed } from './typed.svelte';

const api = { addPaths: vi.fn(), upload: vi.fn(), chooseFiles: vi.fn(), file: vi.fn() };
beforeEach(() => {
  localStorage.clear();
  typed.take();
});

/** A field that jsdom takes for one that is seen. */
function field(within: Element = document.body): HTMLInputElement {
  const input = within.appendChild(document.createElement('input'));
  input.getClientRects = () => [new DOMRect()] as unknown as DOMRectList;
  return input;
}

describe('a box', () => {
  const stops: (() => void)[] = [];
  const boxed = (input: HTMLInputElement): void => {
    const add = (text: string): void => void (input.value += text);
    stops.push($effect.root(() => {
      $effect(() => typed.box(add)(input));
    }));
    flushSync();
  };
  afterEach(() => {
    for (const stop of stops.splice(0)) stop();
    document.body.innerHTML = '';
  });

  it('takes what waited, and has the caret behind it', async () => {
    typed.keep('Wh');
    typed.keep('y');
    const input = field();
    boxed(input);
    await tick();
    expect([input.value, typed.waiting, document.activeElement, input.selectionStart]).toEqual(['Why', '', input, 3]);
  });

  it('is the last that is seen; beside something modal there is none', () => {
    const [first, second] = [field(), field()];
    boxed(first);
    boxed(second);
    second.getClientRects = () => [] as unknown as DOMRectList;
    expect(typed.focus()).toBe(true);
    expect(document.activeElement).toBe(first);
    const dialog = document.body.appendChild(document.createElement('dialog'));
    dialog.setAttribute('open', '');
    expect(typed.focus()).toBe(false);
    const inside = field(dialog);
    boxed(inside);
    expect(typed.focus()).toBe(true);
    expect(document.activeElement).toBe(inside);
  });

  it('has the caret again where it stood, and says whether it holds anything', () => {
    const input = field();
    boxed(input);
    expect(typed.begun).toBe(false);
    input.value = 'half a question';
    input.setSelectionRange(4, 4);
    expect(typed.begun).toBe(true);
    expect([typed.back(), document.activeElement, input.selectionStart]).toEqual([true, input, 4]);
    input.remove();
    input.getClientRects = () => [] as unknown as DOMRectList;
    expect(typed.back()).toBe(false);
  });

  it('is not waited for where a screen has come without one', () => {
    const screen = document.createElement('div');
    expect(boxless(screen)).toBe(false);
    screen.innerHTML = '<main aria-busy="true"></main>';
    expect(boxless(screen)).toBe(false);
    screen.innerHTML = '<main></main>';
    expect(boxless(screen)).toBe(true);
  });
});

describe('what is typed before the page is there', () => {
  const press = (key: string, more: KeyboardEventInit = {}): boolean => dispatchEvent(new KeyboardEvent('keydown', { key, cancelable: true, ...more }));

  it('is kept, without what asks or only makes a letter, until the page takes it', () => {
    new Function(readFileSync('public/early.js', 'utf8'))();
    for (const key of [' ', 'W', 'Shift', 'h', 'x', 'Backspace', 'y', 'Dead', 'é', 'Enter', ' ', '?']) press(key);
    press('v', { ctrlKey: true });
    press('か', { isComposing: true });
    expect(window.typedEarly?.()).toBe('Whyé ?');
    expect([press('n'), window.typedEarly?.()]).toEqual([true, 'Whyé ?']);
  });
});

describe('what is typed while a question is on its way', () => {
  it('is what was put in, wherever the caret stood', () => {
    expect(since('Why?', 'Why? And')).toBe(' And');
    expect(since('Why?', 'So Why?')).toBe('So ');
    expect(since('Why?', 'Wh')).toBe('');
    expect(since('Why?', 'Why?')).toBe('');
  });

  it('stays in the box of a thread', async () => {
    const composer = new Composer('thr_1', api);
    composer.write('Why?');
    await composer.send(async () => composer.write('Why?And how'));
    expect(composer.text).toBe('And how');
    expect(typed.waiting).toBe('');
  });

  it('goes from home to the box of the answer', async () => {
    const composer = new Composer('home', api);
    composer.write('Why?');
    await composer.send(async () => composer.write('Why?And how'));
    expect(composer.text).toBe('');
    expect(typed.take()).toBe('And how');
  });

  it('leaves a question that is being written alone when another one is asked', async () => {
    const composer = new Composer('thr_1', api);
    composer.write('half a question');
    const asked: string[] = [];
    await composer.sendOther('And then?', async (question) => void asked.push(question.question));
    expect(asked).toEqual(['And then?']);
    expect(composer.text).toBe('half a question');
  });
});
