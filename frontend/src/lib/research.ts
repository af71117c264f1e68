/**
 * Deep research as it is shown, folded from its events: what is looked into, how
 * far each question has come, what was found, and what happened when. Pure.
 */
import type { EventBodies } from '../api/events';
import { engineName } from './engines';
import { plural } from './format';
import { answerTexts } from './texts-answer';
import type { RunView } from './view';

/** One subquestion. */
export interface DimensionView {
  text: string;
  state: 'queued' | 'running' | 'done' | 'thin' | 'empty' | 'dropped';
  /** Sources that bear on it; known when it is done. */
  sources: number;
  /** Distinct passages that its findings rest on, by id. */
  passages: string[];
}

export type ActivityKind = 'stage' | 'search' | 'read' | 'unread' | 'finding' | 'judged' | 'plan';

/** One line of the activity feed. */
export interface ActivityView {
  seq: number;
  /** Epoch milliseconds. */
  at: number;
  kind: ActivityKind;
  what: string;
  detail: string;
  /** The subquestion it belongs to; "" before the first. */
  dimension: string;
}

export interface ResearchView {
  brief: string;
  criteria: string[];
  notes: string;
  dimensions: DimensionView[];
  /** Pass over the subquestions, from 1. */
  pass: number;
  /** The run waits for the reader until then, epoch milliseconds; 0 when it does not. */
  reviewUntil: number;
  /** Subquestion that is looked into; "" when none is. */
  current: string;
  findings: number;
  gaps: string[];
  activity: ActivityView[];
  /** Heads of the report, in order, from when it is being written. */
  sections: string[];
}

const empty: ResearchView = {
  brief: '', criteria: [], notes: '', dimensions: [], pass: 1, reviewUntil: 0, current: '', findings: 0, gaps: [], activity: [], sections: [],
};
interface Happened {
  kind: string;
  seq: number;
  body: unknown;
}

/** Folds one event into the research of a view; null while the run is none. */
export function foldResearch(view: RunView, event: Happened, at: number): ResearchView | null {
  const deep = view.mode === 'deep' || event.kind === 'scoped';
  if (!deep) return null;
  const before = view.research ?? empty;
  const after = changed(before, event, at);
  const line = lineOf(view, event);
  if (!line) return after;
  return { ...after, activity: [...after.activity, { seq: event.seq, at, dimension: after.current, ...line }] };
}

function changed(research: ResearchView, { kind, body }: Happened, at: number): ResearchView {
  switch (kind) {
    case 'scoped': return scoped(research, body as EventBodies['scoped'], at);
    case 'outlined': return { ...research, sections: (body as EventBodies['outlined']).sections ?? [] };
    case 'dimension': return begun(research, body as EventBodies['dimension']);
    case 'steered': return steered(research, body as EventBodies['steered']);
    case 'compressed': return done(research, body as EventBodies['compressed']);
    case 'finding': return finds(research, body as EventBodies['finding']);
    case 'evaluation': return { ...research, gaps: (body as EventBodies['evaluation']).gaps ?? [] };
    case 'stage': return (body as EventBodies['stage']).stage === 'plan-review' && (body as EventBodies['stage']).state === 'end' ? { ...research, reviewUntil: 0 } : research;
    case 'finished': case 'failed': case 'stopped': return ended(research);
    default: return research;
  }
}

function scoped(research: ResearchView, body: EventBodies['scoped'], at: number): ResearchView {
  const known = new Map(research.dimensions.map((dimension) => [dimension.text, dimension]));
  const dimensions = (body.dimensions ?? []).map((text): DimensionView => known.get(text) ?? { text, state: 'queued', sources: 0, passages: [] });
  return {
    ...research, dimensions, brief: body.brief, criteria: body.criteria ?? [], notes: body.notes ?? '',
    reviewUntil: body.review_ms > 0 ? at + body.review_ms : 0,
  };
}

