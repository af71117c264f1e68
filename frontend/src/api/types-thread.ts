/** Conversations, and their answers that are kept fresh. */
import type { Failure } from './types-answer';
import type { Run } from './types-run';

export interface ThreadInfo {
  id: string;
  title: string;
  type: 'chat' | 'deep-research' | (string & {});
  session_id?: string;
  created: string;
  updated: string;
  pinned: boolean;
  /** Number of questions. */
  runs: number;
  running: boolean;
  /** An answer of it is checked from time to time. */
  kept_fresh?: boolean;
  /** Such a check found changes that nobody has looked at. */
  unseen?: boolean;
}

/** How an answer is kept fresh: by the clock, when a file it cites changes, or both. */
export interface FreshWish {
  /** 0: not by the clock. */
  every_ms: number;
  on_change: boolean;
}

/** An answer that is kept fresh. Times are absent where nothing happened yet. */
export interface Standing extends FreshWish {
  /** The answer that the reader chose; later ones refresh it. */
  run: string;
  thread: string;
  due?: string;
  tried?: string;
  /** The last check that came to its end, and the last that found changes. */
  checked?: string;
  changed?: string;
  /** In a row. */
  failures: number;
  failure?: Failure;
  /** Given up: it waits for the reader. */
  paused: boolean;
  unseen: boolean;
  checking: boolean;
}

/** The same, in the list of all of them. */
export interface KeptFresh extends Standing {
  /** Of its thread. */
  title: string;
}

export interface ThreadDetail extends Omit<ThreadInfo, 'runs'> {
  runs: Run[];
  /** Answers of it that are kept fresh. */
  fresh?: Standing[];
  /** Kept in memory only. */
  private?: boolean;
}

/** A slice of a list; `next` is the cursor of the following one. */
export interface Page<T> {
  items: T[];
  next: string | null;
}

/** Forms in which a thread can be taken away. */
export type ExportFormat = 'md' | 'html' | 'pdf' | 'docx' | 'json' | 'jsonl' | 'bundle' | 'bibtex' | 'ris' | 'csl';
