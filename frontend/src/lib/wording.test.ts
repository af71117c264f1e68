import { describe, expect, test } from 'vitest';
import { stepsOf } from '../components/answer/steps';
import { cardsOf, leadWords, notesHead, pendingLines, pendingOf } from '../components/answer/cards';
import { markdownAnswer, plainAnswer } from './copy';
import { fold } from './fold';
import { claimsOf, claimText, notesOf, verdictsOfClaims } from './footnotes';
import { drawWhole } from './markdown/stream';
import { logs } from './testdata/logs';
import { threadKey, watchEntering } from './thread-keys';
import { emptyView, type RunView } from './view';
import { badgeLabel, cautions, day, endedLabel, headingIn, liveLabel, month, origin, pagesRead, placeIn, purposeWords, readyWords, restsOn, searchedWords, seconds, sentWords, shortPlace, tokens } from './wording';

const viewOf = (name: keyof typeof logs, until = Infinity): RunView => logs[name].slice(0, until).reduce(fold, emptyView(''));
const upTo = (name: keyof typeof logs, kind: string): RunView => viewOf(name, logs[name].findIndex((e) => e.kind === kind) + 1);
const notes = (view: RunView) => notesOf(view, drawWhole(view.text, { claims: claimsOf(view), known: () => true }).marks);

describe('the stage line', () => {
  test('says how it went and what it rests on', () => {
    expect(endedLabel(viewOf('answered'))).toBe('Answered in 5.1 s');
    expect(restsOn(viewOf('answered'))).toBe('3 of your files, 2 web pages');
    expect(restsOn(viewOf('doubt'))).toBe('3 of your files, 1 web page');
    expect(endedLabel(viewOf('extracted'))).toBe('Quoted in 5.1 s');
    expect(endedLabel(viewOf('failed'))).toMatch(/^Not finished, failed after 1:05/);
    expect(endedLabel(viewOf('stopped'))).toMatch(/^Stopped after/);
    expect(endedLabel(viewOf('no-evidence'))).toMatch(/^Nothing found after/);
    expect(restsOn(viewOf('no-evidence'))).toBe('');
    const pasted = viewOf('answered');
    pasted.sources = pasted.sources.map((source) => ({ ...source, kind: 'pasted', domain: '' }));
    expect(restsOn(pasted)).toBe('pasted text');
    expect(origin(pasted.sources[0]!)).toBe('With the question');
    expect(searchedWords(viewOf('no-evidence'))).toMatch(/^Searched your files/);
  });

  test('tells engines that answered from those that did not', () => {
    const view = viewOf('no-evidence');
    const search = (engine: string, state: 'answered' | 'failed') => ({ engine, query: 'q', state, count: 0, ms: null, error: null });
    view.plan = { ...view.plan!, shelf: true, queries: ['q'] };
    view.searches = [search('library', 'answered'), search('wikipedia', 'failed'), search('brave', 'answered')];
    expect(searchedWords(view)).toBe('Searched your files and 1 engine for “q”. 1 engine of the web did not answer.');
    view.searches = [search('library', 'answered'), search('wikipedia', 'failed'), search('brave', 'failed')];
    expect(searchedWords(view)).toBe('Searched your files for “q”. 2 engines of the web did not answer.');
    view.question = 'Q?';
    expect(searchedWords(view)).toBe('Searched your files. 2 engines of the web did not answer.');
    view.plan.shelf = false;
    view.searches = view.searches.slice(1);
    expect(searchedWords(view)).toBe('2 engines of the web did not answer.');
  });

  test('says what it waits for after ten silent seconds', () => {
    const view = upTo('answered', 'text');
    expect(liveLabel(view, view.heard + 9000)).toBe('Synthesizing answer…');
    expect(liveLabel(view, view.heard + 14_200)).toBe('Waiting for the model, 14 s');
    expect(liveLabel(emptyView('r'), 0)).toBe('Starting…');
  });

  test('counts pages', () => {
    expect(pagesRead(upTo('answered', 'read'))).toBe('1 of 2 pages read');
  });

  test.each([[0, '0.0 s'], [5120, '5.1 s'], [12_400, '12 s'], [125_000, '2:05'], [59_960, '1:00']])('%i ms is %s', (ms, words) => {
    expect(seconds(ms)).toBe(words);
  });
});

