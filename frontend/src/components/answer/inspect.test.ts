// @vitest-environment node
import { describe, expect, test } from 'vitest';
import { logs } from '../../lib/testdata/logs';
import { fold } from '../../lib/fold';
import { emptyView } from '../../lib/view';
import { planWords, searchWords, spansOf, waterfall } from './inspect';
import { toolWords } from './tools';

const view = logs.doubt.reduce(fold, emptyView('r'));

describe('the inspector', () => {
  test('stages lie on the clock of the run', () => {
    const spans = spansOf(view);
    expect(spans.map((span) => span.name).slice(0, 3)).toEqual(['Understand', 'Search', 'Read']);
    for (const span of spans) {
      expect(span.from).toBeGreaterThanOrEqual(0);
      expect(span.from + span.share).toBeLessThanOrEqual(1.000001);
    }
  });

  test('a search says who was asked and what came of it', () => {
    const failure = { code: 'search-blocked', message: 'Mojeek refused.', hint: '' };
    expect(searchWords({ engine: 'library', query: 'q', state: 'answered', count: 1, ms: 12, error: null })).toEqual({ who: 'Your files', outcome: '1 passage in 0.0 s' });
    expect(searchWords({ engine: 'mojeek', query: 'q', state: 'failed', count: 0, ms: null, error: failure }).outcome).toBe('Mojeek refused.');
    expect(searchWords({ engine: 'mojeek', query: 'q', state: 'asked', count: 0, ms: null, error: null }).outcome).toBe('No answer in time');
  });

  test('the plan is told in a sentence', () => {
    expect(planWords(view)).toMatch(/^Planned .*\.$/);
    expect(planWords(emptyView('r'))).toBe('');
  });
});

describe('look-ups of a model', () => {
  const tool = { call: 'a', name: 'web_search', input: { query: 'lamp' }, state: 'running' as const, output: '', ms: null };
  test('say what is done with what, and what came of it', () => {
    expect(toolWords(tool)).toEqual({ name: 'Searching the web', detail: '“lamp”', state: 'now' });
    expect(toolWords({ ...tool, state: 'done', output: '3 results' })).toEqual({ name: 'Searched the web', detail: '“lamp” · 3 results', state: 'done' });
    expect(toolWords({ ...tool, name: 'url_summarization', input: { url: 'https://a.example/x' }, state: 'failed', output: 'Not found' })).toEqual({ name: 'Read a page', detail: 'a.example · Not found', state: 'failed' });
    expect(toolWords({ ...tool, name: 'unheard_of', input: {}, state: 'blocked' }).state).toBe('failed');
  });
});

describe('the waterfall of a trace', () => {
  const began = Date.parse('2026-11-21T10:00:00.000Z');
  const found = { query: 'lamp', engine: 'wikipedia', ms: 600, count: 8, leads: [] };
  const at = (ms: number): string => new Date(began + ms).toISOString();
  const span = { state: 'end', in: 0, out: 0, models: null, decisions: null, steps: null };
  const rows = waterfall({
    run: 'run_1', ranking: null,
    spans: [
      { ...span, stage: 'gather', began: at(0), ms: 1000, in: 1, out: 8, steps: [{ seq: 2, at: at(900), kind: 'found', body: found, run: 'run_1' }, { seq: 3, at: at(950), kind: 'searching', body: { query: 'lamp', engine: 'wikipedia', page: 1 }, run: 'run_1' }] },
      { ...span, stage: 'compose', began: at(1000), ms: 1000, models: [{ model: 'm', prompt: 40, completion: 2, total: 42, calls: 1, estimated: false }] },
    ],
  });

  test('a step that took time lies within its stage and ends when its event came', () => {
    expect(rows.map((row) => row.name)).toEqual(['Search', 'Wikipedia', 'Write']);
    expect(rows[1]).toMatchObject({ from: 0.15, share: 0.3, inner: true });
  });

  test('a stage says what its models used', () => expect(rows[2]!.said).toContain('42 tokens'));
});
