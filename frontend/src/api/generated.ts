// Generated from the Go types and routes: do not edit. Write it anew with  go run ./build types

/* eslint-disable */

/** A file that was looked at. */
export interface AboutFile {
  id: string;
  name: string;
  topics: string[];
}

/** What files mostly say, in their own sentences, and questions that they answer, surest first. */
export interface AboutView {
  name: string;
  /** of a file or folder */
  path: string;
  /** that were looked at, the newest first */
  files: AboutFile[];
  /** of all of them */
  count: number;
  /** false: of a long file its beginning was looked at */
  whole: boolean;
  sentences: Sentence[];
  questions: Suggestion[];
}

/** AddRequest names files and folders to add; watch follows changes on disk and is on unless it is false. What was added joins Collection, an id or a name; there may be none of this name yet. */
export interface AddRequest {
  paths: string[];
  watch?: boolean | null;
  collection?: string;
}

/** AddView says what became of added paths. */
export interface AddView {
  added: AddedPath[];
  skipped: Skip[];
  /** folders are still looked through: more files will come */
  looking: boolean;
}

/** A root that was added. */
export interface AddedPath {
  id: string;
  path: string;
}

/** The result of a finished run, in the form of the API (§6.2): offsets count Unicode code points, nothing is left out when empty. */
export interface Answer {
  question: string;
  answer: string;
  outcome: Outcome;
  grade: Grade;
  /** that it answers, 0 to 1, calibrated; null where nothing was weighed */
  confidence: number | null;
  citations: Citation[];
  sources: SourceCard[];
  report: Report;
  disagreements: Disagreement[];
  follow_ups: string[];
  usage: UsagePair;
  timing: Timing;
  ledger: LedgerEntry[];
  notices: Notice[];
  run: string;
  thread: string;
  cached: boolean;
  /** of deep research, where the report came from */
  research?: Research;
  /** older turns, as the model read them; nil when all were whole */
  compacted?: Compacted;
  /** of a refreshed answer: what is other than before */
  diff?: Diff;
  timestamp: string;
  latency_ms: number;
}

export interface Answering {
  /** user, budget, steps */
  by: string;
}

/** Asked names a run that has begun. */
export interface Asked {
  run: string;
  thread: string;
  events: string;
}

/** What a search could not find yet. */
export interface Behind {
  /** that wait to be read */
  files: number;
  /** whose words are not in the index */
  passages: number;
  /** the index is being filled again */
  rebuilding: boolean;
}

/** The text of a .bib file and the folder it lies in. */
export interface BibTeX {
  text?: string;
  /** paths in the text may be relative to it */
  folder?: string;
}

/** BlockKind says what a run of text is. */
export type BlockKind = 'heading' | 'paragraph' | 'list' | 'row' | 'code';

/** Branched names the thread that a branch made. */
export interface Branched {
  thread: string;
}

/** Replayed says what became of an answer that was made again from its bundle: what the model had said was read again, and each of its claims was held against its passage again, without network and without a model. */
export interface BundleReplayed {
  run: string;
  /** the answer, as it comes out */
  text: string;
  /** it is the answer that is there */
  same: boolean;
  /** of the answer that is there */
  citations: number;
  /** of those: found again, with the verdict they have */
  agreed: number;
}

/** State says what a cell is worth. */
export type CellState = 'found' | 'not-sure' | 'absent' | 'failed';

/** Change says what became of something. */
export type Change = 'new' | 'gone' | 'changed';

/** A model that can answer. */
export interface ChatModelView {
  key: string;
  name: string;
  window: number;
  tools: boolean;
  schema: boolean;
}

export interface Checked {
  citations: Citation[];
  report: Report;
}

/** Citation ties a claim of the answer to a quote of a passage. Claim offsets are of the answer, the others of the passage's text. */
export interface Citation {
  marker: number;
  passage_id: string;
  source_id: string;
  claim: Quoted;
  quote: Quoted;
  /** where the quote begins; start and end are those of its passage */
  locator: Locator;
  highlight: Range[];
  verdict: Verdict;
  /** what is missing or differs; empty when supported */
  why: string;
}

/** CiteKeys tells how many keys are kept. */
export interface CiteKeys {
  cite_keys: number;
}

export interface Cited {
  marker: number;
  passage: string;
  claim: Range;
}

/** A sentence that the answers do not share. */
export interface ClaimChange {
  change: Change;
  /** empty when new */
  before: string;
  /** empty when gone */
  after: string;
}

export interface Clarified {
  reply: string;
  /** user, timeout, answer-now */
  by: string;
}

export interface ClarifyAsked {
  question: string;
  options: string[] | null;
  wait_ms: number;
}

/** ClarifyReply replies to what a run asked back. */
export interface ClarifyReply {
  reply: string;
}

/** A file of a collection. */
export interface CollectedFile {
  id: string;
  name: string;
  path: string;
}

/** CollectionChange names a collection and what it holds: ids of files or roots, or paths that are in the library. Nil members leave what there is; an empty name does as well. */
export interface CollectionChange {
  name?: string;
  files?: string[];
  folders?: string[];
}

/** A named set of files and folders. Files that were removed from the library are left out. */
export interface CollectionView {
  id: string;
  name: string;
  files: CollectedFile[];
  /** absolute paths */
  folders: string[];
  /** that are searched; files with equal bytes count once */
  texts: number;
  /** that ask it */
  threads: number;
  notes: number;
}

/** What the older turns of a thread were shortened to, word for word as the model read it. */
export interface Compacted {
  /** how many were shortened */
  turns: number;
  summary: string;
}

export interface Compressed {
  dimension: string;
  /** that bear on it */
  sources: number;
  /** too little was found to rely on */
  weak: boolean;
  /** characters */
  note_length: number;
  /** an excerpt stands for the summary */
  fallback: boolean;
}

export interface Compressing {
  dimension: string;
}

/** A candidate with what decided about it. */
export interface Considered {
  passage: string;
  text: string;
  row: boolean;
  /** by the cross-encoder; 0 where it did not read */
  log_odds: number;
  /** in meaning, by the sentence encoder; 0 where it did not read */
  near: number;
  /** log-odds by the joint encoder; 0 where it did not read */
  joint: number;
  /** how likely it is the answer */
  right: number;
  /** in the order of regression.FeatureNames */
  features: number[];
}

/** An exact count, by file, folder or type. */
export interface Counted {
  /** files */
  total: number;
  passages: number;
  times: number;
  /** files that were looked through; 0 when the count is restricted */
  searched: number;
  /** files that could not be: waiting or failed */
  unread: number;
  /** passages not in the index yet: the count may grow */
  pending: number;
  /** most places first */
  groups: Group[] | null;
  understood: Understood;
}

export interface Counters {
  searches: number;
  sources: number;
  pages: number;
  model_calls: number;
  tool_calls: number;
}

/** A source of the answer before that cannot be read any more. */
export interface DeadLink {
  source_id: string;
  title: string;
  address: string;
  /** as in unread; not-found for files */
  code: string;
  reason: string;
}

/** How a refreshed answer differs from the one before, and what became of that one's sources. What is as it was is not listed. */
export interface Diff {
  /** the answer before */
  run: string;
  claims: ClaimChange[];
  links: DeadLink[];
  passages: EditedPassage[];
  sources: SourceChange[];
}

export interface DimensionBegun {
  /** from 0, within its pass */
  index: number;
  total: number;
  dimension: string;
  /** the pass, from 1 */
  iteration: number;
}

/** A claim on which sources differ. */
export interface Disagreement {
  claim: string;
  sides: Side[];
}

/** DiscoverRequest asks for what is new; an empty topic means anything. */
export interface DiscoverRequest {
  topic?: string;
}

export interface Dropped {
  marker: string;
  at: number;
  /** no-such-source, malformed, unsupported */
  reason: string;
}

