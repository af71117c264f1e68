import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Composer } from './composer.svelte';
import { since, typed } from './typed.svelte';

const api = { addPaths: vi.fn(), upload: vi.fn(), chooseFiles: vi.fn(), file: vi.fn() };
beforeEach(() => {
  localStorage.clear();
  typed.take();
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
