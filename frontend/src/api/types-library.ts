/** The reader's files as the program tells of them: how they were read, collections, searches, counts. */
import type { Locator } from './types';

export type FileStatus = 'waiting' | 'reading' | 'ready' | 'partial' | 'failed' | 'skipped' | 'away';

export interface FileInfo {
  id: string;
  /** What was read of it, by id; absent while nothing is. */
  source?: string;
  /** File name. */
  name: string;
  path: string;
  status: FileStatus;
  /** Why it was read only in part, or not at all; "" otherwise. */
  reason: string;
  pages: number;
  pages_read: number;
  pages_empty: number;
  /** Share of characters that are no text, 0–1. */
  garbled: number;
  truncated: boolean;
  chunks: number;
  topics: string[];
  bytes: number;
  modified: string;
  indexed: string;
  digest: string;
}

export interface Root {
  id: string;
  path: string;
  watch: boolean;
  /** False for a file that was added by itself. */
  folder?: boolean;
  files: number;
  ready: number;
  /** "ready", "reading", "away" (drive or folder not connected) or "shut" (it cannot be looked into). */
  state: string;
  /** Folders in it, or itself, that cannot be looked into: the first ones, and how many there are. */
  shut?: Skip[];
  closed?: number;
}

export interface Totals {
  files: number;
  ready: number;
  partial: number;
  failed: number;
  skipped?: number;
  waiting: number;
  chunks: number;
  vectors: number;
  bytes: number;
}

export interface LibraryStatus {
  roots: Root[];
  totals: Totals;
  /** Percent done while the index is rebuilt, else null. */
  rebuilding: number | null;
}

export interface Skip {
  path: string;
  reason: string;
}

export interface AddResult {
  added: { id: string; path: string }[];
  skipped: Skip[];
}

/** A named set of files and folders, used as a scope: by id in `Scope`, as @name in a question. */
export interface Collection {
  id: string;
  name: string;
  files: { id: string; name: string; path: string }[];
  /** Absolute paths. */
  folders: string[];
  /** Texts that are searched; files with equal bytes count once. */
  texts: number;
}

/**
 * What a collection shall be: ids of files or roots, or paths that are in the
 * library. Without files and folders it keeps what it holds; with one of them
 * the other is empty.
 */
export interface CollectionChange {
  id?: string;
  name?: string;
  files?: string[];
  folders?: string[];
}

export interface Upload {
  id: string;
  name: string;
  topics: string[];
}

export interface FilesQuery {
  q?: string;
  status?: FileStatus | '';
  root?: string;
  limit?: number;
  after?: string;
}

export interface SearchHit {
  file: string;
  passage: string;
  source?: string;
  title: string;
  path: string;
  locator: Locator;
  snippet: string;
  /** Ranges of the snippet that matched. */
  marks: [number, number][];
  score: number;
  via: string;
}

/** A search as it was understood; the words, and what was added to them. */
export interface Understood {
  words: string;
  phrases: string[];
  without: string[];
  types: string[];
  folders: string[];
  after?: string;
  before?: string;
}

export interface SearchResult {
  items: SearchHit[];
  /** At most 200 are counted. */
  total: number;
  took_ms: number;
  understood?: Understood;
}

/** Exactly which files mention what a search asks for. */
export interface Counted {
  /** Files. */
  total: number;
  passages: number;
  times: number;
  /** Files that could not be looked through. */
  unread: number;
  /** Passages not in the index yet: the count may grow. */
  pending: number;
  groups: { key: string; name: string; files: number; passages: number; times: number }[] | null;
}

/** How a file fares in a search for a question, and what keeps it from the answer. */
export interface WhyNot {
  indexed: boolean;
  /** Why it is not; "" when it is. */
  reason: string;
  best_passage: SearchHit | null;
  /** Places in the order of all passages, from 1; null where it does not stand. */
  ranks: { keyword: number | null; vector: number | null; fused: number | null };
  /** What removed it, as a sentence; "" when nothing did. */
  cut_by: string;
}
