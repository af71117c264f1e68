/**
 * The objects spoken of with the program. `generated.ts` has them as the Go types say; here are the words that the page has
 * for them, and what only the page knows. Times are RFC 3339 in UTC, text offsets count Unicode code points (end exclusive),
 * durations end in `_ms`.
 */
import type { CollectionChange as CollectionBody, FileStatus, Question, SettingsView as RawSettings } from './generated';

export type * from './generated';
export type {
  AddView as AddResult, ChatModelView as ChatModel, CollectionView as Collection, EmbeddingModelView as EmbeddingModel, EngineStanding as Engine,
  FileView as FileInfo, FreshView as KeptFresh, HealthView as Health, LibraryView as LibraryStatus, Match as SearchHit, Matches as SearchResult,
  PassageView as PassageInfo, Place as RankedPlace, ProviderView as Provider, RootView as Root, RunEvent as TraceEvent, Span as TraceSpan,
  SourceView as SourceInfo, Status as RunStatus, TestView as EngineTest, TestView as ModelTest, TextView as SourceText, ThreadView as ThreadDetail,
  Subscription as Standing, TraceView as Trace, TracedCandidate as Candidate, Uploaded as Upload, Why as WhyNot, ZoteroView as ZoteroAdded,
} from './generated';

/** What a caller has to say; the rest takes its default. */
export type Ask = Pick<Question, 'question'> & Partial<Question>;

/** A question whose defaults are filled in; whether it is private the settings say where it does not. */
export type CompleteQuestion = Omit<Question, 'private'> & Partial<Pick<Question, 'private'>>;

/** How an answer is to be kept fresh. */
export interface FreshWish {
  /** 0: not by the clock. */
  every_ms: number;
  on_change: boolean;
}

/** What a collection shall be; one without an id is new. */
export type CollectionChange = Partial<CollectionBody> & { id?: string };

/** One of them is named. */
export interface AboutWhat {
  file?: string;
  folder?: string;
  collection?: string;
}

/** How files are listed; with - before it the other way round, "" as they were added. */
export type FileOrder = '' | 'name' | '-name' | 'date' | '-date' | 'size' | '-size' | 'kind';

export interface FilesQuery {
  q?: string;
  status?: FileStatus | '';
  root?: string;
  sort?: FileOrder;
  limit?: number;
  after?: string;
}

/** Which stretch of a source to show; `passage` or `citation` (run:marker index) win over offsets. */
export interface TextAt {
  start?: number;
  end?: number;
  passage?: string;
  citation?: string;
}

/** Where the value of a setting comes from. */
export type Origin = 'default' | 'file' | 'env' | 'flag';
export type SettingValue = string | number | boolean | string[] | null | Record<string, unknown>;

/** Settings by flat key, "section.key". */
export interface SettingsView extends Omit<RawSettings, 'origin'> {
  values: Record<string, SettingValue>;
  defaults: Record<string, SettingValue>;
  origin: Record<string, Origin>;
}

/** Forms in which a thread can be taken away. */
export type ExportFormat = 'md' | 'html' | 'pdf' | 'docx' | 'json' | 'jsonl' | 'bundle' | 'bibtex' | 'ris' | 'csl';
