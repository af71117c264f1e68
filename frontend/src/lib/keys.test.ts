import { describe, expect, it } from 'vitest';
import { isStray, needsBox, offerFocus, shortcut } from './keys';
import { threadKey } from './thread-keys';

/** A key pressed on an element of a small page. */
function press(key: string, on = 'body', more: KeyboardEventInit = {}, passage = true): KeyboardEvent {
  document.body.innerHTML = '<article><h1 class="q">Q</h1><div class="text"><button class="fn">1</button></div><div class="acts"><button id="act">Copy</button></div></article><textarea></textarea><input id="tick" type="checkbox"><input id="name">' + (passage ? '<aside class="viewer"><p>quote</p></aside>' : '');
  const event = new KeyboardEvent('keydown', { key, bubbles: true, ...more });
  document.querySelector(on)!.dispatchEvent(event);
  return event;
}

describe('keys', () => {
  it('letters by themselves are no shortcuts', () => {
    for (const key of ['/', '?', 'f', 'n', 'k']) expect(shortcut(press(key))).toBeNull();
    expect(shortcut(press('k', 'body', { ctrlKey: true }))).toBe('palette');
    expect(shortcut(press('/', 'body', { ctrlKey: true }))).toBe('help');
  });

  it('a letter beside the box belongs into it, whatever has the focus', () => {
    expect(isStray(press('a'))).toBe(true);
    expect(isStray(press('a', '#act'))).toBe(true);
    expect(isStray(press('é'))).toBe(true);
    expect(isStray(press(' ', '#act'))).toBe(false);
    expect(isStray(press(' ', '#act'), true)).toBe(true);
    expect(isStray(press('a', '#tick'))).toBe(true);
    expect(isStray(press(' ', '#tick'))).toBe(false);
    expect(isStray(press('a', '#name'))).toBe(false);
    expect(isStray(press('a', 'textarea'))).toBe(false);
    expect(isStray(press('Enter'))).toBe(false);
    expect(isStray(press('a', 'body', { ctrlKey: true }))).toBe(false);
  });

  it('a paste or an accent beside the box needs it to have the focus first', () => {
    expect(needsBox(press('v', 'body', { ctrlKey: true }))).toBe(true);
    expect(needsBox(press('Dead', '#act'))).toBe(true);
    expect(needsBox(press('v', 'textarea', { ctrlKey: true }))).toBe(false);
    expect(needsBox(press('c', 'body', { ctrlKey: true }))).toBe(false);
  });

  it('is a command in the text of an answer alone; a passage has its two', () => {
    expect(threadKey(press('c', '.fn', {}, false))).toBe('copy');
    expect(threadKey(press('c', '.fn'))).toBeNull(); // its passage has just been opened
    expect(threadKey(press('n', '.q'))).toBe('notes');
    expect(threadKey(press('r', '.fn'))).toBeNull();
    expect(threadKey(press('c', '#act'))).toBeNull();
    expect(threadKey(press('c'))).toBeNull();
    expect(threadKey(press(']', 'aside.viewer p'))).toBe('next');
    expect(threadKey(press('c', 'aside.viewer p'))).toBeNull();
  });

  it('leave the caret to whoever types when a passage comes', () => {
    press('a');
    const came = document.querySelector<HTMLElement>('#act')!;
    document.querySelector('textarea')!.focus();
    offerFocus(came);
    expect(document.activeElement?.tagName).toBe('TEXTAREA');
    document.querySelector<HTMLElement>('.fn')!.focus();
    offerFocus(came);
    expect(document.activeElement).toBe(came);
  });
});
