import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { RunEvent } from '../api/events';
import { FakeBackend, storedRun } from '../lib/testdata/fake';
import { logs } from '../lib/testdata/logs';

const held = vi.hoisted(() => ({ backend: null as unknown as import('../lib/testdata/fake').FakeBackend }));
vi.mock('../api', async () => {
  const backend = await vi.importActual<typeof import('../api/backend')>('../api/backend');
  const through = new Proxy({}, { get: (_, key) => Reflect.get(held.backend, key) });
  return { backend: through, Fault: backend.Fault, onUnauthorized: () => {} };
});

Element.prototype.scrollTo = () => {};

const { default: Thread } = await import('./Thread.svelte');
const { router } = await import('../stores/router.svelte');

beforeEach(() => {
  held.backend = new FakeBackend();
  window.innerWidth = 1280;
  router.go({ name: 'home' });
});
afterEach(cleanup);

async function show(log: RunEvent[], props: object = {}): Promise<FakeBackend> {
  held.backend.log = log;
  held.backend.runs = [storedRun(log)];
  render(Thread, { threadId: 'thr_0000000001', ...props });
  await screen.findByRole('heading', { level: 1 });
  return held.backend;
}

/** The same log as if it had just happened. */
function fresh(log: RunEvent[]): RunEvent[] {
  return log.map((event) => ({ ...event, at: new Date().toISOString() }));
}

async function live(sample: RunEvent[], until: string): Promise<FakeBackend> {
  const log = fresh(sample);
  held.backend.log = log.slice(0, log.findIndex((e) => e.kind === until));
  held.backend.runs = [{ ...storedRun(log), status: 'running' }];
  render(Thread, { threadId: 'thr_0000000001' });
  await screen.findByRole('heading', { level: 1 });
  return held.backend;
}

