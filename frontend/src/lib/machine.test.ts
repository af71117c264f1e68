import { expect, test } from 'vitest';
import { machineOf } from './machine';

test('what is not the reader’s own computer is named', () => {
  for (const host of ['127.0.0.1:7411', 'localhost:7411', 'footnote-0af3.localhost:7411', '[::1]:7411', '[::1]']) {
    expect(machineOf(false, host, undefined), host).toBe('this computer');
  }
  expect(machineOf(true, 'wails.localhost', undefined)).toBe('this computer');
  expect(machineOf(true, 'wails', undefined)).toBe('this computer');
  expect(machineOf(false, 'library.example', 'ada')).toBe('the server library.example');
  expect(machineOf(false, 'localhost:8443', 'ada')).toBe('the server localhost:8443');
  expect(machineOf(false, '192.168.1.7:7411', undefined)).toBe('the server 192.168.1.7:7411');
  expect(machineOf(false, 'localhost.example', undefined)).toBe('the server localhost.example');
});
