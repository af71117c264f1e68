/**
 * The objects spoken of with the program: answers, runs, threads, sources, and from their own files the library and
 * settings; events.ts has what is told while it works. Names and shapes are those of the HTTP API and of the Go types.
 * Times are RFC 3339 in UTC, text offsets count Unicode code points (end
 * exclusive), durations end in `_ms`.
 */

export type * from './types-library';
export type * from './types-settings';

// ---- Questions -------------------------------------------------------------

export type Focus = 'all' | 'web' | 'local' | 'academic' | 'video' | 'community' | 'compute' | 'writing';
export type Mode = 'speed' | 'balanced' | 'agent' | 'deep';

/** Restricts the local side; all empty means the whole library. */
export interface Scope {
  files: string[];
  folders: string[];
  collections: string[];
}

/** Names of models: "" = the setting, "none" = no model, else provider/model. */
export interface Models {
  chat: string;
  system: string;
}

export interface Weights {
  semantic: number;
  keyword: number;
  freshness: number;
  authority: number;
}

/** A question with everything that belongs to it; body of POST /api/runs. */
export interface Question {
  question: string;
  thread?: string;
  /** Longer pasted text. */
  context?: string;
  focus: Focus;
  mode: Mode;
  submode?: string;
  web: boolean;
  offline: boolean;
  scope: Scope;
  preset: string;
  weights?: Weights;
  k?: number;
  models: Models;
  instructions?: string;
  personas?: string[];
  engines?: string[];
  language: string;
  cache: boolean;
  /** Kept in memory only; absent: as the settings say. */
  private?: boolean;
  /** An earlier run of the thread: it and all later ones leave the thread. */
  replaces?: string;
}

/** What a caller has to say; the rest takes its default. */
export type Ask = Pick<Question, 'question'> & Partial<Question>;

/** A run that has begun. */
export interface Asked {
  run: string;
  thread: string;
}

// ---- Answers ---------------------------------------------------------------

export type Outcome = 'answered' | 'extracted' | 'computed' | 'chatted' | 'no-evidence';
export type Verdict = 'supported' | 'partly' | 'not-found' | 'contradicted' | 'unchecked';
export type SourceKind = 'web' | 'file' | 'video' | 'discussion' | 'paper' | 'computed';

export interface Range {
  start: number;
  end: number;
}

export interface Quoted extends Range {
  text: string;
}

/** A place in a source's extracted text. */
export interface Locator {
  /** From 1; 0 when the source has no pages. */
  page: number;
  /** From 1; 0 when lines mean nothing here. */
  line: number;
  /** Heading path, outermost first, joined by " > ". */
  heading: string;
  start: number;
  end: number;
  /** The place in the words of its format, where pages and lines are none: "Slide 4". */
  place?: string;
}

/** Ties a claim of the answer to a quote of a passage. */
export interface Citation {
  marker: number;
  passage_id: string;
  source_id: string;
  /** Offsets of the answer. */
  claim: Quoted;
  /** Offsets of the passage's text. */
  quote: Quoted;
  /** Where the quote begins; start and end are those of its passage. Absent in answers of earlier versions. */
  locator?: Locator;
  highlight: Range[];
  verdict: Verdict;
  /** What is missing or differs; empty when supported. */
  why: string;
}

export interface PlacedPassage {
  id: string;
  locator: Locator;
}

/** Scores 0–1; null when a score does not exist. */
export interface Scores {
  semantic: number | null;
  keyword: number | null;
  freshness: number | null;
  authority: number | null;
  composite: number | null;
}

/** A numbered source of an answer. */
export interface SourceCard {
  n: number;
  id: string;
  kind: SourceKind;
  title: string;
  url?: string;
  domain?: string;
  path?: string;
  locator: Locator;
  passages: PlacedPassage[];
  image: string | null;
  published: string | null;
  engine: string;
  snippet: string;
  coverage: number;
  flags: string[];
  scores: Scores;
  rank_before: number;
  rank_after: number;
  reason: string;
  /** Paths of other files that say the same, or almost. */
  also_in?: string[];
}

export interface Report {
  has_citations: boolean;
  citation_count: number;
  all_citations_valid: boolean;
  estimated_factual_coverage: number;
  verdicts: Partial<Record<Verdict, number>>;
  unanswered: string[];
  warnings: string[];
}

export interface Disagreement {
  claim: string;
  sides: { source_id: string; value: string; date: string }[];
}

/** How a refreshed answer differs from the one before (`run`), and what became of that one's sources. */
export interface Diff {
  run: string;
  claims: { change: 'new' | 'gone' | 'changed'; before: string; after: string }[];
  /** Sources that cannot be read any more. */
  links: { source_id: string; title: string; address: string; code: string; reason: string }[];
  /** Cited passages whose words are not there any more; `after` comes nearest to them, and may be empty. */
  passages: { source_id: string; passage_id: string; title: string; address: string; before: string; after: string }[];
  sources: { change: 'new' | 'gone'; source_id: string; title: string; address: string }[];
}

export interface ModelUsage {
  model: string;
  prompt: number;
  completion: number;
  total: number;
  calls: number;
  estimated: boolean;
}

export interface Timing {
  plan_ms: number;
  gather_ms: number;
  read_ms: number;
  select_ms: number;
  first_text_ms: number;
  compose_ms: number;
  check_ms: number;
  images_ms: number;
  /** Of all of it: while models, engines or pages were awaited. */
  waited_ms?: number;
}

export interface LedgerEntry {
  host: string;
  purpose: string;
  bytes_out: number;
  bytes_in: number;
  requests: number;
  /** Ids of the passages that were sent. */
  sent: string[];
}

export interface Notice {
  code: string;
  level: 'info' | 'warn' | (string & {});
  message: string;
  action?: string;
}

/** The result of a finished run. */
export interface Answer {
  question: string;
  answer: string;
  outcome: Outcome;
  citations: Citation[];
  sources: SourceCard[];
  report: Report;
  disagreements: Disagreement[];
  follow_ups: string[];
  usage: { chat: ModelUsage; system: ModelUsage };
  timing: Timing;
  ledger: LedgerEntry[];
  notices: Notice[];
  run: string;
  thread: string;
  cached: boolean;
  diff?: Diff;
  timestamp: string;
  latency_ms: number;
}

/** How something failed, for people. The code is stable. */
export interface Failure {
  code: string;
  message: string;
  hint: string;
}

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

// ---- How a run went ---------------------------------------------------------

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

// ---- Threads ---------------------------------------------------------------

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

// ---- Sources and passages --------------------------------------------------

export interface SourceInfo {
  id: string;
  kind: SourceKind;
  title: string;
  url?: string;
  domain?: string;
  path?: string;
  published: string | null;
  digest: string;
  media_type: string;
  /** When it was read. */
  read_at: string;
  flags: string[];
  /** Pages of the document, 0 or absent when it has none. */
  pages?: number;
  coverage?: number;
}

/** A stretch of a source's text as it was read. Highlights are offsets of the whole text. */
export interface SourceText {
  text: string;
  start: number;
  end: number;
  total: number;
  highlight: Range[];
  page: number;
  heading: string;
  digest: string;
  /** The file or page has changed since it was read. */
  stale: boolean;
}

/** Which stretch of a source to show; `passage` or `citation` (run:marker index) win over offsets. */
export interface TextAt {
  start?: number;
  end?: number;
  passage?: string;
  citation?: string;
}

export interface PassageInfo {
  id: string;
  source: string;
  text: string;
  locator: Locator;
  chunk: number;
  /** Previous and next passage of the source; "" where there is none. */
  neighbours: [string, string];
}