/** What is asked in the place of another question. */
export interface Edit {
  question: string;
}

/** A cited passage whose words do not stand in its source any more. After is what comes nearest to it there; empty when nothing does. */
export interface EditedPassage {
  source_id: string;
  passage_id: string;
  title: string;
  address: string;
  before: string;
  after: string;
}

/** A model that makes vectors. */
export interface EmbeddingModelView {
  key: string;
  name: string;
  dims: number;
}

/** How an engine stands, for the reader of the settings. */
export interface EngineStanding {
  name: string;
  kinds: string[];
  needs_key: boolean;
  enabled: boolean;
  consent: boolean;
  /** ready, suspended, no-address, no-key, no-consent, off */
  state: string;
  suspended_until: string | null;
  reason: string;
}

/** An error as it stands on the wire. */
export interface ErrorBody {
  code: string;
  message: string;
  hint: string;
  details: Record<string, unknown>;
}

export interface Evaluation {
  complete: boolean;
  gaps: string[] | null;
  /** model, rules */
  by: string;
}

/** A file that is being read. */
export interface Extracting {
  file: string;
  percent: number;
}

/** FailedFile gave no text. */
export interface FailedFile {
  file: string;
  code: string;
  reason: string;
}

export interface FailedRun {
  code: string;
  message: string;
  hint: string;
  stage: Stage;
  partial: string;
}

/** How a run failed, for people. */
export interface Failure {
  code: string;
  message: string;
  hint: string;
}

/** FileStatus says where a file stands, in the words of the API. */
export type FileStatus = 'waiting' | 'reading' | 'ready' | 'partial' | 'failed' | 'skipped' | 'away';

/** A file of the library as lists show it. */
export interface FileView {
  id: string;
  /** what was read of it; none before */
  source?: string;
  name: string;
  path: string;
  status: FileStatus;
  reason: string;
  pages: number;
  pages_read: number;
  pages_empty: number;
  garbled: number;
  truncated: boolean;
  /** the character set its letters were read in where that is doubtful; else empty */
  read_as: string;
  /** Footnote wrote it: an answer that was saved as a note, and proves no other */
  answer: boolean;
  chunks: number;
  topics: string[];
  bytes: number;
  modified: string;
  indexed: string;
  digest: string;
}

export interface Finding {
  text: string;
  dimension: string;
  passages: string[] | null;
}

export interface FinishedRun {
  outcome: Outcome;
  answer: Answer;
}

/** Focus says where evidence may come from. */
export type Focus = 'web' | 'local' | 'all' | 'academic' | 'video' | 'community' | 'compute' | 'writing';

/** A folder of this computer, as a picker shows it. */
export interface Folder {
  name: string;
  path: string;
}

/** The folders in one that may be read. */
export interface Folders {
  /** "" where a picker begins */
  path: string;
  /** "" where it cannot go up */
  parent: string;
  /** else it only leads to others */
  addable: boolean;
  folders: Folder[];
  /** folders that are not shown, there are so many */
  more: number;
}

export interface FollowUps {
  questions: string[];
}

export interface FoundLeads {
  query: string;
  engine: string;
  count: number;
  ms: number;
  leads: LeadCard[];
  error?: Failure;
  dimension?: string;
}

/** An answer that is kept fresh, as lists show it. */
export interface FreshView {
  /** the answer that a reader chose; later ones refresh it */
  run: string;
  thread: string;
  /** 0: not by the clock */
  every_ms: number;
  /** of a file that it cites */
  on_change: boolean;
  due?: string;
  tried?: string;
  /** the last try that came to its end */
  checked?: string;
  /** the last one that found changes */
  changed?: string;
  /** in a row */
  failures: number;
  /** the last of them */
  failure?: Failure;
  /** given up: it waits for a person */
  paused: boolean;
  /** changes were found that nobody has looked at */
  unseen: boolean;
  /** just now */
  checking: boolean;
  /** of its conversation */
  title: string;
}

/** A file, or a root, that is no longer there. */
export interface Gone {
  file: string;
  /** removed, not-reachable */
  state: string;
}

/** Grade says whether an answer answers. */
export type Grade = 'answers' | 'closest' | 'none';

/** A part of a count. */
export interface Group {
  /** file id, folder, or extension */
  key: string;
  /** for people */
  name: string;
  files: number;
  passages: number;
  times: number;
}

/** HealthView tells how the program stands. */
export interface HealthView {
  status: string;
  version: string;
  /** who is signed in, where people do */
  person?: string;
  data: Record<string, unknown>;
  index: Record<string, unknown>;
  models: Record<string, unknown>;
  engines: Record<string, unknown>;
  disk: Record<string, unknown>;
  uptime_ms: number;
  modes: Mode[];
  focuses: Focus[];
}

/** Imported names the conversation that a bundle brought, and tells whether its answers come out again of what the models had said. */
export interface Imported {
  thread: string;
  replayed: BundleReplayed[];
}

/** A job that outlasts the request that began it; the last two kinds end it. */
export type JobEvent = { job: string; seq: number; at: string } & (
  | { kind: 'pulling'; body: PullStep }
  | { kind: 'done'; body: unknown }
  | { kind: 'failed'; body: ErrorBody }
);

/** JobStarted names a job that has begun. */
export interface JobStarted {
  job: string;
}

/** A key that is stored. */
export interface KeyValue {
  value: string;
}

/** With whom something is shared. */
export type Kind = 'person' | 'group' | 'link';

/** The scripts that a PDF would not show here. */
export interface LackingIn {
  scripts: string[];
}

export interface LeadCard {
  source: string;
  title: string;
  address: string;
  domain: string;
  snippet: string;
  published?: string;
  engine_score: number;
}

/** LedgerEntry says what went to and came from one host for one purpose. Sent are the passages whose text went there: those that an answer is written from, and every one of a file of which a request carried words. */
export interface LedgerEntry {
  host: string;
  purpose: string;
  bytes_out: number;
  bytes_in: number;
  requests: number;
  sent: string[];
}

/** A file of which text went to a host, as far as it is still known. */
export interface LedgerFile {
  title: string;
  path: string;
}

/** An entry of the ledger with the run it belongs to; none where it is of no question. */
export interface LedgerLine {
  host: string;
  purpose: string;
  bytes_out: number;
  bytes_in: number;
  requests: number;
  sent: string[];
  run: string;
  files: LedgerFile[];
}

/** The reader's standing wish about a domain or folder: it comes first, last or never. Pattern is a domain, which means its subdomains too, or an absolute path, which means all below it. */
export interface Lens {
  pattern: string;
  /** boost, lower, block */
  action: string;
  note: string;
}

export interface LibraryEventBodies {
  seen: Seen;
  skipped: SkippedPath;
  queued: Queued;
  extracting: Extracting;
  searchable: Searchable;
  ready: ReadyFile;
  failed: FailedFile;
  gone: Gone;
  progress: Progress;
  rebuilding: Rebuilding;
  notice: LibraryNotice;
  fresh: News;
}

/** One numbered fact; a client skips kinds that it does not know. */
export type LibraryEvent = {
  [K in keyof LibraryEventBodies]: { seq: number; at: string; kind: K; body: LibraryEventBodies[K] };
}[keyof LibraryEventBodies];

/** Noticed tells people of a state that needs no action, or says which. */
export interface LibraryNotice {
  /** disk-full, data-damaged, watch-limit, index-trouble, vectors-missing */
  code: string;
  message: string;
}

/** The library as a whole. */
export interface LibraryView {
  roots: RootView[];
  totals: Totals;
  /** percent while the index is filled again */
  rebuilding: number | null;
  progress: Progress;
  /** what was told up to this number is in it */
  last_event: number;
}

