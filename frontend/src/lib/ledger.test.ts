import { expect, test } from 'vitest';
import type { LedgerLine } from '../api/types';
import { sumsOf } from './ledger';

const line = (host: string, purpose: string, out: number, ...files: string[]): LedgerLine =>
  ({ run: '', host, purpose, bytes_out: out, bytes_in: 1, requests: 1, sent: [], files: files.map((path) => ({ title: path, path })) });

test('lines are summed by host and purpose, and what stays here is left out', () => {
  const sums = sumsOf([
    line('a.example', 'search', 10), line('b.example', 'embed', 500, '/x', '/y'), line('127.0.0.1:11434', 'chat', 9000),
    line('b.example', 'embed', 40, '/y', '/z'), line('b.example', 'chat', 3),
  ]);
  expect(sums.map((went) => [went.host, went.purpose, went.bytes_out, went.bytes_in, went.requests])).toEqual([
    ['b.example', 'embed', 540, 2, 2], ['a.example', 'search', 10, 1, 1], ['b.example', 'chat', 3, 1, 1],
  ]);
  expect(sums[0]?.files.map((file) => file.path)).toEqual(['/x', '/y', '/z']);
});