describe('badges in words', () => {
  test('name number, source, place, owner and verdict', () => {
    const view = viewOf('doubt');
    expect(badgeLabel(notes(view)[2]!)).toBe('Footnote 3: Boiler-manual.pdf, page 22, your file. Contradicted by the passage.');
    expect(badgeLabel(notes(view)[1]!)).toBe('Footnote 2: Warranty terms, Series 4 boilers. Supported.');
    expect(readyWords(view, notes(view))).toBe('Answer ready, 5 footnotes, 1 partly supported, 1 not found, 1 contradicted');
  });

  test('a claim is underlined by its worst verdict, and quoted without markers', () => {
    const view = viewOf('doubt');
    const all = notes(view);
    expect([...verdictsOfClaims(all).values()]).toEqual(['supported', 'supported', 'contradicted', 'partly', 'not-found']);
    expect(claimText(view, all[2]!)).toBe('The boiler has to be serviced every 24 months.');
  });
});

describe('places', () => {
  test('are words', () => {
    const at = { page: 0, line: 31, heading: 'A > B', start: 0, end: 0 };
    expect(placeIn(at)).toBe('line 31');
    expect(headingIn(at)).toBe('A, B');
    const slide = { ...at, page: 4, place: 'Slide 4' };
    expect([placeIn(slide), shortPlace(slide), headingIn(slide)]).toEqual(['Slide 4', 'Slide 4', 'A, B']);
    const sheet = { ...at, heading: 'Costs', place: "Sheet 'Costs' B2:D9" };
    expect([shortPlace(sheet), headingIn(sheet)]).toEqual(["Sheet 'Costs' B2:D9", '']);
    const [policy, , , web] = viewOf('answered').sources;
    expect(origin(policy!)).toBe('Household › Insurance');
    expect(origin(web!)).toBe('claimsdesk.example · Mar 2026');
    expect(month('x')).toBe('');
    expect(day('2026-11-21T10:00:00Z')).toBe('21 Nov 2026');
  });
});

describe('proof and sums', () => {
  test('say what left', () => {
    expect(sentWords(viewOf('answered'), 'this computer')).toBe('3 hosts, 1.6 KB sent, no file text');
    expect(sentWords({ ...viewOf('answered'), ledger: [] }, 'this computer')).toBe('Nothing left this computer');
    expect(sentWords({ ...viewOf('answered'), ledger: [], answer: null }, 'this computer')).toBe('');
    const here = viewOf('answered').ledger.filter((e) => e.host.startsWith('127.'));
    expect(sentWords({ ...viewOf('answered'), ledger: here }, 'this computer')).toBe('Nothing left this computer');
    const cloud = [{ host: 'api.example', purpose: 'chat', bytes_out: 2000, bytes_in: 10, requests: 1, sent: ['psg_policy0001'] }];
    expect(sentWords({ ...viewOf('answered'), ledger: cloud }, 'this computer')).toBe('1 host, 2.0 KB sent, 1 passage of your files');
    expect(sentWords({ ...viewOf('answered'), ledger: [{ ...cloud[0]!, bytes_out: 0, sent: [] }] }, 'this computer')).toBe('Nothing left this computer');
    expect(sentWords({ ...viewOf('answered'), ledger: [] }, 'the server library.example')).toBe('Nothing left the server library.example');
    expect([purposeWords('embed'), purposeWords('something newer')]).toEqual(['Comparing by meaning', 'something newer']);
    expect([tokens(0), tokens(432), tokens(2390), tokens(23_900, true)]).toEqual(['0', '0.4k', '2.4k', '≈24k']);
  });
});

test('that there is one source alone is no warning', () => {
  expect(cautions(['Answer relies on single source'])).toEqual({ single: true, lines: [] });
  expect(cautions(['Low citation coverage', 'Something else']).lines).toEqual(['Few of its sentences have a footnote. Treat the rest as unproved.', 'Something else']);
});

describe('steps', () => {
  test('say what was done, is done and comes', () => {
    const steps = stepsOf(upTo('answered', 'read'), 0);
    expect(steps.map((s) => s.state)).toEqual(['done', 'done', 'now', 'later', 'later', 'later']);
    expect(steps[1]!.detail).toBe('3 passages in your files, 2 results from 1 engine');
    expect(steps[2]!).toMatchObject({ name: 'Reading', detail: 'damphelp.example' });
  });
  test('what there was nothing to do for does not stand as still to come', () => {
    const view = viewOf('answered');
    const steps = stepsOf({ ...view, stages: view.stages.filter((s) => s.stage !== 'read') }, 0);
    expect(steps.map((s) => s.state)).toEqual(['done', 'done', 'passed', 'done', 'done', 'done']);
    expect(steps[2]!).toMatchObject({ name: 'Reading', detail: 'No page to read', ms: null });
  });
});