function begun(research: ResearchView, { dimension, iteration }: EventBodies['dimension']): ResearchView {
  const known = research.dimensions.some(({ text }) => text === dimension);
  const all = known ? research.dimensions : [...research.dimensions, { text: dimension, state: 'queued' as const, sources: 0, passages: [] }];
  return {
    ...research, current: dimension, pass: Math.max(1, iteration), reviewUntil: 0,
    dimensions: all.map((d): DimensionView => (d.text === dimension ? { ...d, state: 'running' } : d)),
  };
}

/** What the reader changed: a question left out, or another in its place. */
function steered(research: ResearchView, { dimension, action, question }: EventBodies['steered']): ResearchView {
  const known = research.dimensions.some(({ text }) => text === question);
  const change = (d: DimensionView): DimensionView[] => {
    if (d.text !== dimension) return [d];
    if (action === 'skip') return [{ ...d, state: 'dropped' }];
    if (action !== 'edit') return [d];
    const instead = known ? [] : [{ text: question, state: 'queued' as const, sources: 0, passages: [] }];
    return d.state === 'running' ? instead : [d, ...instead];
  };
  return { ...research, dimensions: research.dimensions.flatMap(change) };
}

function finds(research: ResearchView, { dimension, passages }: EventBodies['finding']): ResearchView {
  const add = (d: DimensionView): DimensionView => (d.text === dimension ? { ...d, passages: [...new Set([...d.passages, ...(passages ?? [])])] } : d);
  return { ...research, findings: research.findings + 1, dimensions: research.dimensions.map(add) };
}

/** How much stands behind a question: sources when it is done, until then passages. */
export const evidenceOf = (d: DimensionView): number => d.sources || d.passages.length;

function done(research: ResearchView, body: EventBodies['compressed']): ResearchView {
  const settle = (d: DimensionView): DimensionView => (d.text === body.dimension ? { ...d, ...outcomeOf(d, body) } : d);
  return { ...research, dimensions: research.dimensions.map(settle) };
}

/** What a pass found; an earlier one that found enough is not undone by it. */
function outcomeOf(d: DimensionView, body: EventBodies['compressed']): Pick<DimensionView, 'state' | 'sources'> {
  if (d.state === 'dropped') return { state: 'dropped', sources: 0 };
  const sources = Math.max(d.sources, body.sources ?? 0);
  if (sources === 0 && d.passages.length === 0) return { state: 'empty', sources };
  return { state: body.weak ? 'thin' : 'done', sources };
}

function ended(research: ResearchView): ResearchView {
  return { ...research, reviewUntil: 0, current: '', dimensions: research.dimensions.map(cut) };
}

/** A question that was still open when the run ended. */
function cut(d: DimensionView): DimensionView {
  if (d.state === 'running') return { ...d, state: evidenceOf(d) ? 'thin' : 'empty' };
  return d.state === 'queued' ? { ...d, state: 'dropped' } : d;
}

type Line = Pick<ActivityView, 'kind' | 'what' | 'detail'>;

function lineOf(view: RunView, { kind, body }: Happened): Line | null {
  const t = answerTexts.activity;
  switch (kind) {
    case 'scoped': return { kind: 'plan', what: t.planned, detail: plural((body as EventBodies['scoped']).dimensions?.length ?? 0, 'question') };
    case 'steered': return { kind: 'plan', what: t.steered[(body as EventBodies['steered']).action], detail: (body as EventBodies['steered']).question || (body as EventBodies['steered']).dimension };
    case 'dimension': return { kind: 'plan', what: t.looking, detail: (body as EventBodies['dimension']).dimension };
    case 'found': return foundLine(body as EventBodies['found']);
    case 'read': return readLine(view, body as EventBodies['read']);
    case 'unread': return { kind: 'unread', what: t.unread, detail: `${nameOf(view, (body as EventBodies['unread']).source) || (body as EventBodies['unread']).address}: ${(body as EventBodies['unread']).reason}` };
    case 'finding': return { kind: 'finding', what: (body as EventBodies['finding']).text, detail: plural((body as EventBodies['finding']).passages?.length ?? 0, 'passage') };
    case 'evaluation': return judgedLine(body as EventBodies['evaluation']);
    case 'stage': return stageLine(body as EventBodies['stage']);
    default: return null;
  }
}

