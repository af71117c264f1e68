/** What a finished run gives: text, citations, sources and what it took. */
export type Outcome = 'answered' | 'extracted' | 'computed' | 'chatted' | 'no-evidence';
export type Verdict = 'supported' | 'partly' | 'not-found' | 'contradicted' | 'unchecked';
export type SourceKind = 'web' | 'file' | 'video' | 'discussion' | 'paper' | 'computed' | 'pasted';

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
