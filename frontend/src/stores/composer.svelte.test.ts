import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Fault, type FileInfo, type Focus } from '../api';
import { asked, Composer, keepDraft, splitLong, webShut } from './composer.svelte';
import { carryDraft, dropDraft } from './draft';
import { settings } from './settings.svelte';
import { Warming } from './warming';

const api = () => ({
  addPaths: vi.fn(async (paths: string[]) => ({ added: paths.map((path) => ({ id: `fil_${path.length}`, path })), skipped: [], looking: false })),
  upload: vi.fn(async (files: File[]) => files.map((f, i) => ({ id: `fil_${i}`, name: f.name, topics: [] }))),
  chooseFiles: vi.fn(async () => [] as string[]),
  file: vi.fn(async (id: string) => ({ id, name: 'a', status: 'ready', reason: '' }) as FileInfo),
});
beforeEach(() => localStorage.clear());

describe('Warming', () => {
  const typing = { text: 'Wh', asksWeb: true, model: '' } as const;
  const made = () => {
    const warm = vi.fn(async (_: string) => Promise.reject(new Error('gone')));
    let now = 0;
    return { warm, warming: new Warming({ warm }, () => now), pass: (ms: number) => (now += ms) };
  };

  it('asks for connections once in a while, and is silent when refused', async () => {
    const { warm, warming, pass } = made();
    warming.typed(typing, null);
    warming.typed({ ...typing, text: 'Why' }, null);
    expect(warm).toHaveBeenCalledTimes(1);
    pass(20_000);
    warming.typed({ ...typing, model: 'office/m' }, null);
    expect(warm.mock.calls).toEqual([[''], ['office/m']]);
  });

  it('asks for none where the question stays here', () => {
    const { warm, warming } = made();
    warming.typed(typing, 'off');
    warming.typed(typing, 'local-only');
    warming.typed({ ...typing, asksWeb: false }, null);
    warming.typed({ ...typing, text: ' ' }, null);
    expect(warm).not.toHaveBeenCalled();
  });
});

describe('webShut', () => {
  it('follows the settings', () => {
    const view = (values: Record<string, string | boolean>) => ({ values, defaults: {}, origin: {}, keys: {} });
    settings.view = view({});
    expect(webShut()).toBeNull();
    settings.view = view({ 'web.enabled': false });
    expect(webShut()).toBe('off');
    settings.view = view({ 'web.enabled': false, 'privacy.scope': 'local-only' });
    expect(webShut()).toBe('local-only');
    settings.view = view({});
  });
});

