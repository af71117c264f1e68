// A research run of the mock server: the recorded events of the tests, replayed.
import { readFileSync } from 'node:fs';
import { sources } from './run.mjs';

const recorded = JSON.parse(readFileSync(new URL('../src/lib/testdata/research.json', import.meta.url), 'utf8'));
export const answer = recorded.at(-1).body.answer;

/** The script of a run, like that of run.mjs; the report comes at a hundred characters in 50 ms. */
export function script(question, run, thread) {
  let before = Date.parse(recorded[0].at);
  return recorded.map(({ kind, at, body }) => {
    const wait = Math.min(kind === 'text' ? 50 : 900, Date.parse(at) - before);
    before = Date.parse(at);
    const own = kind === 'started' ? { ...body, question, thread } : kind === 'finished' ? { ...body, answer: { ...body.answer, question, run, thread } } : body;
    return [kind === 'stage' && body.stage === 'plan-review' && body.state === 'end' ? 30_000 : wait, kind, kind === 'scoped' ? { ...own, review_ms: 30_000 } : own];
  });
}

/** A run that is over, with its events at their own times. */
export const past = (run, thread) => recorded.map((event) => ({ ...event, run, body: event.kind === 'started' ? { ...event.body, thread } : event.body }));

export const weights = { semantic: 0.4, keyword: 0.25, freshness: 0.15, authority: 0.2 };
const sum = (s) => weights.semantic * s.semantic + weights.keyword * s.keyword + weights.freshness * s.freshness + weights.authority * s.authority;
const candidates = sources.map((s, i) => {
  const scores = { semantic: 0.82 - i * 0.11, keyword: 0.74 - i * 0.2, freshness: 0.5, authority: 0.5 + i * 0.1 };
  return { passage: s.passages[0].id, source: s.id, title: s.title, address: s.path ?? s.url, engine: s.engine, scores: { ...scores, composite: sum(scores) }, rank_before: i + 1, rank_after: i + 1, chosen: true, reason: '' };
});
const step = (kind, at, body) => ({ seq: 1, at: new Date(at).toISOString(), kind, body });
export function trace(run) {
  const began = Date.now() - 60_000;
  const span = (stage, from, ms, extra = {}) => ({ stage, state: 'end', began: new Date(began + from).toISOString(), ms, in: 0, out: 0, models: null, decisions: null, steps: null, ...extra });
  return {
    run,
    spans: [
      span('plan', 0, 400), span('gather', 400, 900, { in: 1, out: 9, steps: [step('found', began + 420, { engine: 'library', ms: 12, count: 9 }), step('found', began + 1280, { engine: 'wikipedia', ms: 860, count: 21 })] }),
      span('read', 1300, 1200, { steps: [step('read', began + 1800, { ms: 480 })] }), span('select', 2500, 30, { in: 12, out: 6 }), span('compose', 2530, 3100), span('check', 5630, 20),
    ],
    ranking: { preset: 'general', k: 6, weights, measure: 'cosine', candidates },
  };
}
export function replay() {
  const place = (c, i) => ({ n: i + 1, passage: c.passage, source: c.source, title: c.title, address: c.address, scores: c.scores });
  return { before: candidates.map(place), after: candidates.toReversed().map(place), moved: 2 };
}