function foundLine(body: EventBodies['found']): Line {
  const t = answerTexts.activity;
  const own = body.engine === 'library';
  const what = own ? t.searchedFiles : t.searched(engineName(body.engine));
  if (body.error) return { kind: 'unread', what: t.failed(engineName(body.engine)), detail: body.error.message };
  return { kind: 'search', what, detail: `“${body.query}” · ${plural(body.count, own ? 'passage' : 'result')}` };
}

function readLine(view: RunView, body: EventBodies['read']): Line {
  return { kind: 'read', what: answerTexts.activity.read(nameOf(view, body.document || body.source)), detail: plural(Math.max(1, Math.round(body.chars / 6)), 'word') };
}

function judgedLine({ complete, gaps }: EventBodies['evaluation']): Line {
  const t = answerTexts.activity;
  return { kind: 'judged', what: t.judged, detail: complete ? t.complete : (gaps ?? []).join('; ') || t.incomplete };
}

function stageLine(body: EventBodies['stage']): Line | null {
  if (body.state !== 'start' || body.stage === 'finish') return null;
  return { kind: 'stage', what: body.label.replace(/…$/, ''), detail: body.detail ?? '' };
}

function nameOf(view: RunView, source: string): string {
  const lead = view.leads.find((one) => one.source === source);
  return lead?.title || lead?.domain || view.sources.find((card) => card.id === source)?.title || '';
}

/** The four phases of the head, in order. */
export const phases = ['Plan', 'Search', 'Analyze', 'Answer'] as const;
export type Phase = (typeof phases)[number];

const phaseOfStage: Record<string, Phase> = {
  scope: 'Plan', 'plan-review': 'Plan', research: 'Search', evaluating: 'Analyze', synthesis: 'Answer', check: 'Answer', images: 'Answer', finish: 'Answer',
};

/** The phase a run is in. Analysing and searching take turns: the one that runs now counts. */
export function phaseOf(view: RunView): Phase {
  const stage = view.stages.findLast((one) => one.state === 'running') ?? view.stages.at(-1);
  return (stage && phaseOfStage[stage.stage]) ?? 'Plan';
}

/** What part of the whole each phase is, about. */
const shares: Record<Phase, [from: number, to: number]> = { Plan: [0, 0.06], Search: [0.06, 0.6], Analyze: [0.6, 0.66], Answer: [0.66, 0.99] };

/** How far the run has come, 0 to 1: by its phase, and in it by what the stage says or by the questions that are done. */
export function progressOf(view: RunView): number {
  if (view.status === 'finished') return 1;
  const phase = phaseOf(view);
  const [from, to] = shares[phase];
  const stage = view.stages.findLast((one) => one.state === 'running');
  const said = stage?.percent === null || stage?.percent === undefined ? null : stage.percent / 100;
  return from + (to - from) * Math.min(1, said ?? within(view, phase, stage?.stage ?? ''));
}

function within(view: RunView, phase: Phase, stage: string): number {
  const dimensions = view.research?.dimensions ?? [];
  if (phase === 'Search' && dimensions.length) return dimensions.filter((d) => d.state === 'done' || d.state === 'thin').length / dimensions.length;
  if (phase === 'Answer') return stage === 'synthesis' ? view.points / (view.points + 6000) : 0.97;
  return 0.2;
}

/** Heads of a report, in order: what the strip with contents lists. */
export function contentsOf(text: string): { at: number; title: string }[] {
  return [...text.matchAll(/^#{1,2} +(.+?) *#*$/gm)].map((match) => ({ at: match.index, title: (match[1] ?? '').replace(/\[\d+\]|[*_`]/g, '').trim() }));
}

/** Sections of a research report that are still to be written: those behind the last one that stands there. */
export function comingOf(sections: readonly string[], written: readonly { title: string }[]): string[] {
  return sections.slice(1 + sections.findLastIndex((title) => written.some((part) => part.title === title)));
}