/** A place in a source's extracted text. */
export interface Locator {
  /** from 1; 0 when the source has no pages */
  page: number;
  /** from 1; 0 when lines mean nothing here */
  line: number;
  /** heading path, outermost first, joined by " > " */
  heading: string;
  /** code points, in the source's extracted text */
  start: number;
  /** exclusive */
  end: number;
  /** in the words of its format where pages and lines are none: "Slide 4", "Sheet 'Costs' B2:D9" */
  place?: string;
}

/** LookRequest asks for pictures, videos or suggestions. */
export interface LookRequest {
  query?: string;
}

/** A passage that search as you type found. */
export interface Match {
  file: string;
  passage: string;
  source: string;
  title: string;
  path: string;
  locator: Locator;
  snippet: string;
  /** code points of Snippet: the words that match */
  marks: [number, number][];
  score: number;
  via: string;
  /** other files that say the same, or almost */
  also_in: string[];
}

/** The best ones, best first. */
export interface Matches {
  items: Match[];
  /** passages found */
  total: number;
  /** there may be more: at most 200 are looked for, with a phrase as many as are shown */
  more: boolean;
  took_ms: number;
  understood: Understood;
  /** what could not be found yet; null when all could */
  behind: Behind | null;
}

/** Mode says how much work a question gets. */
export type Mode = 'speed' | 'balanced' | 'agent' | 'deep';

/** ModelNamed names a model as provider/model. */
export interface ModelNamed {
  model: string;
}

export interface ModelNames {
  chat: string;
  system: string;
  rewrite: string;
  embedding: string;
  rerank: string;
}

/** ModelStats says which models wrote an answer and what it took. */
export interface ModelStats {
  modelName: string;
  modelNameChat: string;
  modelNameSystem: string;
  usage: TokenTotal;
  usageChat: ModelUsage;
  usageSystem: ModelUsage;
  responseTime: number;
}

/** ModelUsage counts what one role used. */
export interface ModelUsage {
  model: string;
  prompt: number;
  completion: number;
  total: number;
  calls: number;
  estimated: boolean;
}

/** Models names the models of one question; empty means the setting, "none" no model at all, else provider/model. */
export interface Models {
  chat: string;
  system: string;
}

/** ModelsView lists providers and roles. */
export interface ModelsView {
  providers: ProviderView[];
  roles: Roles;
  resolved: { chat: string; system: string; };
}

/** What is written down: text, words of a source, or both. */
export interface NewNote {
  text?: string;
  quote?: Quote | null;
}

/** NewShare says with whom a conversation is to be shared: a person or group by name, or whoever has its link. */
export interface NewShare {
  name?: string;
  link?: boolean;
}

/** News tells open windows of a check that began or ended. */
export interface News {
  /** of the subscription */
  run: string;
  thread: string;
  /** checking, changed, same, failed, paused, off */
  state: string;
  /** why it failed */
  message: string;
}

/** What a reader wrote down in a collection, with the words it is about. */
export interface Note {
  id: string;
  collection: string;
  /** may be empty where something is quoted */
  text: string;
  quote?: Quote;
  made: string;
  changed: string;
}

/** Another text of a note. */
export interface NoteChange {
  text?: string;
}

/** Notice tells the reader something about how the answer came to be. */
export interface Notice {
  code: string;
  /** info, warn */
  level: string;
  message: string;
  action?: string;
}

export interface Noticed {
  code: string;
  level: string;
  message: string;
  action?: string;
}

/** A version that was published. */
export interface Offer {
  /** three numbers with dots */
  version: string;
  /** year-month-day */
  date: string;
  /** where it is described and downloaded: https */
  page: string;
}

/** Opened names what a link shows. */
export interface Opened {
  id: string;
}

/** Outcome says what kind of answer came out. */
export type Outcome = 'answered' | 'extracted' | 'computed' | 'chatted' | 'no-evidence';

export interface Outlined {
  /** its headings, in order; one may be left out */
  sections: string[];
}

/** One slice of a list. */
export interface Page<T> {
  items: T[];
  next: string | null;
}

/** A passage with the ids of the ones around it. */
export interface PassageView {
  id: string;
  source: string;
  text: string;
  locator: Locator;
  chunk: number;
  neighbours: [string, string];
}

/** A system prompt of the reader's own. */
export interface Persona {
  id: string;
  name: string;
  text: string;
}

/** What a persona is made of. */
export interface PersonaText {
  name: string;
  text: string;
}

export interface Picture {
  source: string;
  /** path it is served under */
  image: string;
}

/** A chosen passage of a ranking. */
export interface Place {
  /** from 1 */
  n: number;
  passage: string;
  source: string;
  title: string;
  address: string;
  scores: Scores;
}

/** A passage of a source card. */
export interface PlacedPassage {
  id: string;
  locator: Locator;
}

/** What deep research shall look into. */
export interface PlanChange {
  dimensions?: string[];
  hold?: boolean;
}

export interface Planned {
  standalone: string;
  queries: string[];
  search: boolean;
  shelf: boolean;
  reason: string;
  /** model, rules, cache */
  by: string;
  preset: string;
  k: number;
  weights: Weights;
}

/** Progress says how far the work is that is going on; files and bytes count from the moment the library was last at rest. */
export interface Progress {
  files_done: number;
  files_total: number;
  bytes_done: number;
  bytes_total: number;
  /** files a second */
  rate: number;
  /** estimate; 0 when there is none */
  left_ms: number;
  vectors_done: number;
  vectors_total: number;
}

/** ProviderNamed names a provider. */
export interface ProviderNamed {
  provider: string;
}

/** A provider with what its server listed. */
export interface ProviderView {
  id: string;
  name: string;
  kind: string;
  origin: string;
  configured: boolean;
  reachable: boolean;
  local: boolean;
  needs_key: boolean;
  /** named in the settings by the reader */
  custom?: boolean;
  /** variable with a key that is not used yet */
  offer?: string;
  error?: ErrorBody;
  chatModels: ChatModelView[];
  embeddingModels: EmbeddingModelView[];
}

/** How far the fetching of a model has come; Done and Total are bytes of the part that Status names. */
export interface PullStep {
  status: string;
  done: number;
  total: number;
}

/** What a reader asks, with everything that belongs to the message. Its JSON form is the body of POST /api/runs. */
export interface Question {
  question: string;
  thread?: string;
  /** longer pasted text */
  context?: string;
  focus: Focus;
  mode: Mode;
  submode?: SubMode;
  web: boolean;
  offline: boolean;
  scope: Scope;
  preset: string;
  weights?: Weights;
  /** passages given to the model; 0 = the preset's */
  k?: number;
  models: Models;
  instructions?: string;
  personas?: string[];
  engines?: string[];
  language: string;
  cache: boolean;
  private: boolean;
  replaces?: string;
  /** an answer of the thread that this one is compared with */
  refreshes?: string;
  /** nobody is there to reply: nothing is asked back */
  unattended?: boolean;
  /** no turn of its thread, unless it finds changes; set by the engine */
  aside?: boolean;
  /** of the web, nothing older than a day, week, month or year */
  since?: string;
  /** of the web, only these; with a dash before it, all but this */
  domains?: string[];
  /** whose engines are asked as well */
  beside?: Focus[];
  /** of a conversation that is kept elsewhere, oldest first */
  earlier?: Said[];
  /** words of the text that another program took from files: they do not leave */
  untold?: string;
}

/** A file that waits to be read. */
export interface Queued {
  file: string;
}

/** Words of a source as it was read. */
export interface Quote {
  text: string;
  source: string;
  /** of the source */
  title: string;
  locator: Locator;
}

/** A range with the text it covers. */
export interface Quoted {
  start: number;
  end: number;
  text: string;
}

/** A half-open range of code points. */
export interface Range {
  start: number;
  end: number;
}

