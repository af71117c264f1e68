// @vitest-environment node
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { terminalKinds } from '../api/events';
import { countPoints, slicePoints } from './codepoints';
import { fold, viewOfRun, type Envelope } from './fold';
import { currentStage, emptyView, localHits, type RunView } from './view';

const here = dirname(fileURLToPath(import.meta.url));

function golden(): string {
  let dir = here;
  while (!existsSync(join(dir, 'go.mod')) && dirname(dir) !== dir) dir = dirname(dir);
  return join(dir, 'backend/answer/testdata/events');
}

function logs(folder: string): [string, Envelope[]][] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).filter((name) => name.endsWith('.json'))
    .map((name) => [name, JSON.parse(readFileSync(join(folder, name), 'utf8')) as Envelope[]]);
}

const own = logs(join(here, 'testdata'));
const log = (name: string) => own.find(([file]) => file === `${name}.json`)![1];
const all = (events: Envelope[], view = emptyView(events[0]!.run)): RunView => events.reduce(fold, view);

describe.each([...own, ...logs(golden())])('the log %s', (_, events) => {
  test('is numbered from 1 and ends once', () => {
    expect(events.map((e) => e.seq)).toEqual(events.map((_, i) => i + 1));
    expect(events.filter((e) => terminalKinds.includes(e.kind)).map((e) => e.seq)).toEqual([events.length]);
  });

  test('folds to an ended view, in one go as in two', () => {
    const view = all(events);
    expect(view.status).not.toBe('running');
    expect(view.seq).toBe(events.length);
    const half = Math.floor(events.length / 2);
    expect(all(events.slice(half), all(events.slice(0, half)))).toEqual(view);
    expect(all(events, view)).toEqual(view);
  });

  test('counts text in code points, and claims lie in it', () => {
    const view = all(events);
    expect(view.points).toBe(countPoints(view.text));
    for (const note of view.footnotes) {
      expect(note.claim.end).toBeLessThanOrEqual(view.points);
      expect(note.claim.start).toBeLessThan(note.claim.end);
    }
  });

  test('the text of the deltas is the text of the answer', () => {
    const before = all(events.slice(0, -1));
    const view = all(events);
    if (view.status === 'finished' && before.text) expect(view.text).toBe(before.text);
    else expect(view.text.startsWith(before.text)).toBe(true);
  });

  test('every footnote has a source with a card', () => {
    const view = all(events);
    for (const note of view.footnotes) expect(view.sources.map((s) => s.id)).toContain(note.source);
  });
});

