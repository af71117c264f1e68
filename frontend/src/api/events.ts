/**
 * What the program tells while it works: events of runs, of the library, of jobs.
 * Each is numbered from 1 without a gap; a client skips kinds it does not know.
 */
import type {
  Answer, Citation, Failure, Focus, Mode, ModelUsage, Notice, Outcome, Range, Report, Scope, Scores, SourceCard, Weights,
} from './types';

// ---- Events of a run -------------------------------------------------------

export type Stage =
  | 'plan' | 'gather' | 'read' | 'select' | 'compose' | 'check' | 'images' | 'finish'
  | 'scope' | 'plan-review' | 'research' | 'evaluating' | 'synthesis';

/** How far a call of a tool has come; refused and blocked ones never run. */
export type ToolState = 'requested' | 'running' | 'done' | 'failed' | 'refused' | 'warned' | 'blocked';

export interface LeadCard {
  source: string;
  title: string;
  address: string;
  domain: string;
  snippet: string;
  published?: string;
  engine_score: number;
}

/** Body of every kind of event, by its name. Clients skip kinds they do not know. */
export interface EventBodies {
  started: {
    thread: string; question: string; focus: Focus; mode: Mode; submode: string; scope: Scope;
    web: boolean; offline: boolean;
    models: { chat: string; system: string; rewrite: string; embedding: string; rerank: string };
    prompt_hash: string; cached: boolean;
  };
  stage: {
    stage: Stage; state: 'start' | 'progress' | 'end' | 'error'; label: string; message?: string;
    detail?: string; percent?: number; in?: number; out?: number; ms?: number;
  };
  planned: {
    standalone: string; queries: string[]; search: boolean; shelf: boolean; reason: string;
    by: string; preset: string; k: number; weights: Weights;
  };
  scoped: {
    brief: string; dimensions: string[] | null; criteria: string[] | null; notes: string;
    /** How long the run waits for the reader; 0 when it does not. */
    review_ms: number; by?: string;
  };
  /** A subquestion is looked into; `index` from 0 within its pass, passes from 1. */
  dimension: { index: number; total: number; dimension: string; iteration: number };
  searching: { query: string; engine: string; category?: string; page: number };
  found: { query: string; engine: string; count: number; ms: number; leads: LeadCard[]; error?: Failure };
  reading: { source: string; address: string };
  read: { source: string; chars: number; ms: number; from: 'network' | 'cache' | 'file' | 'transcript'; coverage: number };
  unread: { source: string; address: string; code: string; reason: string };
  compressing: { dimension: string };
  /** `sources` and `weak` are absent in runs of earlier versions. */
  compressed: { dimension: string; sources?: number; weak?: boolean; note_length: number; fallback: boolean };
  finding: { text: string; dimension: string; passages: string[] | null };
  evaluation: { complete: boolean; gaps: string[] | null; by: string };
  selected: {
    passages: { id: string; source: string; n: number; rank_before: number; rank_after: number; scores: Scores }[];
    sources: SourceCard[]; local: number; web: number;
    budget: { tokens: number; window: number; left_out: number };
  };
  tool: { call: string; name: string; input: Record<string, unknown> | null; state: ToolState; output?: string; ms?: number };
  clarify: { question: string; options: string[] | null; wait_ms: number };
  clarified: { reply: string; by: 'user' | 'timeout' | 'answer-now' };
  image: { source: string; image: string };
  thinking: { delta: string };
  text: { delta: string; at: number };
  cited: { marker: number; passage: string; claim: Range };
  dropped: { marker: string; at: number; reason: string };
  checked: { citations: Citation[]; report: Report };
  counters: { searches: number; sources: number; pages: number; model_calls: number; tool_calls: number };
  usage: { chat: ModelUsage; system: ModelUsage; phase?: string; percent?: number; context: { used: number; window: number } };
  notice: Notice;
  answering: { by: 'user' | 'budget' | 'steps' };
  follow_ups: { questions: string[] };
  finished: { outcome: Outcome; answer: Answer };
  failed: Failure & { stage: Stage; partial: string };
  stopped: { by: string; stage: Stage; partial: string };
}

export type EventKind = keyof EventBodies;

/** One numbered fact about a run; seq is contiguous from 1. */
export type RunEvent = {
  [K in EventKind]: { run: string; seq: number; at: string; kind: K; body: EventBodies[K] };
}[EventKind];

/** Kinds that end a run. Exactly one of them is a run's last event. */
export const terminalKinds: readonly string[] = ['finished', 'failed', 'stopped'];

// ---- Events of the library and of jobs --------------------------------------

export interface LibraryEventBodies {
  seen: { file: string; path: string };
  skipped: { path: string; reason: string };
  queued: { file: string };
  extracting: { file: string; percent: number };
  searchable: { file: string; chunks: number };
  ready: { file: string; coverage: number };
  failed: { file: string; code: string; reason: string };
  gone: { file: string; state: 'removed' | 'not-reachable' };
  progress: {
    files_done: number; files_total: number; bytes_done: number; bytes_total: number;
    /** Files a second. */
    rate: number; left_ms: number; vectors_done: number; vectors_total: number;
  };
  rebuilding: { what: string; percent: number };
  /** A check of an answer that is kept fresh began or ended. */
  fresh: { run: string; thread: string; state: 'checking' | 'changed' | 'same' | 'failed' | 'paused' | 'off'; message: string };
}

export type LibraryEvent = {
  [K in keyof LibraryEventBodies]: { seq: number; at: string; kind: K; body: LibraryEventBodies[K] };
}[keyof LibraryEventBodies];

/** A job that outlasts the request that began it; the last two kinds end it. */
export type JobEvent = { job: string; seq: number; at: string } & (
  | { kind: 'pulling'; body: { status: string; done: number; total: number } }
  | { kind: 'done'; body: unknown }
  | { kind: 'failed'; body: Failure }
);