describe('cards', () => {
  test('a lit card shows its own quote; a doubtful one its doubt', () => {
    const view = viewOf('doubt');
    const cards = cardsOf(view, notes(view), null);
    expect(cards.map((c) => c.verdict)).toEqual(['supported', 'supported', 'contradicted', 'partly']);
    expect(cards[0]!.flag).toBe('Only part of it was read');
    expect(cards[3]!.meta).toBe('Date found, company not');
    expect(cardsOf(view, notes(view), 4)[2]).toMatchObject({ lit: true, verdict: 'not-found' });
    const pipe = viewOf('answered');
    expect(cardsOf(pipe, notes(pipe), 0)[0]!.meta).toBe('Supports 3 sentences');
  });

  test('pages without a number say how far reading has come', () => {
    const view = upTo('answered', 'read');
    expect(pendingOf(view).map((lead) => leadWords(lead, true))).toEqual(['Read', 'Reading']);
    expect(notesHead(view)).toBe('5 found, 1 of 2 read');
  });
});

describe('numbers', () => {
  test('sources count in the order in which the text names them, in the text and in its copies', () => {
    const given = viewOf('answered');
    const view = { ...given, text: given.text.replace('[1]', '[4]') };
    const renumbered = notes(view);
    expect(renumbered[0]).toMatchObject({ n: 4, shown: 1 });
    expect([...new Set(renumbered.map((note) => note.shown))]).toEqual([...new Set(renumbered.map((note) => note.shown))].sort((a, b) => a - b));
    expect(plainAnswer(view, renumbered)).toMatch(/leak\.\[1\]/);
    expect(markdownAnswer(view, renumbered)).toContain('[1] What adjusters look for after a leak');
    const cards = cardsOf(view, renumbered, null);
    expect(cards.map((card) => card.number)).toEqual(cards.map((_, i) => i + 1));
  });
});

describe('copying', () => {
  test('plain text keeps the numbers, Markdown brings the notes', () => {
    const view = viewOf('answered');
    expect(plainAnswer(view, notes(view))).toMatch(/^Yes, with a €300 excess\. Your policy .*leak\.\[1\]/);
    const markdown = markdownAnswer(view, notes(view));
    expect(markdown).toContain('[3] house-notes.md, line 31: “');
    expect(markdown).toContain('[4] What adjusters look for after a leak <https://claimsdesk.example/leaks>');
  });

  test('plain text has no backslash that a source does not have, but before what is no footnote', () => {
    const text = '## Files\n\n1\\. Files match `\\*.md` and \\*.txt in \\~/docs, see array\\[0\\] and **bold \\# text** [1].\n\n```\nls \\*\n```';
    const view = { ...viewOf('answered'), text };
    expect(plainAnswer(view, notes(view))).toBe('Files\n\n1. Files match `\\*.md` and *.txt in ~/docs, see array\\[0] and bold # text [1].\n\n```\nls \\*\n```');
  });
});

describe('keys', () => {
  const press = (key: string, more = {}) => threadKey({ key, shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, target: text, ...more });
  const article = document.createElement('article');
  const text = article.appendChild(document.createElement('p'));
  text.className = 'text';
  test('single letters work in the text of an answer only, once the reader went into it', () => {
    expect(press('c')).toBeNull();
    document.body.append(article);
    const badge = text.appendChild(document.createElement('button'));
    badge.className = 'fn';
    const stop = watchEntering();
    badge.dispatchEvent(new KeyboardEvent('keydown', { key: 'Tab', bubbles: true }));
    badge.focus();
    expect(press('c', { target: document.body })).toBeNull();
    expect(['[', ']', '3', 'n', 'c', 'r', 'Enter', 'Escape', 'x'].map((key) => press(key))).toEqual(['previous', 'next', 3, 'notes', 'copy', null, 'open', 'close', null]);
    expect(press('C', { shiftKey: true })).toBe('copy-markdown');
    expect(press('c', { ctrlKey: true })).toBeNull();
    expect(press('c', { target: document.createElement('textarea') })).toBeNull();
    expect(press('Enter', { target: document.createElement('button') })).toBeNull();
    stop();
    article.remove();
  });
});

test('pages of one site that were not read for one reason are one line with their count', () => {
  const lead = (source: string, domain: string, reason: string) => ({ source, domain, reason, address: '', title: source, snippet: '', engine_score: 0, engine: 'mojeek', state: 'unread' as const, code: 'blocked' });
  const leads = [lead('a', 'one.example', 'no'), lead('b', 'two.example', 'no'), lead('c', 'one.example', 'no'), lead('d', 'one.example', 'other')];
  expect(pendingLines({ ...emptyView('r'), leads }).map(({ lead, pages }) => [lead.source, pages])).toEqual([['a', 2], ['b', 1], ['d', 1]]);
});
