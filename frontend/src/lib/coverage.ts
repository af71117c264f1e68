/** How much of a file was read, as a bar and in words. Pure. */
import type { FileInfo, FileStatus } from '../api/types';
import { texts } from './texts';

export interface Part {
  kind: 'read' | 'scan' | 'garbled' | 'rest';
  share: number;
}

const t = texts.library;

/** The parts of the bar; they sum to 1. None for a file that is not read at all. */
export function coverageParts(file: FileInfo): Part[] {
  if (file.status === 'failed' || file.status === 'skipped') return [];
  if (file.status === 'waiting') return [{ kind: 'rest', share: 1 }];
  const scan = file.pages > 0 ? file.pages_empty / file.pages : 0;
  const read = readShare(file);
  const garbled = Math.min(file.garbled, read);
  const parts: Part[] = [
    { kind: 'read', share: read - garbled },
    { kind: 'garbled', share: garbled },
    { kind: 'scan', share: scan },
    { kind: 'rest', share: 1 - read - scan },
  ];
  return parts.filter((part) => part.share > 0.005);
}

function readShare(file: FileInfo): number {
  if (file.pages > 0) return Math.min(1, file.pages_read / file.pages);
  if (file.status === 'reading') return 0;
  return file.truncated ? 0.5 : 1;
}

/** What the pages of a file are called. */
function unitOf(name: string): 'page' | 'slide' | 'sheet' {
  if (/\.(pp[st][xm]?|pot[xm]|odp|otp)$/i.test(name)) return 'slide';
  return /\.(xl[st][xm]?|ods|ots)$/i.test(name) ? 'sheet' : 'page';
}

/** "1 of 2 pages, 1 scan"; for a file without pages "All text". */
export function coverageWords(file: FileInfo): string {
  if (file.status === 'failed' || file.status === 'skipped') return file.reason;
  if (file.status === 'waiting') return '';
  const words = [
    file.pages > 0 ? t.pages(file.pages_read, file.pages, unitOf(file.name)) : file.status === 'ready' ? t.allText : '',
    file.pages_empty > 0 ? t.scans(file.pages_empty, unitOf(file.name)) : '',
    file.garbled >= 0.01 ? t.garbled(file.garbled) : '',
    file.truncated ? t.truncated : '',
    file.read_as ? t.doubtful : '',
    file.answer ? t.savedAnswer : '',
  ];
  return words.filter(Boolean).join(', ');
}

const locked = /encrypt|password/i;
const advised = /[.!?]\s+\S/;

/** What helps to have more of a file read; "" when nothing is missing, or when its reason says it. */
export function nextStep(file: FileInfo): string {
  const { next } = t;
  if (advised.test(file.reason)) return '';
  if (locked.test(file.reason)) return next.locked;
  if (file.status === 'failed' || file.status === 'skipped' || file.status === 'away') return next[file.status];
  if (file.pages_empty > 0) return next.scan;
  if (file.garbled >= 0.01) return next.garbled;
  if (file.truncated) return next.truncated;
  return file.read_as ? next.readAs(file.read_as) : file.answer ? next.savedAnswer : '';
}

/** The dot of a state word. */
export const statusDot: Record<FileStatus, 'ok' | 'warn' | 'bad' | 'run' | 'off'> = {
  ready: 'ok', partial: 'warn', failed: 'bad', reading: 'run', waiting: 'off', skipped: 'off', away: 'off',
};
