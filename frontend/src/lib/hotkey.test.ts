import { describe, expect, it } from 'vitest';
import { keysOf, sayKeys } from './hotkey';

const press = (key: string, code: string, ...held: ('ctrlKey' | 'altKey' | 'shiftKey' | 'metaKey')[]) =>
  new KeyboardEvent('keydown', { key, code, ...Object.fromEntries(held.map((name) => [name, true])) });

describe('keys that hold in every program', () => {
  it('are recorded as the settings write them', () => {
    expect(keysOf(press(' ', 'Space', 'ctrlKey', 'altKey'))).toBe('ctrl+alt+space');
    expect(keysOf(press('K', 'KeyK', 'metaKey', 'shiftKey'))).toBe('shift+super+k');
    expect(keysOf(press('˚', 'KeyK', 'altKey'))).toBe('alt+k');
    expect(keysOf(press('F9', 'F9'))).toBe('f9');
  });
  it('leave typing alone, and wait for the last key', () => {
    for (const event of [press('k', 'KeyK'), press('K', 'KeyK', 'shiftKey'), press('Control', 'ControlLeft', 'ctrlKey'), press('Enter', 'Enter', 'ctrlKey')]) expect(keysOf(event)).toBeNull();
  });
  it('are said to people', () => expect(sayKeys('ctrl+alt+space')).toBe('Ctrl + Alt + Space'));
});
