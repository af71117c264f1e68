import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isStray, needsBox, offerFocus, shortcut, turnPages, undoOf } from './keys';
import { threadKey, watchEntering } from './thread-keys';

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

  it('all is selected, and taken away, in the box while nothing has the focus', () => {
    expect(needsBox(press('a', 'body', { ctrlKey: true }))).toBe(true);
    expect(needsBox(press('a', '.q', { ctrlKey: true }))).toBe(true);
    expect(needsBox(press('Backspace'))).toBe(true);
    for (const on of ['textarea', '#act', '#tick']) {
      expect(needsBox(press('a', on, { ctrlKey: true }))).toBe(false);
      expect(needsBox(press('Backspace', on))).toBe(false);
    }
  });

  it('a passage has its two commands, whoever opened it', () => {
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

describe('letters are commands in an answer', () => {
  let stop = (): void => {};
  beforeEach(() => (stop = watchEntering()));
  afterEach(() => stop());

  const send = (key: string, on = 'body'): void => void document.querySelector(on)!.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
  const commands = (on = '.fn'): unknown[] => ['n', '1', ']'].map((key) => threadKey({ key, shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, target: document.querySelector(on) }));
  const focus = (on: string): void => document.querySelector<HTMLElement>(on)!.focus();
  const page = (): void => {
    press('a', 'body', {}, false);
    document.querySelector<HTMLElement>('.q')!.tabIndex = -1;
  };

  it('that was gone into by Tab, and go on to be as they move its focus', () => {
    page();
    send('Tab');
    focus('.fn');
    expect(commands()).toEqual(['notes', 1, 'next']);
    send('1', '.fn');
    focus('.q');
    expect(commands('.q')).toEqual(['notes', 1, 'next']);
    expect(commands('#act')).toEqual([null, null, null]);
    focus('#act');
    send('Enter', '#act');
    focus('.fn');
    expect(commands()).toEqual([null, null, null]);
  });

  it('that was gone into by keys: after a press on a badge only brackets are, and after one on its text none', () => {
    page();
    document.querySelector('.fn')!.dispatchEvent(new Event('pointerdown', { bubbles: true }));
    focus('.fn');
    expect(commands()).toEqual([null, null, 'next']);
    send(']', '.fn');
    focus('.q');
    expect(commands('.q')).toEqual([null, null, 'next']);
    send('Tab');
    focus('.fn');
    expect(commands()).toEqual(['notes', 1, 'next']);
    document.querySelector('.q')!.dispatchEvent(new Event('pointerdown', { bubbles: true }));
    focus('.q');
    expect(commands('.q')).toEqual([null, null, null]);
  });

  it('that is not the one into which Esc or the program brought the focus', () => {
    page();
    send('Tab');
    focus('.fn');
    send('Escape', '.fn');
    expect(commands()).toEqual([null, null, null]);
    focus('textarea');
    focus('.q');
    expect(commands('.q')).toEqual([null, null, null]);
  });

  it('and not while its passage is on its way', () => {
    press('a');
    send('Tab');
    focus('.fn');
    expect(commands()).toEqual([null, null, 'next']);
  });
});

describe('taking back what was typed', () => {
  const gtk = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.0 Safari/605.1.15';
  const chromium = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
  const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)';

  it('is done by the page where the window does not', () => {
    expect(undoOf(press('z', 'textarea', { ctrlKey: true }), gtk)).toBe('undo');
    expect(undoOf(press('Z', '#name', { ctrlKey: true, shiftKey: true }), gtk)).toBe('redo');
    expect(undoOf(press('y', 'textarea', { ctrlKey: true }), gtk)).toBe('redo');
    expect(undoOf(press('z', 'textarea'), gtk)).toBeNull();
    for (const on of ['body', '#tick', '#act']) expect(undoOf(press('z', on, { ctrlKey: true }), gtk)).toBeNull();
  });

  it('is left to every other browser', () => {
    for (const agent of [chromium, mac]) expect(undoOf(press('z', 'textarea', { ctrlKey: true }), agent)).toBeNull();
  });
});

describe('keys that turn pages', () => {
  /** A list and an answer, each longer than what is seen of it. */
  function screenOf(): HTMLElement {
    document.body.innerHTML = '<nav style="overflow-y: auto"><a href="#/thread/1">A thread</a><button>More</button></nav><div class="screen" tabindex="-1"><main><p>Title</p><div id="scroll" style="overflow-y: auto"><article tabindex="-1">Long</article><textarea></textarea></div></main></div>';
    for (const long of document.querySelectorAll('nav, #scroll')) {
      Object.defineProperties(long, { scrollHeight: { value: 5000 }, clientHeight: { value: 500 } });
    }
    return document.querySelector<HTMLElement>('.screen')!;
  }
  const turned = (key: string, on: string, more: KeyboardEventInit = {}): [boolean, number] => {
    const screen = screenOf();
    const scroll = document.querySelector('#scroll')!;
    scroll.scrollTop = 1000;
    const event = new KeyboardEvent('keydown', { key, bubbles: true, ...more });
    document.querySelector(on)!.dispatchEvent(event);
    return [turnPages(event, screen), scroll.scrollTop];
  };

  it('turn those of the answer from the list, and where nothing has the focus', () => {
    for (const on of ['nav a', 'body', '.screen']) {
      expect(turned('PageDown', on)).toEqual([true, 1400]);
      expect(turned('PageUp', on)).toEqual([true, 600]);
      expect(turned(' ', on)).toEqual([true, 1400]);
      expect(turned(' ', on, { shiftKey: true })).toEqual([true, 600]);
      expect(turned('End', on)[1]).toBeGreaterThan(4000);
      expect(turned('Home', on)[1]).toBeLessThanOrEqual(0);
    }
  });

  it('are left to what is typed in, to what a space presses, and to what scrolls by itself', () => {
    expect(turned('PageDown', 'textarea')).toEqual([false, 1000]);
    expect(turned(' ', 'nav button')).toEqual([false, 1000]);
    expect(turned('PageDown', 'article')).toEqual([false, 1000]);
    expect(turned('PageDown', 'nav a', { ctrlKey: true })).toEqual([false, 1000]);
    expect(turned('a', 'body')).toEqual([false, 1000]);
  });
});