describe('fold', () => {
  test('unknown kinds change nothing but the number', () => {
    const view = all(log('answered').slice(0, 5));
    const next = fold(view, { run: view.run, seq: 6, at: '2026-11-21T10:00:01.000Z', kind: 'toString', body: {} });
    expect({ ...next, seq: view.seq, heard: view.heard }).toEqual(view);
  });

  test('views are never changed in place', () => {
    const freeze = <T>(value: T): T => {
      if (value && typeof value === 'object') Object.values(Object.freeze(value)).forEach(freeze);
      return value;
    };
    for (const [, events] of own) {
      let view = freeze(emptyView(''));
      for (const event of events) view = freeze(fold(view, freeze(event)));
    }
  });

  test('local hits are there while pages are being read', () => {
    const events = log('answered');
    const view = all(events.slice(0, events.findIndex((e) => e.kind === 'reading')));
    expect(localHits(view).map((hit) => hit.title)).toEqual(['Home-policy-2026.pdf', 'Schedule-2026.pdf', 'house-notes.md']);
    expect(currentStage(view)?.label).toBe('Reading pages…');
    expect(view.searches.map((s) => [s.engine, s.state])).toEqual([['library', 'answered'], ['searxng', 'answered']]);
  });

  test('markers are bound at once and get their verdict later', () => {
    const events = log('doubt');
    const before = all(events.slice(0, events.findIndex((e) => e.kind === 'checked')));
    expect(before.footnotes.map((n) => n.verdict)).toEqual(Array(5).fill('unchecked'));
    expect(before.footnotes.every((n) => n.source !== '')).toBe(true);
    expect(all(events).footnotes.map((n) => n.verdict)).toEqual(['supported', 'supported', 'contradicted', 'partly', 'not-found']);
  });

  test('a writer that begins anew overwrites what came before', () => {
    const at = '2026-11-21T10:00:00.000Z';
    const text = (seq: number, delta: string, offset: number): Envelope => ({ run: 'r', seq, at, kind: 'text', body: { delta, at: offset } });
    const view = all([text(1, 'a𝒳c', 0), text(2, 'def', 3), text(3, '!', 2), text(4, '?', 3)]);
    expect(view.text).toBe('a𝒳!?');
    expect(view.points).toBe(4);
  });

  test('calls of tools are told once each, with what came of them', () => {
    const at = '2026-11-21T10:00:00.000Z';
    const tool = (seq: number, body: object): Envelope => ({ run: 'r', seq, at, kind: 'tool', body });
    const view = all([
      tool(1, { call: 'a', name: 'web_search', input: { query: 'lamp' }, state: 'requested' }),
      tool(2, { call: 'b', name: 'file_search', input: { query: 'lens' }, state: 'blocked', output: 'The same again.' }),
      tool(3, { call: 'a', name: 'web_search', input: null, state: 'done', output: '3 results', ms: 12 }),
    ]);
    expect(view.tools.map((t) => [t.call, t.state, t.input.query, t.output, t.ms])).toEqual([
      ['a', 'done', 'lamp', '3 results', 12], ['b', 'blocked', 'lens', 'The same again.', null],
    ]);
  });

  test('a question asked back waits until it is answered, or the run ends', () => {
    const at = '2026-11-21T10:00:00.000Z';
    const asked: Envelope = { run: 'r', seq: 1, at, kind: 'clarify', body: { question: 'Which?', options: null, wait_ms: 60000 } };
    const waiting = fold(emptyView('r'), asked);
    expect(waiting.clarify).toEqual({ question: 'Which?', options: [], until: Date.parse(at) + 60000 });
    const told = fold(waiting, { run: 'r', seq: 2, at, kind: 'clarified', body: { reply: 'The north one', by: 'user' } });
    expect([told.clarify, told.clarified]).toEqual([null, [{ question: 'Which?', reply: 'The north one', by: 'user' }]]);
    expect(fold(waiting, { run: 'r', seq: 2, at, kind: 'stopped', body: { by: 'user', stage: 'gather', partial: '' } }).clarify).toBeNull();
  });

  test('a preview comes to its card', () => {
    const events = log('answered');
    const view = all(events.slice(0, events.findIndex((e) => e.kind === 'checked')));
    const id = view.sources.at(-1)!.id;
    const next = fold(view, { run: view.run, seq: view.seq + 1, at: '2026-11-21T10:00:09.000Z', kind: 'image', body: { source: id, image: '/api/sources/x/image' } });
    expect(next.sources.filter((card) => card.image === '/api/sources/x/image').map((card) => card.id)).toEqual([id]);
  });

  test('a failed and a stopped run keep their text and their notes', () => {
    const failed = all(log('failed'));
    expect(failed.failure?.message).toContain('60 seconds');
    expect(failed.text).toContain('Your policy covers');
    expect(failed.footnotes).toHaveLength(1);
    expect(all(log('stopped'))).toMatchObject({ status: 'stopped', stoppedBy: 'user' });
  });

  test('a stored run looks like the folded one', () => {
    const folded = all(log('doubt'));
    const stored = viewOfRun({
      id: folded.run, thread: folded.thread, status: 'finished', started: '2026-11-21T10:00:00.000Z',
      question: { question: folded.question, focus: 'all', mode: 'balanced', offline: false } as never,
      answer: folded.answer!,
    });
    for (const key of ['text', 'footnotes', 'sources', 'report', 'followUps', 'outcome', 'disagreements'] as const) {
      expect(stored[key]).toEqual(folded[key]);
    }
  });
});

describe('code points', () => {
  test('slices do not split characters', () => {
    expect(slicePoints('a👩b', 1, 2)).toBe('👩');
    expect(slicePoints('plain', 1, 99)).toBe('lain');
  });
});

test.each(logs(golden()))('in the log %s a page that was read is the lead it was searched for, under the name of its card', (_, events) => {
  const last = all(events.filter((event) => !terminalKinds.includes(event.kind)));
  const read = events.filter((event) => event.kind === 'read').map((event) => event.body as { source: string; document?: string });
  for (const { source, document } of read) {
    const page = last.leads.find((lead) => lead.source === (document ?? source));
    if (page) expect(page.state).toBe('read');
    expect(last.leads.some((lead) => lead.source === source && lead.state === 'reading')).toBe(false);
  }
  const cards = new Set(last.sources.map((card) => card.id));
  const web = last.sources.filter((card) => card.kind === 'web' && !card.flags.includes('snippet'));
  for (const card of web) if (read.some(({ document }) => document === card.id)) expect(last.leads.some((lead) => lead.source === card.id && cards.has(lead.source))).toBe(true);
});
