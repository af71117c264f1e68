/** What all questions sent, and what was sent beside them, as sums for each host and purpose. */
import type { LedgerFile, LedgerLine } from '../api/types';
import { isHere } from './wording';

export type Went = Pick<LedgerLine, 'host' | 'purpose' | 'bytes_out' | 'bytes_in' | 'requests'> & { files: LedgerFile[] };

/** The lines of hosts elsewhere, those that were sent most first. */
export function sumsOf(lines: LedgerLine[]): Went[] {
  const sums = new Map<string, Went>();
  for (const line of lines.filter(({ host }) => !isHere(host))) {
    const key = `${line.purpose} ${line.host}`;
    const before = sums.get(key) ?? { host: line.host, purpose: line.purpose, bytes_out: 0, bytes_in: 0, requests: 0, files: [] };
    sums.set(key, {
      ...before,
      bytes_out: before.bytes_out + line.bytes_out, bytes_in: before.bytes_in + line.bytes_in, requests: before.requests + line.requests,
      files: [...before.files, ...line.files.filter((file) => !before.files.some(({ path }) => path === file.path))],
    });
  }
  return [...sums.values()].sort((a, b) => b.bytes_out - a.bytes_out || a.host.localeCompare(b.host));
}
