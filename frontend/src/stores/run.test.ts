import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Fault } from '../api/backend';
import { FakeBackend, storedRun } from '../lib/testdata/fake';
import { logs } from '../lib/testdata/logs';
import { Conversation } from './conversation.svelte';
import { PassageStore } from './passage.svelte';
import { Reading } from './reading.svelte';
import { RunStore } from './run.svelte';

const log = logs.answered;
let backend: FakeBackend;
beforeEach(() => {
  vi.useFakeTimers();
  backend = new FakeBackend();
});
afterEach(() => vi.useRealTimers());

function store(): RunStore {
  return new RunStore(backend.api, log[0]!.run);
}

describe('a run store', () => {
  test('replays what has happened, then goes on live', () => {
    backend.log = log.slice(0, 10);
    const run = store();
    run.follow();
    expect(run.view.seq).toBe(10);
    backend.emit(...log.slice(10));
    expect(run.view.status).toBe('finished');
    expect(run.view.seq).toBe(log.length);
    expect(backend.followers.every((f) => !f.open)).toBe(true);
  });

  test('resumes by number and folds nothing twice', () => {
    backend.log = log.slice(0, 20);
    const run = store();
    run.follow();
    run.close();
    backend.emit(...log.slice(20, 30));
    run.follow();
    expect(backend.calls).toEqual([`follow ${run.id} after 0`, `follow ${run.id} after 20`]);
    backend.followers[1]!.onEvent(log[25]!);
    expect(run.view.seq).toBe(30);
    backend.emit(...log.slice(30));
    expect(run.view.text).toBe(run.view.answer!.answer);
  });

  test('asks again when an event is missing', async () => {
    backend.log = log.slice(0, 5);
    const run = store();
    run.follow();
    backend.log = log.slice(0, 8);
    backend.followers[0]!.onEvent(log[7]!);
    await Promise.resolve();
    expect(run.view.seq).toBe(8);
    expect(backend.calls.at(-1)).toBe(`follow ${run.id} after 5`);
  });

  test('keeps the text and says why when following fails', () => {
    backend.log = log.slice(0, 30);
    const run = store();
    run.follow();
    const { text } = run.view;
    backend.followers[0]!.onEnd(new Fault({ code: 'disconnected', message: 'Footnote does not answer.', hint: '' }));
    expect(run.fault?.message).toBe('Footnote does not answer.');
    expect(run.view.text).toBe(text);
    run.follow();
    expect(run.fault).toBeNull();
  });

  test('presses Answer now once', async () => {
    backend.log = log.slice(0, 10);
    const run = store();
    run.follow();
    await run.answerNow();
    await run.answerNow();
    expect(backend.calls.filter((call) => call === 'answer-now')).toHaveLength(1);
  });

  test('the clock ticks while the run goes on', () => {
    const run = store();
    run.follow();
    const before = run.now;
    vi.advanceTimersByTime(1000);
    expect(run.now - before).toBeGreaterThanOrEqual(800);
    run.close();
  });

  test('a run that did not finish brings its notes from its events', () => {
    backend.log = logs.failed;
    const run = RunStore.of(backend.api, storedRun(logs.failed));
    expect(run.view.footnotes).toHaveLength(1);
    expect(run.view.failure?.code).toBe('model-timeout');
  });
});

