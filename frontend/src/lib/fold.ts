/**
 * Events → view, one event at a time. The function is pure: the same events give
 * the same view, live or replayed. Kinds it does not know change nothing.
 */
import type { EventBodies, EventKind, LeadCard, RunEvent } from '../api/events';
import type { Answer, Citation, Notice, Run } from '../api/types';
import { countPoints, slicePoints } from './codepoints';
import { foldResearch } from './research';
import { emptyView, type FootnoteView, type LeadView, type RunView, type SearchView, type StageView, type ToolView } from './view';

/** The envelope of an event, as it comes over the wire. */
export interface Envelope {
  run: string;
  seq: number;
  at: string;
  kind: string;
  body: unknown;
}

type Change = Partial<RunView>;
/** Kinds that only deep research folds: research.ts. */
type Deep = 'scoped' | 'outlined' | 'dimension' | 'steered' | 'compressing' | 'compressed' | 'finding' | 'evaluation';
type Plain = Exclude<EventKind, Deep>;
type Folds = { [K in Plain]: (view: RunView, body: EventBodies[K], at: number) => Change };

/** Folds one event into a view. An event that was folded before changes nothing. */
export function fold(view: RunView, event: Envelope | RunEvent): RunView {
  if (event.seq <= view.seq) return view;
  const at = Date.parse(event.at);
  const change = Object.hasOwn(folds, event.kind) ? apply(view, event.kind as Plain, event.body, at) : {};
  const next = { ...view, ...change, run: event.run, seq: event.seq, heard: at };
  return { ...next, research: foldResearch(next, event, at) };
}

/** The view of a run that is over, made from its stored form. */
export function viewOfRun(run: Run): RunView {
  const view: RunView = {
    ...emptyView(run.id, run.question.question),
    thread: run.thread, focus: run.question.focus, mode: run.question.mode, submode: run.question.submode ?? '', offline: run.question.offline,
    status: run.status, began: Date.parse(run.started), ended: run.ended ? Date.parse(run.ended) : 0,
  };
  if (run.answer) return { ...view, ...settled(run.answer) };
  const text = run.partial ?? '';
  return { ...view, text, points: countPoints(text), failure: run.failure ? { ...run.failure, stage: '' } : null };
}

function apply<K extends Plain>(view: RunView, kind: K, body: unknown, at: number): Change {
  return folds[kind](view, body as EventBodies[K], at);
}

const folds: Folds = {
  started: (_, body, at) => ({
    thread: body.thread, question: body.question, focus: body.focus, mode: body.mode, submode: body.submode ?? '',
    offline: body.offline, cached: body.cached, promptHash: body.prompt_hash ?? '', began: at,
  }),
  stage: (view, body, at) => ({ stages: foldStage(view.stages, body, at) }),
  planned: (_, body) => ({ plan: { ...body, queries: body.queries ?? [] } }),
  searching: (view, { engine, query }) => ({
    searches: [...view.searches, { engine, query, state: 'asked', count: 0, ms: null, error: null }],
  }),
  found: (view, body) => ({ searches: foldFound(view.searches, body), leads: addLeads(view.leads, body) }),
  reading: (view, { source, address }) => ({ leads: setLead(view.leads, source, address, { state: 'reading' }) }),
  read: (view, { source, document }) => ({ leads: setLead(view.leads, source, '', { state: 'read', source: document || source }) }),
  unread: (view, { source, address, code, reason }) => ({
    leads: setLead(view.leads, source, address, { state: 'unread', code, reason }),
  }),
  selected: (_, body) => ({ passages: body.passages ?? [], sources: body.sources ?? [] }),
  tool: (view, body) => ({ tools: foldTool(view.tools, body) }),
  clarify: (_, body, at) => ({ clarify: { question: body.question, options: body.options ?? [], until: at + body.wait_ms } }),
  clarified: (view, { reply, by }) => ({
    clarify: null, clarified: [...view.clarified, { question: view.clarify?.question ?? '', reply, by }],
  }),
  image: (view, { source, image }) => ({ sources: view.sources.map((card) => (card.id === source ? { ...card, image } : card)) }),
  thinking: (view, { delta }) => ({ thinking: view.thinking + delta }),
  text: (view, body) => foldText(view, body),
  cited: (view, body) => ({ footnotes: [...view.footnotes, bound(view, body)] }),
  dropped: () => ({}),
  checked: (_, body) => ({ footnotes: (body.citations ?? []).map(footnote), report: body.report, checked: true }),
  counters: (_, body) => ({ counters: body }),
  usage: (_, body) => ({ usage: body }),
  notice: (view, body) => ({ notices: addNotice(view.notices, body) }),
  answering: (_, { by }) => ({ answeringBy: by }),
  follow_ups: (_, { questions }) => ({ followUps: questions ?? [] }),
  finished: (view, { outcome, answer }, at) => ({
    ...settled(answer, view), status: 'finished', outcome, ended: at, stages: closed(view.stages, at),
  }),
  failed: (view, { code, message, hint, stage, partial }, at) => ({
    ...ending(view, partial, at), status: 'failed', failure: { code, message, hint, stage },
  }),
  stopped: (view, { by, partial }, at) => ({ ...ending(view, partial, at), status: 'stopped', stoppedBy: by }),
};

