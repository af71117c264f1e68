import { afterEach, describe, expect, it } from 'vitest';
import { remember, remembered } from './remember';

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
});