describe('a conversation', () => {
  test('follows a run that was just asked before the thread is there, once', async () => {
    backend.log = log.slice(0, 10);
    backend.runs = [{ ...storedRun(log), status: 'running' }];
    const talk = new Conversation(backend.api, 'thr_0000000001');
    const loading = talk.load(log[0]!.run);
    expect(talk.turns[0]!.view.question).toContain('burst pipe');
    await loading;
    expect(talk.turns).toHaveLength(1);
    expect(backend.calls).toEqual([`follow ${log[0]!.run} after 0`]);
    talk.close();
  });

  test('keeps what was asked while the thread was on its way', async () => {
    backend.log = log.slice(0, 10);
    backend.runs = [storedRun(log)];
    const talk = new Conversation(backend.api, 'thr_0000000001');
    const loading = talk.load();
    await talk.ask({ question: 'And then?' } as Parameters<Conversation['ask']>[0]);
    await loading;
    expect(talk.turns.map((turn) => turn.id)).toEqual([log[0]!.run, 'run_next000000']);
    backend.runs = [];
    await talk.load();
    expect(talk.turns).toEqual([]);
    talk.close();
  });

  test('shows stored answers without following them', async () => {
    backend.runs = [storedRun(logs.answered), storedRun(logs.doubt)];
    const talk = new Conversation(backend.api, 'thr_0000000001');
    await talk.load();
    expect(talk.turns.map((turn) => turn.view.status)).toEqual(['finished', 'finished']);
    expect(backend.calls).toEqual([]);
  });
});

describe('a reading', () => {
  test('the peek waits, moves without waiting, and closes', () => {
    const reading = new Reading(RunStore.of(backend.api, storedRun(logs.doubt)));
    const badge = document.createElement('button');
    reading.point(0, badge, false);
    expect(reading.peek).toBeNull();
    vi.advanceTimersByTime(160);
    expect(reading.peek?.k).toBe(0);
    reading.leave();
    reading.point(1, badge, false);
    expect(reading.peek?.k).toBe(1);
    reading.leave();
    reading.stay();
    vi.advanceTimersByTime(500);
    expect(reading.peek?.k).toBe(1);
    expect(reading.hush()).toBe(true);
    expect(reading.hush()).toBe(false);
  });

  test('every badge has its citation, its source and its claim', () => {
    const reading = new Reading(RunStore.of(backend.api, storedRun(logs.answered)));
    expect(reading.notes.map((note) => note.n)).toEqual([1, 2, 1, 3, 1, 4, 5]);
    for (const note of reading.notes) {
      expect(note.source?.n).toBe(note.n);
      expect(note.passage).not.toBe('');
      expect(reading.drawn.blocks.some((block) => block.html.includes(`data-c="${note.claim}"`))).toBe(true);
    }
    expect(reading.next(null, -1)).toBe(6);
    expect(reading.next(6, 1)).toBe(0);
  });
});

describe('a passage', () => {
  test('highlights stand in the whole text, in code points', async () => {
    const reading = new Reading(RunStore.of(backend.api, storedRun(logs.answered)));
    const note = reading.notes[0]!;
    backend.text = { ...backend.text, text: 'x'.repeat(400), start: 0, end: 400, total: 9000 };
    const passage = new PassageStore(backend.api);
    await passage.open(note);
    expect(backend.calls).toEqual([`text ${note.source!.id} {"start":0,"end":3540}`]);
    expect(passage.marks).toEqual(note.cited!.highlight.map((h) => ({ start: h.start + 300, end: h.end + 300 })));
    expect(passage.soft).toEqual({ start: 300, end: 540 });
  });

  test('more text is joined to what is shown', async () => {
    const reading = new Reading(RunStore.of(backend.api, storedRun(logs.answered)));
    backend.text = { ...backend.text, text: 'b', start: 100, end: 101, total: 9000 };
    const passage = new PassageStore(backend.api);
    await passage.open(reading.notes[0]!);
    backend.text = { ...backend.text, text: 'a', start: 0, end: 100 };
    await passage.more(-1);
    backend.text = { ...backend.text, text: 'c', start: 101, end: 200 };
    await passage.more(1);
    expect(passage.stretch).toMatchObject({ text: 'abc', start: 0, end: 200 });
  });

  test('says why it cannot be shown', async () => {
    const reading = new Reading(RunStore.of(backend.api, storedRun(logs.answered)));
    backend.sourceText = () => Promise.reject(new Fault({ code: 'not-found', message: 'This text is gone.', hint: '' }));
    const passage = new PassageStore(backend.api);
    await passage.open(reading.notes[0]!);
    expect(passage.fault?.message).toBe('This text is gone.');
  });
});