/** Everything that decided which passages an answer may rest on: the numbers shown can be computed from it again, also under other weights. */
export interface Ranking {
  question: string;
  preset: string;
  k: number;
  weights: Weights;
  measure: string;
  floor: number;
  max_per_domain: number;
  /** by rank */
  candidates: TracedCandidate[] | null;
  /** of an answer without a model */
  answer?: Trace;
}

/** Places in the order of all passages, from 1; nil where the passage does not stand in it. */
export interface Ranks {
  keyword: number | null;
  vector: number | null;
  fused: number | null;
}

export interface ReadDone {
  /** the lead's, as in reading */
  source: string;
  /** what was read, where its address and text give it another name */
  document?: string;
  chars: number;
  ms: number;
  /** network, cache, file */
  from: string;
  coverage: number;
  dimension?: string;
}

export interface Reading {
  source: string;
  address: string;
  dimension?: string;
}

/** A file whose text is stored and searchable. */
export interface ReadyFile {
  file: string;
  /** share of it that was read, 0 to 1 */
  coverage: number;
}

/** Rebuilding tells that a cache is being filled again. */
export interface Rebuilding {
  what: string;
  percent: number;
}

/** Replay asks how a ranking had been under other weights, K or measure; what is left out stays as it was. */
export interface Replay {
  weights?: Weights | null;
  k?: number;
  measure?: string;
}

/** Replayed compares two rankings over the same candidates. */
export interface Replayed {
  before: Place[] | null;
  after: Place[] | null;
  /** passages that came, went or stand elsewhere */
  moved: number;
}

/** The quality report of an answer (CITE-8). */
export interface Report {
  has_citations: boolean;
  citation_count: number;
  all_citations_valid: boolean;
  estimated_factual_coverage: number;
  verdicts: Partial<Record<Verdict, number>>;
  unanswered: string[];
  warnings: string[];
  /** encoder when the sentence encoder had a say; else by words alone */
  table?: string;
}

/** Rescanned names the roots that are looked through. */
export interface Rescanned {
  /** empty: everything */
  ids?: string[];
}

/** What a report came from; it goes with the answer of deep research. */
export interface Research {
  submode: SubMode;
  brief: string;
  /** that something was found on */
  dimensions: string[];
  /** that nothing was found on */
  open: string[];
  /** the best six */
  key_findings: string[];
  related: string[];
  /** passes */
  iterations: number;
  findings: number;
  /** the limit that ended it */
  early?: string;
}

/** What is different when a question is asked again. */
export interface RetryChange {
  mode?: Mode;
  models?: Partial<Models>;
}

/** Roles say which model does what. */
export interface Roles {
  chat: string;
  system: string;
  rewrite: string;
  embedding: string;
  rerank: string;
  link_system_to_chat: boolean;
}

/** RolesChange sets roles; nil leaves one as it is. */
export interface RolesChange {
  chat?: string | null;
  system?: string | null;
  rewrite?: string | null;
  embedding?: string | null;
  rerank?: string | null;
  link_system_to_chat?: boolean | null;
}

/** A folder or file that was added. */
export interface RootView {
  id: string;
  path: string;
  watch: boolean;
  /** else a file that was added by itself */
  folder: boolean;
  /** the sample library, which came with the program */
  sample: boolean;
  files: number;
  ready: number;
  /** ready, reading, away, shut: it cannot be looked into */
  state: string;
  /** folders in it, or itself, that cannot be looked into; the first ones */
  shut: Skip[];
  /** how many there are of them */
  closed: number;
}

