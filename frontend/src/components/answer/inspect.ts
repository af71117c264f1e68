/** What the inspector of a run shows, from its events: when, what was asked, what was weighed. */
import { engineName } from '../../lib/engines';
import { plural } from '../../lib/format';
import type { Trace, TraceEvent } from '../../api/types';
import type { RunView, SearchView } from '../../lib/view';
import { seconds } from '../../lib/wording';

/** A stage on the clock of the run; shares of its whole time. */
export interface Span {
  name: string;
  from: number;
  share: number;
  ms: number;
  said: string;
  /** Something within a stage: one search, one page, one look-up. */
  inner?: boolean;
}

const names: Record<string, string> = {
  plan: 'Understand', gather: 'Search', read: 'Read', select: 'Weigh', compose: 'Write', check: 'Check', images: 'Pictures', finish: 'Finish',
  scope: 'Scope', 'plan-review': 'Review', research: 'Research', evaluating: 'Evaluate', synthesis: 'Write',
};

/** The stages on the clock of the run. */
export function spansOf(view: RunView): Span[] {
  const end = Math.max(view.ended, ...view.stages.map((stage) => stage.began + (stage.ms ?? 0)));
  const whole = Math.max(1, end - view.began);
  return view.stages.map((stage) => {
    const ms = stage.ms ?? Math.max(0, end - stage.began);
    const counts = stage.in || stage.out ? `${stage.in} in, ${stage.out} out` : '';
    return { name: names[stage.stage] ?? stage.stage, from: Math.max(0, stage.began - view.began) / whole, share: ms / whole, ms, said: [seconds(ms), counts].filter(Boolean).join(' · ') };
  });
}

/** What became of one search, in words. */
export function searchWords(search: SearchView): { who: string; outcome: string } {
  const who = engineName(search.engine);
  if (search.state === 'asked') return { who, outcome: 'No answer in time' };
  if (search.state === 'failed') return { who, outcome: search.error?.message ?? 'Failed' };
  const found = plural(search.count, search.engine === 'library' ? 'passage' : 'result');
  return { who, outcome: search.ms === null ? found : `${found} in ${seconds(search.ms)}` };
}

/** How the plan was made, in words. */
export function planWords(view: RunView): string {
  const plan = view.plan;
  if (!plan) return '';
  const by = { model: 'by the model', rules: 'by rules', cache: 'as the last time' }[plan.by] ?? '';
  return [`Planned ${by}`.trim(), plan.reason, plan.preset ? `weights “${plan.preset}”` : ''].filter(Boolean).join(', ') + '.';
}

const mostSteps = 60;

/** The stages of a trace with what happened in them, on the clock of the run. */
export function waterfall(trace: Trace): Span[] {
  const spans = trace.spans ?? [];
  const first = Math.min(...spans.map((span) => Date.parse(span.began)));
  const whole = Math.max(1, ...spans.map((span) => Date.parse(span.began) + span.ms - first));
  const at = (from: number, ms: number): Pick<Span, 'from' | 'share' | 'ms'> => ({ from: Math.max(0, from - first) / whole, share: ms / whole, ms });
  const rows = spans.flatMap((span): Span[] => {
    const counts = span.in || span.out ? `${span.in} in, ${span.out} out` : '';
    const tokens = (span.models ?? []).reduce((sum, model) => sum + model.total, 0);
    const said = [seconds(span.ms), counts, tokens ? plural(tokens, 'token') : '', span.message ?? ''].filter(Boolean).join(' · ');
    const steps = (span.steps ?? []).flatMap((step) => stepOf(step, at));
    return [{ name: names[span.stage] ?? span.stage, ...at(Date.parse(span.began), span.ms), said }, ...steps];
  });
  return rows.slice(0, mostSteps);
}

/** A step that took time: it ended when its event came. */
function stepOf(step: TraceEvent, at: (from: number, ms: number) => Pick<Span, 'from' | 'share' | 'ms'>): Span[] {
  if (step.kind !== 'found' && step.kind !== 'read' && step.kind !== 'tool') return [];
  const ms = step.body.ms ?? 0;
  if (!(ms > 0)) return [];
  const name = step.kind === 'found' ? engineName(step.body.engine) : step.kind === 'read' ? 'Page' : step.body.name;
  const count = step.kind === 'found' ? ` · ${plural(step.body.count, 'result')}` : '';
  return [{ name, ...at(Date.parse(step.at) - ms, ms), said: seconds(ms) + count, inner: true }];
}