function foldStage(stages: StageView[], body: EventBodies['stage'], at: number): StageView[] {
  if (body.state === 'start') {
    const begun: StageView = {
      stage: body.stage, label: body.label, state: 'running', began: at, ms: null,
      detail: body.detail ?? '', percent: body.percent ?? null, in: body.in ?? 0, out: body.out ?? 0,
    };
    return [...stages.filter((stage) => stage.stage !== body.stage), begun];
  }
  return stages.map((stage) => (stage.stage === body.stage ? changedStage(stage, body, at) : stage));
}

function changedStage(stage: StageView, body: EventBodies['stage'], at: number): StageView {
  const told = {
    detail: body.detail ?? body.message ?? stage.detail, percent: body.percent ?? stage.percent, in: body.in ?? stage.in, out: body.out ?? stage.out,
  };
  if (body.state === 'progress') return { ...stage, ...told, label: body.label || stage.label };
  return { ...stage, ...told, state: body.state === 'end' ? 'done' : 'failed', ms: body.ms ?? at - stage.began };
}

function closed(stages: StageView[], at: number): StageView[] {
  return stages.map((stage) => (stage.state === 'running' ? { ...stage, state: 'done', ms: at - stage.began } : stage));
}

function foldTool(tools: ToolView[], body: EventBodies['tool']): ToolView[] {
  const at = tools.findIndex((tool) => tool.call === body.call);
  const before = tools[at];
  const tool: ToolView = {
    call: body.call, name: body.name, input: (body.input ?? before?.input ?? {}) as Record<string, unknown>, state: body.state,
    output: body.output ?? before?.output ?? '', ms: body.ms ?? before?.ms ?? null,
  };
  return at < 0 ? [...tools, tool] : tools.with(at, tool);
}

function foldFound(searches: SearchView[], body: EventBodies['found']): SearchView[] {
  const result: SearchView = {
    engine: body.engine, query: body.query, state: body.error ? 'failed' : 'answered',
    count: body.count, ms: body.ms ?? null, error: body.error ?? null,
  };
  const asked = searches.findIndex((s) => s.engine === body.engine && s.query === body.query && s.state === 'asked');
  return asked < 0 ? [...searches, result] : searches.with(asked, result);
}

function addLeads(leads: LeadView[], body: EventBodies['found']): LeadView[] {
  const known = new Set(leads.map((lead) => lead.source));
  const fresh = (body.leads ?? []).filter((lead) => !known.has(lead.source) && known.add(lead.source));
  return [...leads, ...fresh.map((lead) => asLead(lead, body.engine))];
}

function asLead(lead: LeadCard, engine: string): LeadView {
  return { ...lead, engine, state: engine === 'library' ? 'read' : 'found', code: '', reason: '' };
}

function setLead(leads: LeadView[], source: string, address: string, change: Partial<LeadView>): LeadView[] {
  const at = leads.findIndex((lead) => lead.source === source);
  if (at >= 0) return leads.with(at, { ...leads[at]!, ...change });
  if (!address) return leads;
  const lead: LeadCard = { source, address, title: address, domain: hostOf(address), snippet: '', engine_score: 0 };
  return [...leads, { ...asLead(lead, ''), ...change }];
}

function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : '';
}

/** A delta says where it belongs: a writer that began anew overwrites what came before. */
function foldText(view: RunView, { delta, at }: EventBodies['text']): Change {
  if (at >= view.points) return { text: view.text + delta, points: view.points + countPoints(delta) };
  const kept = slicePoints(view.text, 0, at);
  const footnotes = view.footnotes.filter((note) => note.claim.end <= at);
  return { text: kept + delta, points: at + countPoints(delta), footnotes };
}

function bound(view: RunView, body: EventBodies['cited']): FootnoteView {
  const source = view.sources.find((card) => card.n === body.marker);
  return {
    marker: body.marker, passage: body.passage, source: source?.id ?? '', claim: body.claim,
    verdict: 'unchecked', quote: null, at: null, highlight: [], why: '',
  };
}

function footnote(citation: Citation): FootnoteView {
  return {
    marker: citation.marker, passage: citation.passage_id, source: citation.source_id,
    claim: { start: citation.claim.start, end: citation.claim.end }, verdict: citation.verdict,
    quote: citation.quote, at: citation.locator ?? null, highlight: citation.highlight ?? [], why: sentence(citation.why ?? ''),
  };
}

/** Words that may begin in the middle, as a sentence of their own. */
const sentence = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

function addNotice(notices: Notice[], notice: Notice): Notice[] {
  const at = notices.findIndex((known) => known.code === notice.code && known.message === notice.message);
  return at < 0 ? [...notices, notice] : notices;
}

function settled(answer: Answer, view?: RunView): Change {
  const context = view?.usage?.context ?? { used: 0, window: 0 };
  return {
    text: answer.answer, points: countPoints(answer.answer), footnotes: (answer.citations ?? []).map(footnote),
    checked: true, sources: answer.sources ?? [], report: answer.report, disagreements: answer.disagreements ?? [],
    followUps: answer.follow_ups ?? [], usage: { ...answer.usage, context }, timing: answer.timing,
    ledger: answer.ledger ?? [], notices: (answer.notices ?? []).reduce(addNotice, view?.notices ?? []),
    outcome: answer.outcome, cached: answer.cached, clarify: null, answer,
  };
}

/** A run that ended early keeps its text and its notes. */
function ending(view: RunView, partial: string, at: number): Change {
  const text = partial && partial.length >= view.text.length ? partial : view.text;
  return { text, points: countPoints(text), ended: at, clarify: null, stages: closed(view.stages, at) };
}