/** Every route of the native API: parameters of its query, its body and its answer. */
export interface Routes {
  /** Asks a question. With wait=true the answer comes with the response, and nothing is asked back. */
  'POST /api/runs': { asks: 'wait'; takes: Partial<Question> & Pick<Question, 'question'>; gives: Asked };
  /** Lists runs, newest first. */
  'GET /api/runs': { asks: 'status' | 'thread' | 'limit' | 'after'; gives: Page<Run> };
  /** A run with its answer, or what there is of it. */
  'GET /api/runs/{id}': { gives: RunView };
  /** The events of a run: replay, then live. Last-Event-ID or after goes on from a number. */
  'GET /api/runs/{id}/events': { asks: 'after' | 'format'; gives: Response };
  /** Ends a run at once; its text so far is kept. */
  'POST /api/runs/{id}/stop': { takes: Record<string, never>; gives: Record<string, Status> };
  /** Ends the search; the answer is written from what is there. */
  'POST /api/runs/{id}/answer-now': { takes: Record<string, never>; gives: Record<string, string> };
  /** Asks the same question again. */
  'POST /api/runs/{id}/retry': { takes: RetryChange; gives: Asked };
  /** Asks another question in the place of a run's, in a new conversation that begins with the same turns; the old one stays. */
  'POST /api/runs/{id}/edit': { takes: Edit; gives: Asked };
  /** Asks the question of an answered run again; the new answer says in diff how it differs. */
  'POST /api/runs/{id}/refresh': { takes: Record<string, never>; gives: Asked };
  /** How an answer is kept fresh: when it is due, and how the last checks went. */
  'GET /api/runs/{id}/fresh': { gives: Subscription };
  /** Keeps an answer fresh: its question is asked again by the clock, an hour or more apart, or when a file that it cites changes. Changes come as a turn of its thread. */
  'PUT /api/runs/{id}/fresh': { takes: Schedule; gives: Subscription };
  /** Keeps an answer fresh no longer. */
  'DELETE /api/runs/{id}/fresh': { gives: void };
  /** Lists the answers that are kept fresh. */
  'GET /api/fresh': { gives: Page<FreshView> };
  /** Notes that what checks found in a conversation was looked at. */
  'POST /api/threads/{id}/seen': { takes: Record<string, never>; gives: void };
  /** Replies to what a run asked back. */
  'POST /api/runs/{id}/clarify': { takes: ClarifyReply; gives: Record<string, string> };
  /** Changes the plan of deep research while it is reviewed. */
  'POST /api/runs/{id}/plan': { takes: PlanChange; gives: Record<string, string> };
  /** Skips, deepens or edits a subquestion while deep research looks into it. */
  'POST /api/runs/{id}/steer': { takes: Steer; gives: Record<string, string> };
  /** What a run sent and received. */
  'GET /api/runs/{id}/ledger': { gives: Page<LedgerEntry> };
  /** How a run went: stages, decisions, ranking. */
  'GET /api/runs/{id}/trace': { gives: TraceView };
  /** Ranks again what a run gathered, without the network. */
  'POST /api/runs/{id}/replay': { takes: Replay; gives: Replayed };
  /** The file text that waits for consent before it goes to a model elsewhere. */
  'GET /api/runs/{id}/preview': { gives: Page<SentFile> };
  /** What all runs sent and received. */
  'GET /api/ledger': { asks: 'run' | 'host' | 'limit' | 'after'; gives: Page<LedgerLine> };
  /** Lists conversations. */
  'GET /api/threads': { asks: 'q' | 'type' | 'collection' | 'limit' | 'after'; gives: Page<ThreadInfo> };
  /** A conversation with its runs in order. */
  'GET /api/threads/{id}': { gives: ThreadView };
  /** Renames or pins a conversation, or puts it into a collection. */
  'PATCH /api/threads/{id}': { takes: ThreadChange; gives: ThreadView };
  /** Deletes a conversation; what runs in it is stopped. */
  'DELETE /api/threads/{id}': { asks: 'erase'; gives: void };
  /** Copies a conversation up to a run into a new one. */
  'POST /api/threads/{id}/branch': { takes: RunOf; gives: Branched };
  /** Makes a conversation whole again where its runs are damaged. */
  'POST /api/threads/{id}/repair': { takes: Record<string, never>; gives: ThreadView };
  /** Brings back a conversation that was exported as bundle, sent in a part named file. */
  'POST /api/import': { gives: Imported };
  /** A conversation as a file. */
  'GET /api/threads/{id}/export': { asks: 'format' | 'style' | 'run'; gives: Response };
  /** The scripts that the PDF of a conversation would not show. */
  'GET /api/threads/{id}/export/lacking': { asks: 'run'; gives: LackingIn };
  /** Saves an answer as a note in the folder of the settings. */
  'POST /api/threads/{id}/note': { takes: Partial<RunOf> & Pick<RunOf, 'run'>; gives: SavedNote };
  /** A source as it was read. */
  'GET /api/sources/{id}': { gives: SourceView };
  /** A stretch of a source's text, with what is to be highlighted. */
  'GET /api/sources/{id}/text': { asks: 'start' | 'end' | 'passage' | 'citation'; gives: TextView };
  /** A page of a document as a picture. */
  'GET /api/sources/{id}/page/{n}': { gives: Response };
  /** The stored preview of a source. */
  'GET /api/sources/{id}/image': { gives: Response };
  /** The original bytes of a file. */
  'GET /api/sources/{id}/file': { gives: Response };
  /** Opens a file in the system's own program. */
  'POST /api/sources/{id}/open': { takes: Record<string, never>; gives: void };
  /** A passage with the ones around it. */
  'GET /api/passages/{id}': { gives: PassageView };
  /** Adds files and folders, which are read in place. */
  'POST /api/library': { takes: AddRequest; gives: AddView };
  /** Adds the sample library that the program brings along. */
  'POST /api/library/sample': { takes: Record<string, never>; gives: AddView };
  /** Adds the files, annotations and collections of a library of Zotero, which is only read. */
  'POST /api/library/zotero': { takes: ZoteroFolder; gives: ZoteroView };
  /** Keeps the cite keys of a BibTeX file for exports. */
  'POST /api/library/cite-keys': { takes: BibTeX; gives: CiteKeys };
  /** Takes files, each in a part named file, and keeps them in the data folder. */
  'POST /api/library/uploads': { gives: Uploads };
  /** What the library holds and how far the work is. */
  'GET /api/library': { gives: LibraryView };
  /** The folders in a folder that can be added; without a path, where to begin. */
  'GET /api/library/folders': { asks: 'path'; gives: Folders };
  /** Lists files. */
  'GET /api/library/files': { asks: 'q' | 'status' | 'root' | 'sort' | 'limit' | 'after'; gives: Page<FileView> };
  /** A file. */
  'GET /api/library/files/{id}': { gives: FileView };
  /** Why a file is found for a question, or not. */
  'GET /api/library/files/{id}/why': { asks: 'q'; gives: Why };
  /** What a file, folder or collection is about: sentences that say most of it, and three questions that it answers. */
  'GET /api/library/about': { asks: 'file' | 'folder' | 'collection'; gives: AboutView };
  /** Reads again what has changed. */
  'POST /api/library/rescan': { takes: Rescanned; gives: Record<string, boolean> };
  /** Forgets a file or a root; the files themselves stay. */
  'DELETE /api/library/{id}': { gives: void };
  /** Finds passages by words. */
  'GET /api/library/search': { asks: 'q' | 'limit'; gives: Matches };
  /** Counts the files that mention something, exactly. */
  'GET /api/library/count': { asks: 'q' | 'by'; gives: Counted };
  /** What happens in the library: replay, then live. */
  'GET /api/library/events': { asks: 'after'; gives: Response };
  /** Lists named sets of files and folders. */
  'GET /api/collections': { gives: Page<CollectionView> };
  /** Makes a collection. */
  'POST /api/collections': { takes: CollectionChange; gives: CollectionView };
  /** A collection. */
  'GET /api/collections/{id}': { gives: CollectionView };
  /** Gives a collection another name or other members. */
  'POST /api/collections/{id}': { takes: Partial<CollectionChange>; gives: CollectionView };
  /** Forgets a collection with its notes; its files and conversations stay. */
  'DELETE /api/collections/{id}': { gives: void };
  /** Lists the notes of a collection, newest first. */
  'GET /api/collections/{id}/notes': { gives: Page<Note> };
  /** Writes a note, with or without words of a source. */
  'POST /api/collections/{id}/notes': { takes: NewNote; gives: Note };
  /** Writes a note anew; what it quotes stays. */
  'PATCH /api/notes/{id}': { takes: NoteChange; gives: Note };
  /** Deletes a note. */
  'DELETE /api/notes/{id}': { gives: void };
  /** The providers with their models, and which model has which role. */
  'GET /api/models': { gives: ModelsView };
  /** Makes a short round trip with a model. */
  'POST /api/models/test': { takes: ModelNamed; gives: TestView };
  /** Asks a provider for its models. */
  'POST /api/models/list': { takes: ProviderNamed; gives: ProviderView };
  /** Has a local server fetch a model. */
  'POST /api/models/pull': { takes: Partial<ModelNamed> & Pick<ModelNamed, 'model'>; gives: JobStarted };
  /** Gives models their roles. */
  'PUT /api/models/roles': { takes: RolesChange; gives: Roles };
  /** How a job stands until it ends. */
  'GET /api/jobs/{id}/events': { asks: 'after'; gives: Response };
  /** Ends a job. */
  'DELETE /api/jobs/{id}': { gives: void };
  /** The search engines and how they stand. */
  'GET /api/engines': { gives: Page<EngineStanding> };
  /** Asks an engine something small. */
  'POST /api/engines/{name}/test': { takes: Record<string, never>; gives: TestView };
  /** The settings, their defaults and where each comes from. */
  'GET /api/settings': { gives: SettingsView };
  /** Changes settings; a bad value changes nothing. */
  'PUT /api/settings': { takes: Record<string, unknown>; gives: SettingsView };
  /** Stores a key, which is never read back. */
  'PUT /api/keys/{name}': { takes: KeyValue; gives: void };
  /** Forgets a key. */
  'DELETE /api/keys/{name}': { gives: void };
  /** Whether a newer version is known; nothing is asked. */
  'GET /api/update': { gives: UpdateView };
  /** Asks now whether there is a newer version; nothing is fetched. */
  'POST /api/update': { takes: Record<string, never>; gives: UpdateView };
  /** How the program is. */
  'GET /api/health': { gives: HealthView };
  /** Shows the data folder in the system's file manager. */
  'POST /api/data/open': { takes: Record<string, never>; gives: void };
  /** Lists system prompts by name. */
  'GET /api/personas': { gives: Page<Persona> };
  /** Adds a persona. */
  'POST /api/personas': { takes: PersonaText; gives: Persona };
  /** Changes a persona. */
  'PUT /api/personas/{id}': { takes: Partial<PersonaText> & Pick<PersonaText, 'name' | 'text'>; gives: Persona };
  /** Removes a persona. */
  'DELETE /api/personas/{id}': { gives: void };
  /** The domains and folders that come first, last or never. */
  'GET /api/lenses': { gives: Page<Lens> };
  /** Replaces the lenses. */
  'PUT /api/lenses': { takes: Lens[]; gives: Page<Lens> };
  /** The providers that may be sent text of files. */
  'GET /api/consents': { gives: Page<string> };
  /** Allows a provider to be sent text of files. */
  'PUT /api/consents/{provider}': { takes: Record<string, never>; gives: void };
  /** Takes that back. */
  'DELETE /api/consents/{provider}': { gives: void };
  /** Finds pictures. */
  'POST /api/images': { takes: LookRequest; gives: Page<ThingView> };
  /** Finds videos. */
  'POST /api/videos': { takes: Partial<LookRequest>; gives: Page<ThingView> };
  /** Completes a question that is being typed. */
  'POST /api/suggestions': { takes: Partial<LookRequest>; gives: Page<string> };
  /** Finds what was published of late. */
  'POST /api/discover': { takes: DiscoverRequest; gives: Page<ThingView> };
  /** Opens connections to the model and the engines that the reader chose, while a question is typed; never while the web is off. */
  'POST /api/warm': { takes: WarmRequest; gives: void };
  /** This description. */
  'GET /api/openapi.json': { gives: Record<string, unknown> };
  /** Lists evidence tables, newest first. */
  'GET /api/tables': { gives: Page<TableView> };
  /** Makes an evidence table: each file is asked each question, and each cell has its passage. */
  'POST /api/tables': { takes: TableChange; gives: TableView };
  /** An evidence table with its cells. */
  'GET /api/tables/{id}': { gives: TableView };
  /** Renames an evidence table, or gives it other questions or more files; cells of what stays are kept. */
  'PATCH /api/tables/{id}': { takes: Partial<TableChange>; gives: TableView };
  /** Deletes an evidence table; its files stay. */
  'DELETE /api/tables/{id}': { gives: void };
  /** Asks nothing more; what is filled stays. */
  'POST /api/tables/{id}/stop': { takes: Record<string, never>; gives: TableView };
  /** Goes on with a table that was stopped, and asks again what could not be read. */
  'POST /api/tables/{id}/fill': { takes: Record<string, never>; gives: TableView };
  /** The cells of a table as they are filled: replay, then live, until none is empty. */
  'GET /api/tables/{id}/events': { asks: 'after'; gives: Response };
  /** An evidence table as a file with links to the passages. */
  'GET /api/tables/{id}/export': { asks: 'format'; gives: Response };
  /** With whom a conversation is shared. */
  'GET /api/threads/{id}/shares': { gives: Page<Share> };
  /** Shares a conversation with a person or group of the team, or by a link for the team; each sees of its answers what they may read. */
  'POST /api/threads/{id}/shares': { takes: NewShare; gives: Share };
  /** Ends a share at once. */
  'DELETE /api/threads/{id}/shares/{share}': { gives: void };
  /** Lists conversations that others share. */
  'GET /api/shared': { gives: Page<Shared> };
  /** Opens what a link shows. */
  'POST /api/shared/open': { takes: SharedLink; gives: Opened };
  /** A conversation of somebody else as far as one may see it: an answer is whole to who may read all that it had. */
  'GET /api/shared/{id}': { gives: Thread };
  /** The same as a file. */
  'GET /api/shared/{id}/export': { asks: 'format' | 'style' | 'run'; gives: Response };
  /** Makes a conversation of one's own of it, to ask further. */
  'POST /api/shared/{id}/copy': { takes: Record<string, never>; gives: Branched };
  /** The text of a run of somebody else as it is written, and its end, to who may read all that it has. */
  'GET /api/shared/{id}/runs/{run}/events': { asks: 'after'; gives: Response };
}

