import { afterEach, expect, test } from 'vitest';
import { takeBrought } from './brought';

afterEach(() => history.replaceState(null, '', '/'));

test('a question of the address is taken once', () => {
  history.replaceState(null, '', '/?q=How%20high%20is%20it%3F#/');
  expect(takeBrought()).toBe('How high is it?');
  expect(location.search).toBe('');
  expect(takeBrought()).toBe('');
});

test('without a question there is none', () => {
  for (const address of ['/', '/?q=', '/?q=%20', '/?p=x']) {
    history.replaceState(null, '', address);
    expect(takeBrought()).toBe('');
  }
});