describe('the answer screen', () => {
  test('searching: steps and local hits stand where the answer will be', async () => {
    await live(logs.answered, 'read');
    expect(screen.getByText('Reading pages…')).toBeTruthy();
    expect(screen.getByRole('list', { name: 'Steps' }).textContent).toContain('Searched');
    expect(screen.getByText('Already found in your files')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Stop' })).toBeTruthy();
  });

  test('a question asked back: options, own words, and it is gone once it is answered', async () => {
    const backend = await live(logs.answered, 'reading');
    const seq = backend.log.length;
    const event = (n: number, kind: string, body: object) => ({ run: backend.log[0]!.run, seq: seq + n, at: new Date().toISOString(), kind, body }) as unknown as RunEvent;
    backend.emit(event(1, 'tool', { call: 'c1', name: 'file_search', input: { query: 'roof' }, state: 'done', output: '2 passages', ms: 9 }), event(2, 'clarify', { question: 'Which house?', options: ['The old one'], wait_ms: 60000 }));
    expect((await screen.findByRole('alert')).textContent).toContain('Which house?');
    expect(screen.getByRole('list', { name: 'Look-ups' }).textContent).toContain('Searched your files');
    await fireEvent.click(screen.getByRole('button', { name: 'The old one' }));
    expect(backend.calls.at(-1)).toMatch(/^clarify run_\w+ The old one$/);
    backend.emit(event(3, 'clarified', { reply: 'The old one', by: 'user' }));
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
    expect(screen.getByText('The old one').tagName).toBe('B');
  });

  test('thoughts of a model are folded, and never part of the answer', async () => {
    const backend = await live(logs.answered, 'reading');
    const { run, seq } = backend.log.at(-1)!;
    backend.emit({ run, seq: seq + 1, at: new Date().toISOString(), kind: 'thinking', body: { delta: 'Two parts, <b>one</b> look.' } } as unknown as RunEvent);
    const fold = (await screen.findByText('What the model thought')).closest('details')!;
    expect(fold.open).toBe(false);
    expect(fold.textContent).toContain('Two parts, <b>one</b> look.');
    expect(document.querySelector('.a')?.textContent ?? '').not.toContain('one look');
  });

  test('writing: badges wait, and their places do not change when the verdicts come', async () => {
    const before = logs.doubt.findIndex((e) => e.kind === 'checked');
    const backend = await live(logs.doubt, 'checked');
    const container = document.body;
    const badges = [...container.querySelectorAll('button.fn')];
    expect(badges).toHaveLength(5);
    expect(badges.every((b) => b.classList.contains('unchecked'))).toBe(true);
    const words = container.querySelector('.a')!.textContent!.replace(/[≠~?]/g, '');
    backend.emit(...fresh(logs.doubt).slice(before));
    await waitFor(() => expect(badges[2]!.classList.contains('contradicted')).toBe(true));
    expect([...container.querySelectorAll('button.fn')]).toEqual(badges);
    expect(badges.map((b) => b.textContent)).toEqual(['1', '2', '3≠', '4~', '3?']);
    expect(container.querySelector('.a')!.textContent!.replace(/[≠~?]/g, '')).toBe(words);
  });

  test('finished: proof, notes, follow-ups', async () => {
    await show(logs.answered);
    expect(screen.getByText('Answered in 5.1 s')).toBeTruthy();
    expect(screen.getByText('7 footnotes, all supported')).toBeTruthy();
    const notes = screen.getByRole('complementary', { name: 'Notes' });
    expect(within(notes).getAllByRole('article')).toHaveLength(5);
    expect(screen.getByRole('list', { name: 'Follow-up questions' }).children).toHaveLength(3);
    expect(screen.getByRole('article', { name: /burst pipe/ })).toBeTruthy();
  });

  test('doubt: counts, verdict line, disagreement', async () => {
    await show(logs.doubt);
    expect(screen.getByText('5 footnotes checked')).toBeTruthy();
    expect(screen.getByText('Contradicts the sentence')).toBeTruthy();
    expect(screen.getByText('The answer says 24 months, the passage says 12 months.')).toBeTruthy();
    expect(screen.getByText('Your file and the web disagree')).toBeTruthy();
    expect(screen.getByRole('button', { name: /Footnote 3: Boiler-manual.pdf, page 22, your file. Contradicted/ })).toBeTruthy();
  });

  test('extracted, no evidence, stopped', async () => {
    await show(logs.extracted);
    expect(screen.getByText('Extracted from the sources; no model was used.')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Choose a model' })).toBeTruthy();
    cleanup();
    await show(logs['no-evidence']);
    expect(screen.getByText('Nothing found that answers this.')).toBeTruthy();
    expect(screen.queryByText(/Extracted from the sources/)).toBeNull();
    await fireEvent.click(screen.getByRole('button', { name: 'Ask in other words' }));
    expect(document.querySelector<HTMLTextAreaElement>('[data-composer]')!.value).toMatch(/burst pipe/);
    cleanup();
    await show(logs.stopped);
    expect(screen.getByText('The text so far is kept.')).toBeTruthy();
  });

  test('failed: an alert with the next step; the text and its note stay', async () => {
    const backend = await show(logs.failed);
    expect(screen.getByRole('alert').textContent).toContain('The model stopped after 60 seconds.');
    expect(screen.getByRole('button', { name: /Footnote 1: Home-policy-2026.pdf/ })).toBeTruthy();
    await fireEvent.click(screen.getByRole('button', { name: 'Quote instead' }));
    expect(backend.calls).toContain('retry run_0000000004 {"models":{"chat":"none"}}');
  });

  test('a first press lights the card, a second opens the passage', async () => {
    const { calls } = await show(logs.answered);
    const badge = screen.getAllByRole('button', { name: /^Footnote 2:/ })[0]!;
    await fireEvent.click(badge, { detail: 1 });
    expect(document.querySelector('.card.lit')?.textContent).toContain('Schedule-2026.pdf');
    expect(router.route).toEqual({ name: 'home' });
    await fireEvent.click(badge, { detail: 1 });
    expect(router.route).toMatchObject({ name: 'thread', note: 2, runId: 'run_0000000001' });
    expect(calls.filter((call) => call.startsWith('text'))).toEqual([]);
  });

  test('the passage stands beside the text, quote lit, and closes with Escape', async () => {
    held.backend.text = { ...held.backend.text, text: `${'x'.repeat(300)}4.1 What is covered. We pay for sudden and unforeseen escape`, start: 0, end: 400, total: 400 };
    await show(logs.answered, { note: 1 });
    const viewer = await screen.findByRole('complementary', { name: 'Passage' });
    await waitFor(() => expect(viewer.querySelector('mark')?.textContent).toBe('We pay for sudden and unforeseen escape'));
    expect(viewer.textContent).toContain('Footnote 1 of 7');
    expect(viewer.textContent).toContain('As read on 21 Nov 2026.');
    await fireEvent.keyDown(viewer, { key: ']' });
    expect(router.route).toMatchObject({ note: 2 });
    await fireEvent.keyDown(window, { key: 'Escape' });
    expect(router.route).toMatchObject({ name: 'thread' });
    expect('note' in router.route && router.route.note).toBeFalsy();
  });

  test('Escape closes the passage and leaves the caret in the box, where it stood', async () => {
    await show(logs.answered, { note: 2 });
    const box = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Your question' });
    box.getClientRects = () => [new DOMRect()] as unknown as DOMRectList; // jsdom draws nothing
    await fireEvent.input(box, { target: { value: 'half a question' } });
    box.setSelectionRange(4, 4);
    await fireEvent.keyDown(await screen.findByRole('complementary', { name: 'Passage' }), { key: 'Escape' });
    await waitFor(() => expect(document.activeElement).toBe(box));
    expect([box.value, box.selectionStart]).toEqual(['half a question', 4]);
    await fireEvent.input(box, { target: { value: '' } });
  });

  test('Escape in a box that holds something leaves the caret there', async () => {
    await show(logs.answered);
    const box = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Your question' });
    await fireEvent.input(box, { target: { value: 'half a question' } });
    box.focus();
    await fireEvent.keyDown(box, { key: 'Escape' });
    expect(document.activeElement).toBe(box);
    await fireEvent.input(box, { target: { value: '' } });
  });

  test('keys go from footnote to footnote once the reader went there', async () => {
    await show(logs.answered);
    screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Your question' }).focus();
    await fireEvent.keyDown(document.activeElement!, { key: 'Escape' });
    expect(document.activeElement?.tagName).toBe('H1');
    for (const key of [']', '4', 'n', 'c']) expect(await fireEvent.keyDown(document.activeElement!, { key })).toBe(true);
    expect(screen.getByRole('complementary', { name: 'Notes' })).toBeTruthy();
    await fireEvent.keyDown(document.activeElement!, { key: 'Tab' });
    screen.getAllByRole('button', { name: /^Footnote 1:/ })[0]!.focus();
    await fireEvent.keyDown(document.activeElement!, { key: ']' });
    expect(document.activeElement?.getAttribute('data-k')).toBe('0');
    await fireEvent.keyDown(document.activeElement!, { key: '4' });
    expect(document.activeElement?.getAttribute('data-marker')).toBe('4');
    await fireEvent.keyDown(document.activeElement!, { key: 'n' });
    expect(screen.queryByRole('complementary', { name: 'Notes' })).toBeNull();
  });

  test('letters are no commands outside an answer', async () => {
    const backend = await show(logs.answered);
    for (const key of [']', '4', 'n', 'c', 'r']) await fireEvent.keyDown(document.body, { key });
    expect(document.activeElement).toBe(document.body);
    expect(screen.getByRole('complementary', { name: 'Notes' })).toBeTruthy();
    expect(backend.calls.filter((call) => call.startsWith('retry'))).toEqual([]);
  });

  test('four acts stand in words, the rest under More with what is done to the thread', async () => {
    const backend = await show(logs.answered);
    const acts = [...document.querySelectorAll('.end .acts > button')].map((button) => button.textContent!.trim());
    expect(acts).toEqual(['Copy', 'Ask again', 'Check', 'How', '']);
    await fireEvent.click(screen.getByRole('button', { name: /^More to do/ }));
    for (const name of ['Rename', 'Pin', 'Delete']) expect(screen.getByRole('menuitem', { name })).toBeTruthy();
    await fireEvent.click(screen.getByRole('menuitem', { name: /^Branch/ }));
    await waitFor(() => expect(backend.calls.at(-1)).toMatch(/^branch /));
  });

  test('the menu of the bar has what is done to the thread, as the list has', async () => {
    await show(logs.answered);
    await fireEvent.click(screen.getByRole('button', { name: 'More' }));
    const items = screen.getAllByRole('menuitem').map((item) => item.textContent!.trim());
    expect(items.slice(-3)).toEqual(['Rename', 'Pin', 'Delete']);
    await fireEvent.click(screen.getByRole('menuitem', { name: 'Rename' }));
    expect(screen.getByRole('textbox', { name: /title/i })).toBeTruthy();
  });

  test('a phone has cards in a row and the passage in a sheet', async () => {
    window.innerWidth = 400;
    await show(logs.answered);
    expect(screen.getByRole('list', { name: 'Notes' }).children).toHaveLength(5);
    await fireEvent.click(screen.getAllByRole('button', { name: /^Footnote 1:/ })[0]!, { detail: 1 });
    expect(screen.getByRole('region', { name: 'Footnote 1' }).textContent).toContain('Supported');
  });

  test('links of the answer open outside', async () => {
    const log = structuredClone(logs.extracted);
    const end = log.at(-1)!;
    if (end.kind === 'finished') end.body.answer.answer += ' [more](https://a.example/b)';
    const backend = await show(log);
    await fireEvent.click(screen.getByText('a.example').closest('a')!);
    expect(backend.calls).toContain('link https://a.example/b');
  });
});

describe('keeping an answer fresh', () => {
  const standing = { run: '', thread: 'thr_0000000001', every_ms: 86_400_000, on_change: false, failures: 0, paused: false, unseen: false, checking: false };

  test('is chosen at the end of the answer, said quietly, and taken back', async () => {
    const backend = await show(logs.answered);
    await fireEvent.click(screen.getByRole('button', { name: /^More to do/ }));
    for (const name of ['When a cited file changes', 'Every week']) expect(screen.getByRole('menuitem', { name })).toBeTruthy();
    expect(screen.getByRole('menuitem', { name: /^Off/ }).textContent).toContain('now');
    await fireEvent.click(screen.getByRole('menuitem', { name: 'Every day' }));
    expect(await screen.findByText('Checked every day.')).toBeTruthy();
    expect(backend.calls.at(-1)).toBe(`keep ${backend.runs[0]!.id} {"every_ms":86400000,"on_change":false}`);
    await fireEvent.click(screen.getByRole('button', { name: /^More to do/ }));
    await fireEvent.click(screen.getByRole('menuitem', { name: 'Off' }));
    await waitFor(() => expect(screen.queryByText('Checked every day.')).toBeNull());
    expect(backend.calls.at(-1)).toBe(`drop ${backend.runs[0]!.id}`);
  });

  test('how its checks went is said at the newest answer alone', async () => {
    const first = storedRun(logs.answered);
    const again = { ...first, id: 'run_again00000', answer: { ...first.answer!, run: 'run_again00000', diff: { run: first.id, claims: [], links: [], passages: [], sources: [] } } };
    held.backend.fresh = [{ ...standing, run: first.id }];
    held.backend.runs = [first, again];
    const { container } = render(Thread, { threadId: 'thr_0000000001' });
    expect(await screen.findByText('Checked every day.')).toBeTruthy();
    const places = [...container.querySelectorAll('[data-run]')].filter((place) => place.textContent!.includes('Checked every day.'));
    expect(places.map((place) => place.getAttribute('data-run'))).toEqual(['run_again00000']);
  });

  test('says when it was given up, and takes it up again', async () => {
    held.backend.fresh = [{ ...standing, run: logs.answered[0]!.run, paused: true, failures: 5, failure: { code: 'search-failed', message: 'You are offline.', hint: '' } }];
    const backend = await show(logs.answered);
    expect((await screen.findByText(/is not any more/)).textContent).toContain('You are offline.');
    await fireEvent.click(screen.getByRole('button', { name: 'Check again' }));
    expect(await screen.findByText('Checked every day.')).toBeTruthy();
    expect(backend.calls.at(-1)).toContain('keep ');
  });

  test('what a check found counts as seen once the thread is open', async () => {
    held.backend.fresh = [{ ...standing, run: logs.answered[0]!.run, unseen: true, checked: new Date().toISOString(), changed: new Date().toISOString() }];
    const backend = await show(logs.answered);
    expect(await screen.findByText('Checked every day. Last just now, changed.')).toBeTruthy();
    await waitFor(() => expect(backend.calls).toContain('seen thr_0000000001'));
  });
});