/** One question and what became of it. */
export interface Run {
  id: string;
  thread: string;
  question: Question;
  status: Status;
  started: string;
  ended?: string;
  /** of a finished run */
  answer?: Answer;
  /** text of a failed or stopped one */
  partial?: string;
  failure?: Failure;
  /** of a failed or stopped run; a finished one's is in its answer */
  ledger?: LedgerEntry[];
}

export interface RunEventBodies {
  started: Started;
  stage: StageChanged;
  planned: Planned;
  scoped: Scoped;
  dimension: DimensionBegun;
  steered: Steered;
  outlined: Outlined;
  searching: Searching;
  found: FoundLeads;
  reading: Reading;
  read: ReadDone;
  unread: Unread;
  compressing: Compressing;
  compressed: Compressed;
  finding: Finding;
  evaluation: Evaluation;
  selected: Selected;
  thinking: Thinking;
  text: TextDelta;
  cited: Cited;
  dropped: Dropped;
  checked: Checked;
  counters: Counters;
  usage: UsageCounted;
  notice: Noticed;
  tool: ToolPart;
  clarify: ClarifyAsked;
  clarified: Clarified;
  answering: Answering;
  follow_ups: FollowUps;
  image: Picture;
  finished: FinishedRun;
  failed: FailedRun;
  stopped: StoppedRun;
}

/** One numbered fact; a client skips kinds that it does not know. */
export type RunEvent = {
  [K in keyof RunEventBodies]: { run: string; seq: number; at: string; kind: K; body: RunEventBodies[K] };
}[keyof RunEventBodies];

/** What of an answer is counted; nil without one. */
export interface RunMetadata {
  modelStats?: ModelStats;
}

/** RunOf names a run of a conversation: the one after which a branch goes its own way, or whose answer is saved. */
export interface RunOf {
  run: string;
}

/** A run with the counts that the last event carried. */
export interface RunView {
  id: string;
  thread: string;
  question: Question;
  status: Status;
  started: string;
  ended?: string;
  /** of a finished run */
  answer?: Answer;
  /** text of a failed or stopped one */
  partial?: string;
  failure?: Failure;
  /** of a failed or stopped run; a finished one's is in its answer */
  ledger?: LedgerEntry[];
  metadata: RunMetadata;
}

/** A turn of a conversation that the asking program keeps itself. */
export interface Said {
  question: string;
  answer: string;
}

/** A note in its folder. */
export interface SavedNote {
  /** of the file */
  name: string;
  /** of the file, on this computer */
  path: string;
  /** it was saved before, word for word */
  there: boolean;
}

/** How an answer is to be kept fresh: by the clock, by its files, or both. */
export interface Schedule {
  every_ms?: number;
  on_change?: boolean;
}

/** Scope restricts a search of the reader's own files. All empty means the whole library. */
export interface Scope {
  /** file ids or absolute paths */
  files: string[] | null;
  folders: string[] | null;
  collections: string[] | null;
}

export interface Scoped {
  brief: string;
  /** subquestions, in order */
  dimensions: string[] | null;
  /** when the evidence suffices */
  criteria: string[] | null;
  notes: string;
  /** how long the run waits for the reader; 0 when it does not */
  review_ms: number;
  /** model, rules, user */
  by: string;
}

/** Scores of a source or passage; a score that does not exist is nil. */
export interface Scores {
  semantic: number | null;
  keyword: number | null;
  freshness: number | null;
  authority: number | null;
  composite: number | null;
}

/** A file whose words are in the index. */
export interface Searchable {
  file: string;
  chunks: number;
}

export interface Searching {
  query: string;
  engine: string;
  category?: string;
  page: number;
  /** the subquestion of deep research that it is for */
  dimension?: string;
}

/** A file that was met for the first time. */
export interface Seen {
  file: string;
  path: string;
}

export interface Selected {
  passages: SelectedPassage[];
  sources: SourceCard[];
  local: number;
  web: number;
  budget: TokenBudget;
}

export interface SelectedPassage {
  id: string;
  source: string;
  n: number;
  rank_before: number;
  rank_after: number;
  scores: Scores;
}

/** A file of which passages would go to a model, as they would go. */
export interface SentFile {
  source: string;
  title: string;
  path: string;
  passages: PassageView[] | null;
}

/** One of those that say most of a file, with its place. */
export interface Sentence {
  text: string;
  source: string;
  passage: string;
  /** of the sentence, in the text of its source */
  locator: Locator;
  /** id */
  file: string;
}

/** Every setting with its default and where its value comes from. */
export interface SettingsView {
  values: Record<string, unknown>;
  defaults: Record<string, unknown>;
  origin: Record<string, string>;
  keys: Record<string, boolean>;
}

/** Share lets somebody see a conversation. */
export interface Share {
  id: string;
  kind: Kind;
  /** name; empty of a link */
  to: string;
  made: string;
  /** of a link that was just made: it is told once */
  secret?: string;
}

/** A conversation of somebody else as lists show it. */
export interface Shared {
  id: string;
  from: string;
  title: string;
  updated: string;
  runs: number;
}

/** The secret of a link. */
export interface SharedLink {
  secret: string;
}

