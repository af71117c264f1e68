/** A question and what became of it, stage by stage, and how its passages were ranked. */
import type { Answer, Failure, ModelUsage, Scores } from './types-answer';
import type { Question, Weights } from './types-question';
import type { PassageInfo } from './types-source';

export type RunStatus = 'running' | 'finished' | 'failed' | 'stopped';

/** One question and what became of it. */
export interface Run {
  id: string;
  thread: string;
  question: Question;
  status: RunStatus;
  started: string;
  ended?: string;
  /** Of a finished run. */
  answer?: Answer;
  /** Text so far of a failed or stopped one. */
  partial?: string;
  failure?: Failure;
}

/** One stage of a run as its journal tells it. */
export interface TraceSpan {
  stage: string;
  state: 'end' | 'error' | 'open' | (string & {});
  began: string;
  ms: number;
  in: number;
  out: number;
  /** What models used meanwhile. */
  models: ModelUsage[] | null;
  decisions: TraceEvent[] | null;
  steps: TraceEvent[] | null;
  message?: string;
}

/** An event of a span; its body is that of its kind. */
export interface TraceEvent {
  seq: number;
  at: string;
  kind: string;
  body: Record<string, unknown>;
}

/** A passage that was looked at when the evidence was chosen. */
export interface Candidate {
  passage: string;
  source: string;
  title: string;
  address: string;
  engine: string;
  scores: Scores;
  rank_before: number;
  rank_after: number;
  chosen: boolean;
  reason: string;
}

/** Everything that decided which passages an answer may rest on. */
export interface Ranking {
  preset: string;
  k: number;
  weights: Weights;
  measure: string;
  candidates: Candidate[] | null;
}

export interface Trace {
  run: string;
  spans: TraceSpan[] | null;
  /** null when nothing was ranked. */
  ranking: Ranking | null;
}

/** Other weights, number of passages or measure; what is left out stays. */
export interface Replay {
  weights?: Weights;
  k?: number;
  measure?: string;
}

/** A chosen passage of a ranking. */
export interface RankedPlace {
  n: number;
  passage: string;
  source: string;
  title: string;
  address: string;
  scores: Scores;
}

export interface Replayed {
  before: RankedPlace[] | null;
  after: RankedPlace[] | null;
  /** Passages that came, went or stand elsewhere. */
  moved: number;
}

/** A file of which passages would go to a model, as they would go. */
export interface SentFile {
  source: string;
  title: string;
  path: string;
  passages: PassageInfo[] | null;
}
