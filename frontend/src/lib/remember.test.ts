import { afterEach, describe, expect, it, vi } from 'vitest';
import { hold, isHeld, remember, remembered, rememberSoon } from './remember';

afterEach(() => {
  delete document.documentElement.dataset.home;
  localStorage.clear();
});

describe('what is kept in the browser', () => {
  it('belongs to one data folder', () => {
    document.documentElement.dataset.home = 'one';
    remember('draft.home', 'half a question');
    expect(remembered('draft.home')).toBe('half a question');
    document.documentElement.dataset.home = 'two';
    expect(remembered('draft.home')).toBeNull();
    document.documentElement.dataset.home = 'one';
    remember('draft.home', null);
    expect(remembered('draft.home')).toBeNull();
  });

  it('holds what must not be stored, and what storage does not take, until the page is left', () => {
    remember('draft.home', 'stored');
    hold('draft.home', 'a secret');
    expect([remembered('draft.home'), isHeld('draft.home'), localStorage.length]).toEqual(['a secret', true, 0]);
    remember('draft.home', null);
    expect([remembered('draft.home'), isHeld('draft.home')]).toEqual([null, false]);
    remember('draft.home', 'short');
    const full = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new Error('The quota has been exceeded.');
    });
    remember('draft.home', 'long');
    full.mockRestore();
    expect([remembered('draft.home'), localStorage.length]).toEqual(['long', 0]);
    remember('draft.home', null);
  });

  it('stores what changes with every key before the page is left', () => {
    rememberSoon('draft.home', 'half');
    rememberSoon('draft.home', 'half a question');
    expect([remembered('draft.home'), localStorage.length]).toEqual(['half a question', 0]);
    dispatchEvent(new Event('pagehide'));
    expect(Object.values(localStorage)).toEqual(['half a question']);
    rememberSoon('draft.home', 'a secret');
    hold('draft.home', 'a secret');
    dispatchEvent(new Event('pagehide'));
    expect([remembered('draft.home'), localStorage.length]).toEqual(['a secret', 0]);
    remember('draft.home', null);
  });
});
