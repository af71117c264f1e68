// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { findCommands, focuses, type Offer, plainOffer, slashQuery, works, atName, collectionQuery, findCollections, withCollection } from './commands';
import { type BoxState, keyAction, type KeyPress } from './composer-keys';

const all: Offer = {
  modes: ['speed', 'balanced', 'agent', 'deep'],
  focuses: ['all', 'web', 'local', 'academic', 'video', 'community', 'compute', 'writing'],
};

describe('slash commands', () => {
  it('open at the start of the text only', () => {
    expect(slashQuery('/')).toBe('');
    expect(slashQuery('/deep-res')).toBe('deep-res');
    for (const text of ['', ' /web', 'and/or', '/web page', '/usr/bin']) expect(slashQuery(text)).toBeNull();
  });

  it('put those that begin with the text before those that hold it', () => {
    expect(findCommands('de', all).map((c) => c.name)).toEqual(['deep-research', 'academic', 'video']);
    expect(findCommands('xyz', all)).toEqual([]);
    expect(findCommands('', all)).toHaveLength(13);
  });

  it('offer only what the program can do', () => {
    expect(findCommands('', plainOffer).map((c) => c.name)).toEqual(['table', 'speed', 'web', 'files', 'all']);
    expect(works(plainOffer)).toEqual(['speed', 'balanced']);
    expect(focuses(plainOffer)).toEqual(['all', 'web', 'local']);
    expect(works(all)).toContain('due-diligence');
  });
});

describe('keys in the box', () => {
  const box: BoxState = { empty: false, menu: false, choices: 0, running: false, mode: false, recalled: false, below: false };
  const press = (key: string, change: Partial<KeyPress> = {}): KeyPress => ({ key, shift: false, command: false, composing: false, ...change });
  const cases: [string, KeyPress, Partial<BoxState>, string | null][] = [
    ['Enter asks', press('Enter'), {}, 'ask'],
    ['Shift Enter is a new line', press('Enter', { shift: true }), {}, null],
    ['Enter of an input method is its own', press('Enter', { composing: true }), {}, null],
    ['⌘ Enter asks when nothing runs', press('Enter', { command: true }), {}, 'ask'],
    ['⌘ Enter answers now while running', press('Enter', { command: true }), { running: true }, 'answer-now'],
    ['Enter while running asks next', press('Enter'), { running: true }, 'ask'],
    ['Backspace in an empty box clears the mode', press('Backspace'), { empty: true, mode: true }, 'clear-mode'],
    ['Backspace in text is the field’s', press('Backspace'), { mode: true }, null],
    ['Backspace without a mode is the field’s', press('Backspace'), { empty: true }, null],
    ['↑ in an empty box recalls', press('ArrowUp'), { empty: true }, 'recall'],
    ['↑ in text moves the caret', press('ArrowUp'), {}, null],
    ['↓ after a recall goes back', press('ArrowDown'), { recalled: true }, 'recall-back'],
    ['↓ goes into what is below', press('ArrowDown'), { below: true }, 'below'],
    ['↓ in the menu chooses', press('ArrowDown'), { menu: true, choices: 3, below: true }, 'menu-next'],
    ['↑ in the menu chooses', press('ArrowUp'), { menu: true, choices: 3 }, 'menu-previous'],
    ['Tab confirms', press('Tab'), { menu: true, choices: 3 }, 'menu-confirm'],
    ['Enter confirms', press('Enter'), { menu: true, choices: 3 }, 'menu-confirm'],
    ['Enter without a match asks the text', press('Enter'), { menu: true, choices: 0 }, 'ask'],
    ['Esc closes the menu', press('Escape'), { menu: true }, 'menu-close'],
    ['Esc never stops a run', press('Escape'), { running: true }, null],
    ['Tab leaves the box', press('Tab'), {}, null],
  ];
  it.each(cases)('%s', (_, key, change, action) => expect(keyAction(key, { ...box, ...change })).toBe(action));
});

describe('collections by name', () => {
  const all = [{ name: 'Tax papers', texts: 12 }, { name: 'House', texts: 3 }, { name: 'Old house', texts: 1 }];

  it('are offered for the word after an @ at the end', () => {
    expect(collectionQuery('What does @ho')).toBe('ho');
    expect(collectionQuery('@')).toBe('');
    expect(collectionQuery('mail me at a@b')).toBeNull();
    expect(collectionQuery('@house says')).toBeNull();
  });

  it('that begin with the word come first', () => {
    expect(findCollections('ho', all).map((c) => c.name)).toEqual(['House', 'Old-house']);
    expect(findCollections('', all)[0]).toMatchObject({ group: 'collections', detail: '12 texts' });
  });

  it('are written out as one word', () => {
    expect(atName(' Tax  papers ')).toBe('Tax-papers');
    expect(withCollection('In @ta', 'Tax-papers')).toBe('In @Tax-papers ');
  });
});
