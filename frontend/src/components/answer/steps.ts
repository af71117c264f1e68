/** The six steps of a run in words, for the list that stands where the answer will be. */
import type { Stage } from '../../api/events';
import { plural } from '../../lib/format';
import type { RunView, StageView } from '../../lib/view';

/** One line of the list. */
export interface Step {
  stage: Stage;
  name: string;
  /** A step that nothing was found to do for is passed. */
  state: 'done' | 'now' | 'later' | 'failed' | 'passed';
  detail: string;
  /** How long it took or has taken so far; null when it has not begun. */
  ms: number | null;
}

const names: [Stage, string, string][] = [
  ['plan', 'Understanding', 'Understood'], ['gather', 'Searching', 'Searched'], ['read', 'Reading', 'Read'],
  ['select', 'Weighing', 'Weighed'], ['compose', 'Writing', 'Written'], ['check', 'Checking', 'Checked'],
];

/** The steps of a run at a moment. An agent reads while it searches: its look-ups are told one by one beside them. */
export function stepsOf(view: RunView, now: number): Step[] {
  const own = view.mode === 'agent' ? names.filter(([stage]) => stage !== 'read' || view.stages.some((s) => s.stage === 'read')) : names;
  const begun = own.findLastIndex(([stage]) => view.stages.some((s) => s.stage === stage));
  return own.map(([stage, doing, done], i) => {
    const at = view.stages.find((s) => s.stage === stage);
    const state = !at && i < begun ? 'passed' : stateOf(at);
    const detail = at ? detailOf(view, stage) : state === 'passed' && stage === 'read' ? 'No page to read' : '';
    return { stage, state, name: state === 'done' ? done : doing, detail, ms: took(at, now) };
  });
}

function stateOf(stage: StageView | undefined): Step['state'] {
  if (!stage) return 'later';
  return stage.state === 'running' ? 'now' : stage.state;
}

function took(stage: StageView | undefined, now: number): number | null {
  return stage ? stage.ms ?? Math.max(0, now - stage.began) : null;
}

function detailOf(view: RunView, stage: Stage): string {
  switch (stage) {
    case 'plan': return planned(view);
    case 'gather': return searched(view);
    case 'read': return read(view);
    case 'select': return view.passages.length ? `${plural(view.passages.length, 'passage')} of ${plural(view.sources.length, 'source')} chosen` : '';
    case 'check': return view.checked && view.footnotes.length ? plural(view.footnotes.length, 'footnote') : '';
    default: return '';
  }
}

function planned({ plan, mode }: RunView): string {
  if (!plan) return '';
  if (!plan.search && !plan.shelf) return 'No search is needed';
  if (mode === 'agent') return 'The model decides step by step';
  const queries = plan.queries.filter((query) => query.trim() !== '').slice(0, 2).map((query) => `“${query}”`).join(' and ');
  const where = plan.search && plan.shelf ? `${queries ? ', and ' : ''}in your files` : plan.shelf ? 'in your files' : '';
  return ['Looking', queries ? `for ${queries}` : '', where].filter(Boolean).join(' ').replace(' ,', ',');
}

function searched(view: RunView): string {
  if (view.mode === 'agent' && view.tools.length) return plural(view.tools.length, 'look-up');
  const sum = (engines: RunView['searches']) => engines.reduce((total, search) => total + search.count, 0);
  const own = view.searches.filter((search) => search.engine === 'library' && search.state === 'answered');
  const web = view.searches.filter((search) => search.engine !== 'library' && search.state === 'answered');
  const failed = new Set(view.searches.filter((search) => search.state === 'failed').map((search) => search.engine)).size;
  const engines = new Set(web.map((search) => search.engine)).size;
  return [
    own.length ? `${plural(sum(own), 'passage')} in your files` : '',
    web.length ? `${plural(sum(web), 'result')} from ${plural(engines, 'engine')}` : '',
    failed ? `${plural(failed, 'engine')} failed` : '',
  ].filter(Boolean).join(', ');
}

function read(view: RunView): string {
  const web = view.leads.filter((lead) => lead.engine !== 'library');
  const reading = web.filter((lead) => lead.state === 'reading');
  if (reading.length) {
    const [first, second] = reading.map((lead) => lead.domain || lead.title);
    const more = reading.length > 2 ? ` and ${reading.length - 2} more` : '';
    return [first, second].filter(Boolean).join(', ') + more;
  }
  const done = web.filter((lead) => lead.state === 'read').length;
  const missed = web.filter((lead) => lead.state === 'unread').length;
  return [done ? plural(done, 'page') : '', missed ? `${missed} not readable` : ''].filter(Boolean).join(', ');
}
