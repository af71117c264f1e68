import { afterEach, expect, test } from 'vitest';
import { takeBrought } from './brought';

const page = document.documentElement;
afterEach(() => {
  history.replaceState(null, '', '/');
  delete page.dataset.ask;
});

test('a question of the address is taken once', () => {
  history.replaceState(null, '', '/?q=How%20high%20is%20it%3F#/');
  expect(takeBrought()).toEqual({ text: 'How high is it?', now: false });
  expect(location.search).toBe('');
  expect(takeBrought()).toBeNull();
});

test('it runs by itself only where the program says so', () => {
  history.replaceState(null, '', '/?q=lamp');
  page.dataset.ask = 'now';
  expect(takeBrought()).toEqual({ text: 'lamp', now: true });
  history.replaceState(null, '', '/?q=lamp');
  expect(takeBrought()?.now).toBe(false);
});

test('without a question there is none', () => {
  for (const address of ['/', '/?q=', '/?q=%20', '/?p=x']) {
    history.replaceState(null, '', address);
    expect(takeBrought()).toBeNull();
  }
});
