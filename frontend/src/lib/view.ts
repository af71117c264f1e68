/**
 * What the window shows of a run, folded from its events. Everything in it is
 * plain data; nothing in it is changed in place.
 */
import type { EventBodies, LeadCard, Stage, ToolState } from '../api/events';
import type {
  Answer, Citation, Disagreement, Failure, Focus, LedgerEntry, Locator, Mode, Notice, Outcome, Range, Report, RunStatus,
  SourceCard, Timing, Verdict, TextBlock,
} from '../api/types';
import type { ResearchView } from './research';

/** One stage of the run, in the order in which stages began. */
export interface StageView {
  stage: Stage;
  label: string;
  state: 'running' | 'done' | 'failed';
  /** When it began, epoch milliseconds. */
  began: number;
  /** How long it took; null while it runs. */
  ms: number | null;
  detail: string;
  /** How far it has come, as it says itself; null when it does not. */
  percent: number | null;
  in: number;
  out: number;
}

/** One engine asked for one query. "library" is the reader's own files. */
export interface SearchView {
  engine: string;
  query: string;
  state: 'asked' | 'answered' | 'failed';
  count: number;
  /** How long the answer took; null before it came. */
  ms: number | null;
  error: Failure | null;
}

/** Something a search suggested and how far reading it has come. */
export interface LeadView extends LeadCard {
  engine: string;
  state: 'found' | 'reading' | 'read' | 'unread';
  /** Why it was not read. */
  code: string;
  reason: string;
}

/** A marker that was bound to a passage; the verdict and the quote come with the check. */
export interface FootnoteView {
  marker: number;
  passage: string;
  source: string;
  claim: Range;
  verdict: Verdict;
  quote: Citation['quote'] | null;
  /** Where the quote begins; null until the check, and in answers of earlier versions. */
  at: Locator | null;
  highlight: Range[];
  why: string;
}

/** A tool that the model called. */
export interface ToolView {
  call: string;
  name: string;
  input: Record<string, unknown>;
  state: ToolState;
  /** What came of it, one line. */
  output: string;
  ms: number | null;
}

/** A question that the run asked back and waits with. */
export interface ClarifyView {
  question: string;
  options: string[];
  /** When it goes on by itself, epoch milliseconds. */
  until: number;
}

/** A question that was asked back, and the reply. */
export interface ClarifiedView {
  question: string;
  reply: string;
  by: EventBodies['clarified']['by'];
}

export type UsageView = EventBodies['usage'];
export type PassageView = EventBodies['selected']['passages'][number];
export type PlanView = EventBodies['planned'];

/** A run as it is shown. */
export interface RunView {
  run: string;
  thread: string;
  question: string;
  focus: Focus;
  mode: Mode;
  /** Kind of report of deep research; "" in other modes. */
  submode: string;
  offline: boolean;
  cached: boolean;
  /** Digest of the wording of all prompts; "" until it is known. */
  promptHash: string;
  /** Number of the last event folded in. */
  seq: number;
  status: RunStatus;
  /** Epoch milliseconds; 0 = not yet. */
  began: number;
  ended: number;
  /** When the last event came. */
  heard: number;
  plan: PlanView | null;
  stages: StageView[];
  searches: SearchView[];
  leads: LeadView[];
  passages: PassageView[];
  sources: SourceCard[];
  tools: ToolView[];
  /** What deep research looks into; null in other modes. */
  research: ResearchView | null;
  /** What the run waits to be told; null when it does not wait. */
  clarify: ClarifyView | null;
  clarified: ClarifiedView[];
  text: string;
  /** Length of the text in code points. */
  points: number;
  thinking: string;
  footnotes: FootnoteView[];
  /** Whether the footnotes carry the checker's verdicts. */
  checked: boolean;
  report: Report | null;
  notices: Notice[];
  disagreements: Disagreement[];
  followUps: string[];
  usage: UsageView | null;
  counters: EventBodies['counters'] | null;
  timing: Timing | null;
  ledger: LedgerEntry[];
  /** Retrieval was cut short: by whom; "" when it was not. */
  answeringBy: string;
  outcome: Outcome | null;
  failure: (Failure & { stage: string }) | null;
  stoppedBy: string;
  answer: Answer | null;
}

/** A run of which nothing has been heard. */
export function emptyView(run: string, question = ''): RunView {
  return {
    run, question, thread: '', focus: 'all', mode: 'balanced', submode: '', offline: false, cached: false, promptHash: '',
    seq: 0, status: 'running', began: 0, ended: 0, heard: 0,
    plan: null, stages: [], searches: [], leads: [], passages: [], sources: [], tools: [], research: null, clarify: null, clarified: [],
    text: '', points: 0, thinking: '', footnotes: [], checked: false, report: null,
    notices: [], disagreements: [], followUps: [], usage: null, counters: null, timing: null, ledger: [],
    answeringBy: '', outcome: null, failure: null, stoppedBy: '', answer: null,
  };
}

/** The stage that runs now, or the last one. */
export function currentStage(view: RunView): StageView | undefined {
  return view.stages.findLast((stage) => stage.state === 'running') ?? view.stages.at(-1);
}

/** What was found in the reader's own files. */
export function localHits(view: RunView): LeadView[] {
  return view.leads.filter((lead) => lead.engine === 'library');
}

/** Whether a source is the reader's own file. */
export function isOwn(source: { kind: string } | undefined): boolean {
  return source?.kind === 'file';
}

/** A stretch of a source's text as it was read. Offsets are code points of the whole text. */
export interface Stretch {
  text: string;
  start: number;
  end: number;
  total: number;
  /** The source has changed since. */
  stale: boolean;
  /** How its file has it. */
  blocks?: TextBlock[];
}