/** What one source says on a disputed claim. */
export interface Side {
  source_id: string;
  value: string;
  /** of the source, YYYY-MM-DD; empty when unknown */
  date: string;
  /** that says so */
  passage_id: string;
  /** its sentence */
  quote: string;
}

/** A path that was left out, with the reason for people. */
export interface Skip {
  path: string;
  reason: string;
}

/** SkippedPath was left out, with the reason for people. */
export interface SkippedPath {
  path: string;
  reason: string;
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
  /** YYYY-MM-DD */
  published: string | null;
  engine: string;
  snippet: string;
  coverage: number;
  flags: string[];
  scores: Scores;
  rank_before: number;
  rank_after: number;
  reason: string;
  /** paths of files and addresses of pages that say the same, or almost: copies, which are no sources of their own */
  also_in?: string[];
}

/** A source that only one of the answers has. */
export interface SourceChange {
  change: Change;
  source_id: string;
  title: string;
  address: string;
}

/** Kind says what a source is. */
export type SourceKind = 'web' | 'file' | 'video' | 'discussion' | 'paper' | 'computed' | 'pasted';

/** A source as it was read. */
export interface SourceView {
  id: string;
  kind: SourceKind;
  title: string;
  url?: string;
  domain?: string;
  path?: string;
  published: string | null;
  digest: string;
  media_type: string;
  read_at: string;
  flags: string[];
  pages: number;
  coverage: number;
}

/** One stage of a run as its journal tells it. */
export interface Span {
  stage: Stage;
  /** end, error, open */
  state: string;
  began: string;
  ms: number;
  in: number;
  out: number;
  /** what models used meanwhile, chat and system */
  models: ModelUsage[] | null;
  /** planned, selected, notices and refusals */
  decisions: RunEvent[] | null;
  /** searches, pages and tools, in order */
  steps: RunEvent[] | null;
  message?: string;
}

/** A step of a run that a reader sees. */
export type Stage = 'plan' | 'gather' | 'read' | 'select' | 'compose' | 'check' | 'images' | 'finish' | 'scope' | 'plan-review' | 'research' | 'evaluating' | 'synthesis';

export interface StageChanged {
  stage: Stage;
  /** start, progress, end, error */
  state: string;
  label: string;
  message?: string;
  detail?: string;
  percent?: number;
  in?: number;
  out?: number;
  ms?: number;
}

export interface Started {
  thread: string;
  question: string;
  focus: Focus;
  mode: Mode;
  submode: SubMode;
  scope: Scope;
  web: boolean;
  offline: boolean;
  models: ModelNames;
  prompt_hash: string;
  cached: boolean;
}

/** State says what an answer made of quotations is worth. */
export type State = 'answer' | 'weak' | 'none';

/** Status of a run. */
export type Status = 'running' | 'finished' | 'failed' | 'stopped';

/** What is to be done with one subquestion: skip, deepen or edit. */
export interface Steer {
  dimension: string;
  action: Steering;
  question?: string;
}

export interface Steered {
  dimension: string;
  action: Steering;
  /** in its place; empty unless edited */
  question: string;
}

/** What the reader wants done with a subquestion while the research runs. */
export type Steering = 'skip' | 'deepen' | 'edit';

export interface StoppedRun {
  by: string;
  stage: Stage;
  partial: string;
}

/** SubMode says what kind of report deep research writes. It means nothing in the other modes. */
export type SubMode = 'deep-research' | 'due-diligence';

/** An answer that is kept fresh: its question is asked again by the clock, or when a file it cites changes. */
export interface Subscription {
  /** the answer that a reader chose; later ones refresh it */
  run: string;
  thread: string;
  /** 0: not by the clock */
  every_ms: number;
  /** of a file that it cites */
  on_change: boolean;
  due?: string;
  tried?: string;
  /** the last try that came to its end */
  checked?: string;
  /** the last one that found changes */
  changed?: string;
  /** in a row */
  failures: number;
  /** the last of them */
  failure?: Failure;
  /** given up: it waits for a person */
  paused: boolean;
  /** changes were found that nobody has looked at */
  unseen: boolean;
  /** just now */
  checking: boolean;
}

/** A question that a file answers. */
export interface Suggestion {
  question: string;
  /** id of the file that answers it */
  file: string;
  /** as the file says it */
  answer: string;
  confidence: number;
  source: string;
  passage: string;
  /** of its passage */
  locator: Locator;
}

/** What a file answers to a question. */
export interface TableCell {
  /** of the files, from 0 */
  row: number;
  /** of the questions, from 0 */
  column: number;
  state: CellState;
  /** that it answers; null where nothing was weighed */
  confidence: number | null;
  /** the answer */
  text: string;
  /** as it stands in the file */
  quote: string;
  source?: string;
  passage?: string;
  locator: Locator;
  /** what is lit in the passage, in code points of it */
  marks?: Range[];
  error?: string;
  /** in the order in which a stored table was filled, from 1 */
  seq?: number;
}

/** TableChange names an evidence table, its columns and what becomes its rows: ids of files, paths in the library, or a collection by id or name. In a change nil questions and an empty title leave what there is, and files come to those of the table; Without takes files out, by id. */
export interface TableChange {
  title?: string;
  files?: string[];
  folders?: string[];
  collection?: string;
  questions?: string[];
  without?: string[];
}

/** TableEvent tells of a cell; done ends the stream. */
export interface TableEvent {
  table: string;
  seq: number;
  /** cell or done */
  kind: string;
  /** null at the end */
  body: TableCell | null;
}

/** A row. */
export interface TableFile {
  id: string;
  path: string;
}

/** An evidence table. Lists leave its cells out. */
export interface TableView {
  id: string;
  title: string;
  made: string;
  paused: boolean;
  /** cells that were asked */
  filled: number;
  files: TableFile[];
  questions: string[];
  cells: TableCell[];
}

/** The outcome of trying a model or an engine. */
export interface TestView {
  ok: boolean;
  ms: number;
  window: number;
  tools: boolean;
  schema: boolean;
  count: number;
  error?: ErrorBody;
}

/** A heading, paragraph, item of a list, row of a table or piece of code in a text, in code points of the whole text. */
export interface TextBlock {
  kind: BlockKind;
  /** of a heading, 1 to 6; of an item, in how many lists it stands, 0 where that is not known */
  level: number;
  /** of its file, where that is counted */
  line: number;
  start: number;
  end: number;
  /** Language is that of code, as its file names it; empty where it does not. */
  language?: string;
  /** of a paragraph or item: in how many quotations it stands */
  quoted?: number;
  /** a further paragraph of the item before it */
  goes_on?: boolean;
  /** an item with a number */
  ordered?: boolean;
  number?: number;
}

export interface TextDelta {
  delta: string;
  /** code points: where in the answer it belongs */
  at: number;
}

/** A stretch of a source's text as it was read. Offsets are code points of the whole text. */
export interface TextView {
  text: string;
  start: number;
  end: number;
  total: number;
  highlight: Range[];
  page: number;
  line: number;
  heading: string;
  digest: string;
  stale: boolean;
  /** of the stretch, in order: how its file has it */
  blocks: TextBlock[];
}

/** Something found: a picture, a video or news. Image is a path of this server, which kept the picture; empty when it could not be had. */
export interface ThingView {
  source: string;
  title: string;
  url: string;
  domain: string;
  snippet: string;
  published?: string;
  image?: string;
  engine: string;
}

export interface Thinking {
  delta: string;
}

/** A conversation of somebody else as one person may see it. */
export interface Thread {
  id: string;
  from: string;
  title: string;
  updated: string;
  runs: Run[];
}

/** What may be changed of a thread; nil leaves a field as it is. */
export interface ThreadChange {
  title?: string | null;
  pinned?: boolean | null;
  /** id; empty: of none */
  collection?: string | null;
}