describe('Composer', () => {
  it('lets the text go only when the question has been taken', async () => {
    const composer = new Composer('home', api());
    composer.write('Why?');
    await composer.send(() => Promise.reject(new Fault({ code: 'busy', message: 'Four questions are being answered.', hint: '' })));
    expect(composer.text).toBe('Why?');
    expect(composer.fault?.code).toBe('busy');
    await composer.send(async () => {});
    expect(composer.text).toBe('');
    expect(composer.fault).toBeNull();
  });

  it('keeps unfinished text over a restart, each place its own', () => {
    new Composer('home', api()).write('half a question');
    expect(new Composer('home', api()).text).toBe('half a question');
    expect(new Composer('thr_1', api()).text).toBe('');
  });

  it('keeps what goes along with the text, and how it is to be asked, until it has been', async () => {
    const plain = { focus: 'all', work: 'balanced', web: true, forget: false } as const;
    const before = new Composer('home', api());
    before.write('Is it sound?');
    before.paste('long '.repeat(50), 1000, false);
    before.work = 'deep';
    before.web = false;
    await before.attach({ paths: [], files: [new File(['x'], 'a.txt')] });
    const after = new Composer('home', api());
    after.reset(plain);
    expect(after.toAsk()).toEqual(before.toAsk());
    expect(after.toAsk()).toMatchObject({ context: before.context, mode: 'deep', web: false, scope: { files: ['fil_0'] } });
    after.reset(plain); // the settings were read again
    expect(after.work).toBe('deep');
    await after.send(async () => {});
    expect(JSON.stringify(localStorage)).not.toContain('long');
    const next = new Composer('home', api());
    next.reset(plain);
    expect(next.toAsk()).toMatchObject({ question: '', mode: 'balanced', web: true, scope: { files: [] } });
  });

  it('keeps files that a question is limited to, and those that go along with a conversation about others', async () => {
    new Composer('home', api()).limit([{ id: '/docs', name: 'docs', folder: true }]);
    const home = new Composer('home', api());
    expect([home.focus, home.limited, home.files]).toEqual(['local', true, [{ id: '/docs', name: 'docs', folder: true }]]);
    home.keepScope('thr_along');
    await new Composer('thr_along', api()).attach({ paths: [], files: [new File(['x'], 'a.txt')] });
    const thread = new Composer('thr_along', api());
    expect(thread.files.map(({ id }) => id)).toEqual(['/docs', 'fil_0']);
    thread.limit([{ id: 'col_1', name: 'Lamps', collection: true }]);
    expect(thread.files.map(({ id }) => id)).toEqual(['col_1', 'fil_0']);
  });

  it('leaves out a file that was forgotten meanwhile', async () => {
    await new Composer('home', api()).attach({ paths: [], files: [new File(['x'], 'a.txt')] });
    const gone = { ...api(), file: vi.fn(async () => Promise.reject(new Fault({ code: 'not-found', message: 'Gone.', hint: '' }))) };
    const home = new Composer('home', gone);
    expect(home.files).toHaveLength(1);
    await vi.waitFor(() => expect(home.files).toEqual([]));
    expect(new Composer('home', api()).files).toEqual([]);
  });

  it('holds what is written for a private conversation while the page is open, and stores none of it', () => {
    const before = new Composer('thr_private', api());
    before.write('What ails me?');
    before.keepPrivate(true);
    before.context = 'my blood values';
    before.write('What ails me now?');
    const after = new Composer('thr_private', api());
    after.reset({ focus: 'all', work: 'balanced', web: true, forget: false }); // before the thread is read
    expect([after.text, after.context]).toEqual(['What ails me now?', 'my blood values']);
    expect(JSON.stringify(localStorage)).not.toMatch(/ails|blood/);
    after.clear();
  });

  it('takes what was typed from one box to another, and back', () => {
    new Composer('home', api()).write('mine');
    const thread = new Composer('thr_4', api());
    thread.write('And then?');
    thread.context = 'pasted';
    const back = carryDraft('thr_4', 'home');
    const home = new Composer('home', api());
    expect([home.text, home.context]).toEqual(['mine\nAnd then?', 'pasted']);
    back();
    expect(['home', 'thr_4'].map((place) => new Composer(place, api())).map(({ text, context }) => [text, context])).toEqual([['mine', ''], ['And then?', 'pasted']]);
    dropDraft('thr_4');
    expect(new Composer('thr_4', api()).text).toBe('');
  });

  it('opens a thread with what was typed while it was made', () => {
    keepDraft('thr_2', ' And');
    keepDraft('thr_3', '');
    expect(new Composer('thr_2', api()).text).toBe(' And');
    expect(new Composer('thr_3', api()).text).toBe('');
  });

  it('asks with the chosen mode, focus, files and pasted text', async () => {
    const composer = new Composer('home', api());
    composer.write('  Is it sound? ');
    composer.work = 'due-diligence';
    composer.focus = 'local';
    composer.web = false;
    composer.context = 'long';
    await composer.attach({ paths: ['/a/b.pdf'], files: [] });
    expect(composer.toAsk('thr_1')).toMatchObject({
      question: 'Is it sound?', thread: 'thr_1', context: 'long', focus: 'local', mode: 'deep', submode: 'due-diligence', web: false,
      scope: { files: ['fil_8'], folders: [], collections: [] },
    });
  });

  it('keeps no trace of a question where questions are forgotten', async () => {
    const composer = new Composer('home', api());
    composer.reset({ focus: 'all', work: 'balanced', web: true, forget: true });
    composer.write('What ails me?');
    expect(composer.toAsk()).toMatchObject({ question: 'What ails me?', private: true });
    await composer.send(async () => {});
    expect(JSON.stringify(localStorage)).not.toContain('ails');
    composer.reset({ focus: 'all', work: 'balanced', web: true, forget: false });
    composer.write('Who built it?');
    expect('private' in composer.toAsk()).toBe(false);
    await composer.send(async () => {});
    expect(asked()).toContain('Who built it?');
  });

  it('sends a question once, however often Enter is hit', async () => {
    const composer = new Composer('home', api());
    composer.write('Why?');
    const ask = vi.fn(() => new Promise<void>((resolve) => setTimeout(resolve, 5)));
    await Promise.all([composer.send(ask), composer.send(ask)]);
    expect(ask).toHaveBeenCalledOnce();
  });

  it('does not ask an empty question', async () => {
    const ask = vi.fn(async () => {});
    await new Composer('home', api()).send(ask);
    expect(ask).not.toHaveBeenCalled();
  });

  it('attaches a file once and takes it off', async () => {
    const composer = new Composer('home', api());
    const file = new File(['x'], 'x.txt');
    await composer.attach({ paths: [], files: [file] });
    await composer.attach({ paths: [], files: [file] });
    expect(composer.files).toEqual([{ id: 'fil_0', name: 'x.txt' }]);
    composer.detach('fil_0');
    expect(composer.files).toEqual([]);
  });

  it('asks about a file once it has been read', async () => {
    const fake = api();
    const being = (status: string): FileInfo => ({ id: 'fil_0', name: 'a.txt', status, reason: '' }) as FileInfo;
    fake.file.mockResolvedValue(being('reading'));
    const composer = new Composer('home', fake);
    await composer.attach({ paths: [], files: [new File(['x'], 'a.txt')] });
    composer.write('What does it say?');
    const ask = vi.fn(async () => {});
    const sent = composer.send(ask);
    await vi.waitFor(() => expect(fake.file.mock.calls.length).toBeGreaterThan(2), 60_000);
    expect([ask.mock.calls.length, composer.reading]).toEqual([0, 1]);
    fake.file.mockResolvedValue(being('ready'));
    await sent;
    expect([ask.mock.calls.length, composer.reading, composer.text]).toEqual([1, 0, '']);
  });

  it('says of an attached file that nothing of it can be found', async () => {
    const fake = api();
    fake.file.mockResolvedValue({ id: 'fil_0', name: 'a.bin', status: 'skipped', reason: 'No text.' } as FileInfo);
    const composer = new Composer('home', fake);
    await composer.attach({ paths: [], files: [new File(['x'], 'a.bin')] });
    await vi.waitFor(() => expect(composer.files).toEqual([{ id: 'fil_0', name: 'a.bin', unread: 'No text.' }]), 60_000);
  });

  it('takes pasted text along up to the limit; beyond it is a file, or refused where it cannot be one', async () => {
    const fake = api();
    const composer = new Composer('home', fake);
    composer.paste('a'.repeat(60), 100, false);
    composer.paste('b'.repeat(38), 100, false);
    expect(composer.context).toBe(`${'a'.repeat(60)}\n\n${'b'.repeat(38)}`);
    composer.paste('c', 100, true);
    expect(composer.fault?.message).toBe('1 character was pasted; 100 can go along with a question.');
    composer.paste('c', 100, false);
    await vi.waitFor(() => expect(composer.files).toEqual([{ id: 'fil_0', name: 'Pasted text.txt' }]), 60_000);
    expect(await fake.upload.mock.calls[0]?.[0][0]?.text()).toBe('c');
    expect(composer.context).toHaveLength(100);
  });

  it('remembers what was asked, newest first and once', async () => {
    const composer = new Composer('home', api());
    for (const text of ['one', 'two', 'one']) {
      composer.write(text);
      await composer.send(async () => {});
    }
    expect(asked()).toEqual(['one', 'two']);
    localStorage.setItem('footnote..asked', '{broken');
    expect(asked()).toEqual([]);
  });

  it('keeps to picked files through a conversation until they are taken away', async () => {
    const home = new Composer('home', api());
    home.limit([{ id: 'fil_1', name: 'a.md' }]);
    home.write('one?');
    await home.send(async () => home.keepScope('thr_scope'));
    expect(home.files).toEqual([]);
    const thread = new Composer('thr_scope', api());
    thread.reset({ focus: 'all', work: 'balanced', web: true, forget: false });
    thread.write('two?');
    await thread.send(async (question) => expect(question).toMatchObject({ focus: 'local', scope: { files: ['fil_1'] } }));
    expect(thread.files).toEqual([{ id: 'fil_1', name: 'a.md' }]);
    thread.detach('fil_1');
    expect([thread.focus, new Composer('thr_scope', api()).files]).toEqual(['all', []]);
  });

  it('asks the web where that is what was chosen, whatever the switch says', () => {
    const composer = new Composer('home', api());
    composer.web = false;
    const asks = (focus: Focus): unknown[] => {
      composer.focus = focus;
      return [composer.asksWeb, composer.toAsk().web];
    };
    expect([asks('all'), asks('web'), asks('academic'), asks('local')]).toEqual([[false, false], [true, true], [true, true], [false, false]]);
    composer.web = true;
    expect([composer.asksWeb, asks('all')]).toEqual([false, [true, true]]);
  });

  it('counts code points, as the limit does', () => {
    const composer = new Composer('home', api());
    composer.write('👩‍👩‍👧 é');
    expect(composer.length).toBe([...'👩‍👩‍👧 é'].length);
  });
});

describe('a question that comes from elsewhere', () => {
  it('takes the place of the one being written, and of what was to go along', () => {
    const box = new Composer('home');
    box.write('half a question');
    box.limit([{ id: 'fil_a', name: 'a.md' }]);
    box.context = 'pasted';
    box.replace('Who may open the gate?');
    const later = new Composer('home');
    for (const one of [box, later]) expect([one.text, one.context, one.files, one.limited]).toEqual(['Who may open the gate?', '', [], false]);
    box.clear();
  });
});

describe('splitLong', () => {
  it('keeps the first line or sentence as the question and loses nothing', () => {
    expect(splitLong('Is this fair?\nLong text', 1000)).toEqual(['Is this fair?', 'Long text']);
    expect(splitLong('Is this fair? Long text', 1000)).toEqual(['Is this fair?', 'Long text']);
    const words = 'word '.repeat(400).trim();
    const [question, rest] = splitLong(words, 1000);
    expect([...question].length).toBeLessThanOrEqual(1000);
    expect(`${question} ${rest}`).toBe(words);
  });
});