/** A thread as lists show it. */
export interface ThreadInfo {
  id: string;
  title: string;
  /** chat, deep-research */
  type: string;
  session_id?: string;
  pinned: boolean;
  created: string;
  updated: string;
  runs: number;
  running: boolean;
  /** an answer of it is checked from time to time */
  kept_fresh?: boolean;
  /** such a check found changes that nobody has looked at */
  unseen?: boolean;
  /** the set of sources that it asks, by id */
  collection?: string;
  /** threads that are listed with it: versions of one conversation */
  other_versions?: string[];
  /** today, yesterday, week, older: by Updated, in the clock's time zone */
  group: string;
}

/** A thread with its runs in order. */
export interface ThreadView {
  id: string;
  title: string;
  /** chat, deep-research */
  type: string;
  session_id?: string;
  pinned: boolean;
  created: string;
  updated: string;
  running: boolean;
  /** an answer of it is checked from time to time */
  kept_fresh?: boolean;
  /** such a check found changes that nobody has looked at */
  unseen?: boolean;
  /** the set of sources that it asks, by id */
  collection?: string;
  /** threads that are listed with it: versions of one conversation */
  other_versions?: string[];
  /** today, yesterday, week, older: by Updated, in the clock's time zone */
  group: string;
  runs: Run[];
  /** kept in memory only */
  private?: boolean;
  /** answers of it that are checked from time to time */
  fresh?: Subscription[];
  /** turns of it that other threads ask in another way */
  versions?: Versions[];
}

/** Timing of the stages in milliseconds. */
export interface Timing {
  plan_ms: number;
  gather_ms: number;
  read_ms: number;
  select_ms: number;
  first_text_ms: number;
  compose_ms: number;
  check_ms: number;
  images_ms: number;
  /** of all of it: while models, engines or pages were awaited */
  waited_ms: number;
}

export interface TokenBudget {
  tokens: number;
  window: number;
  left_out: number;
}

/** What all models together used. */
export interface TokenTotal {
  total: number;
}

export interface ToolPart {
  call: string;
  name: string;
  /** an object, as far as it could be read */
  input: unknown;
  state: ToolState;
  /** one line for people */
  output?: string;
  ms?: number;
}

/** ToolState says how far a tool call has come. */
export type ToolState = 'requested' | 'running' | 'done' | 'failed' | 'refused' | 'warned' | 'blocked';

/** Totals counts the library. Bytes are those of the listed files. */
export interface Totals {
  files: number;
  ready: number;
  partial: number;
  failed: number;
  skipped: number;
  waiting: number;
  chunks: number;
  vectors: number;
  bytes: number;
  bytes_waiting: number;
  /** searchable by word */
  chunks_indexed: number;
  /** files read for one question only */
  attached: number;
}

/** What decided about a quoted answer. */
export interface Trace {
  question: string;
  state: State;
  confidence: number;
  /** evidence by rules */
  rules: number;
  /** logarithm of the content words of the question */
  content: number;
  considered: Considered[];
}

/** How a run went, stage by stage, and how its evidence was ranked. */
export interface TraceView {
  run: string;
  spans: Span[] | null;
  /** null when nothing was ranked */
  ranking: Ranking | null;
}

/** A passage that was looked at. */
export interface TracedCandidate {
  passage: string;
  source: string;
  kind: SourceKind;
  title: string;
  address: string;
  engine: string;
  snippet: boolean;
  engine_rank: number;
  bm25: number;
  /** null when no vector speaks for it */
  cosine: number | null;
  encoded: boolean;
  scores: Scores;
  relevance: number;
  rank_before: number;
  rank_after: number;
  /** earlier candidates, from 0, whose text it repeats */
  alike: number[];
  chosen: boolean;
  reason: string;
}

/** A search as it was understood: the words, and what people may add to them. "exact words" found only where they stand like this -word -"exact words" left out: the word in all its forms, the words as written type:pdf files of a kind: an extension, or one of kinds folder:name files anywhere below a folder of this name after:2023-01 files changed on or after a day, month or year before:2024 files changed before it Several types, or several folders, are alternatives. What is none of these is a plain word. Words is compared by words and by meaning. */
export interface Understood {
  words: string;
  phrases: string[];
  without: string[];
  types: string[];
  folders: string[];
  after?: string;
  before?: string;
}

export interface Unread {
  source: string;
  address: string;
  code: string;
  reason: string;
  dimension?: string;
}

/** What is known of newer versions. */
export interface UpdateView {
  /** this program knows whom to ask */
  possible: boolean;
  /** it asks once a day */
  enabled: boolean;
  /** the reader was asked whether it may */
  asked: boolean;
  /** that runs */
  version: string;
  newer: Offer | null;
  checked_at: string | null;
}

/** A file that was copied into the data folder. */
export interface Uploaded {
  id: string;
  name: string;
  topics: string[];
}

/** The files that were taken. */
export interface Uploads {
  files: Uploaded[];
}

export interface UsageCounted {
  chat: ModelUsage;
  system: ModelUsage;
  /** of deep research: Plan, Search, Analyze, Answer */
  phase?: string;
  /** of that phase so far, both roles */
  tokens?: number;
  /** of all tokens so far, those of that phase */
  percent?: number;
  /** of deep research: how long the call took that is counted here */
  ms?: number;
  context: WindowGauge;
}

/** The usage of both roles. */
export interface UsagePair {
  chat: ModelUsage;
  system: ModelUsage;
}

/** Verdict says how a passage bears on the sentence that cites it. */
export type Verdict = 'quoted' | 'supported' | 'partly' | 'not-found' | 'contradicted' | 'unchecked';

/** Threads that differ from one turn on, the oldest first; one of them is the thread that they are listed with. */
export interface Versions {
  /** from 0 */
  turn: number;
  threads: string[];
}

/** WarmRequest says that a question is being typed, to which model: empty is the one of the settings. */
export interface WarmRequest {
  model?: string;
}

/** Weights of the four scores; they sum to 1. */
export interface Weights {
  semantic: number;
  keyword: number;
  freshness: number;
  authority: number;
}

/** Why tells how a file fared in a search for a question, and what kept it out of the answer's candidates. */
export interface Why {
  file: string;
  path: string;
  indexed: boolean;
  /** why it is not indexed; empty when it is */
  reason: string;
  best_passage: Match | null;
  ranks: Ranks;
  /** a sentence; empty when the file is a candidate */
  cut_by: string;
}

export interface WindowGauge {
  used: number;
  window: number;
}

/** ZoteroFolder names a data folder of Zotero; empty is the usual one. */
export interface ZoteroFolder {
  folder?: string;
}

/** ZoteroView tells what of Zotero is in the library now. */
export interface ZoteroView {
  /** with files, annotations or notes */
  works: number;
  /** of works */
  files: number;
  /** texts of annotations and notes */
  notes: number;
  /** made or added to */
  collections: number;
  /** kept */
  cite_keys: number;
  /** files that Zotero has not got on this computer */
  missing: string[];
  /** paths that the library does not take, with the reason */
  skipped: string[];
}

/** Search engines by the names people know. */
export const engineLabels = {
  searxng: 'SearXNG',
  brave: 'Brave Search',
  serper: 'Serper',
  exa: 'Exa',
  tavily: 'Tavily',
  keenable: 'Keenable',
  wikipedia: 'Wikipedia',
  duckduckgo: 'DuckDuckGo',
  mojeek: 'Mojeek',
  openalex: 'OpenAlex',
  arxiv: 'arXiv',
  crossref: 'Crossref',
  pubmed: 'PubMed',
  semanticscholar: 'Semantic Scholar',
  europepmc: 'Europe PMC',
  hackernews: 'Hacker News',
  stackexchange: 'Stack Exchange',
  lemmy: 'Lemmy',
  reddit: 'Reddit',
  youtube: 'YouTube',
  wolfram: 'Wolfram Alpha',
};
