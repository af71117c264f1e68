// @vitest-environment node
import { describe, expect, it } from 'vitest';
import type { Engine, ModelsView, Totals } from '../api/types';
import { chatChoices, chatInUse, inOrder } from './models';
import { type Facts, missing, noNetwork, readiness, webToTry } from './readiness';
import { type StatusFacts, statusOf } from './status';
import { texts } from './texts';

const engine = (name: string, change: Partial<Engine> = {}): Engine => ({
  name, kinds: ['web'], needs_key: false, enabled: true, consent: true, state: 'ready', suspended_until: null, reason: '', ...change,
});
const totals = (change: Partial<Totals> = {}): Totals => ({ files: 0, ready: 0, partial: 0, failed: 0, skipped: 0, waiting: 0, chunks: 0, vectors: 0, bytes: 0, bytes_waiting: 0, chunks_indexed: 0, attached: 0, ...change });
const progress = { files_done: 0, files_total: 0, bytes_done: 0, bytes_total: 0, rate: 0, left_ms: 0, vectors_done: 0, vectors_total: 0 };
const found = { configured: true, reachable: true, local: true, needs_key: false };
const view = (chat: string, change: Partial<ModelsView> = {}): ModelsView => ({
  providers: [
    { id: 'ollama', name: 'Ollama', kind: 'ollama', origin: 'http://127.0.0.1:11434', ...found, chatModels: [{ key: 'qwen3:8b', name: 'Qwen3 8B', window: 0, tools: true, schema: true }], embeddingModels: [] },
    { id: 'openai', name: 'OpenAI', kind: 'openai', origin: 'https://api.openai.com/v1', ...found, local: false, chatModels: [{ key: 'gpt', name: '', window: 0, tools: true, schema: true }], embeddingModels: [] },
    { id: 'lmstudio', name: 'LM Studio', kind: 'openai', origin: 'http://localhost:1234', ...found, reachable: false, chatModels: [{ key: 'x', name: 'X', window: 0, tools: false, schema: false }], embeddingModels: [] },
  ],
  roles: { chat, system: '', rewrite: '', embedding: 'auto', rerank: 'none', link_system_to_chat: true },
  resolved: { chat: 'ollama/qwen3:8b', system: '' },
  ...change,
});
const facts = (change: Partial<Facts> = {}): Facts => ({
  models: view('auto'), engines: [engine('wikipedia')], library: { roots: [], totals: totals(), rebuilding: null, progress, last_event: 0 }, online: true, scope: 'all', web: true, desktop: true, tried: null, ...change,
});

describe('models', () => {
  it('puts first who writes, then who was set up by hand', () => {
    const providers = view('auto').providers.map((p) => ({ ...p, custom: p.id === 'lmstudio' }));
    expect(inOrder(providers, 'openai/gpt').map((p) => p.id)).toEqual(['openai', 'lmstudio', 'ollama']);
    expect(inOrder(providers, '').map((p) => p.id)).toEqual(['lmstudio', 'ollama', 'openai']);
  });

  it('offers the models of providers that answer', () => {
    expect(chatChoices(view('auto')).map((c) => [c.id, c.label])).toEqual([['ollama/qwen3:8b', 'Qwen3 8B'], ['openai/gpt', 'gpt']]);
  });

  it('takes the model that the program found', () => {
    expect(chatInUse(view('auto'))).toMatchObject({ state: 'usable', label: 'Qwen3 8B', local: true });
  });

  it('believes what the program says “auto” stands for', () => {
    expect(chatInUse(view('auto', { resolved: { chat: '', system: '' } }))).toEqual({ state: 'none', why: 'not-found' });
    expect(chatInUse(view('auto', { resolved: { chat: 'openai/gpt', system: '' } }))).toMatchObject({ local: false, provider: 'OpenAI' });
  });

  it('names a chosen model that is not there', () => {
    expect(chatInUse(view('lmstudio/x'))).toEqual({ state: 'missing', label: 'x' });
    expect(chatInUse(view('none'))).toEqual({ state: 'none', why: 'off' });
  });
});

describe('readiness', () => {
  const dots = (f: Facts): string[] => readiness(f).map((c) => c.dot);

  it('says what stands ready on a first start', () => {
    const columns = readiness(facts({ models: view('auto', { providers: [], resolved: { chat: '', system: '' } }) }));
    expect(columns.map((c) => [c.id, c.dot])).toEqual([['web', 'ok'], ['files', 'off'], ['model', 'off']]);
    expect(columns[0]?.text).toBe(texts.ready.webKeyless);
    expect(columns[2]?.actions.map((a) => a.id)).toEqual(['look-again', 'models']);
  });

  it('says why the web is not asked', () => {
    const text = (change: Partial<Facts>): string => readiness(facts(change))[0]?.text ?? '';
    expect(text({ scope: 'local-only' })).toBe(texts.ready.webLocalOnly);
    expect(text({ web: false })).toBe(texts.ready.webOff);
    expect(text({ online: false })).toBe(texts.ready.webOffline);
    expect(text({ engines: [] })).toBe(texts.ready.webNone);
    expect(text({ online: false, library: { ...facts().library!, totals: totals({ files: 3 }) } })).toBe('No network. Your files answer.');
    expect(text({ engines: [engine('mojeek', { state: 'suspended', suspended_until: '2026-11-21T10:52:00Z' })] })).toContain('Mojeek');
    expect(text({ engines: [engine('brave', { needs_key: true }), engine('wikipedia')] })).toContain('Brave');
  });

  it('says Ready of the web only after it was tried', () => {
    const tried = (ok: boolean, code = ''): Facts['tried'] => ({ ok, ms: 1, window: 0, tools: false, schema: false, count: 0, error: ok ? undefined : { code, message: 'm', hint: '' } }) as unknown as Facts['tried'];
    const web = (change: Partial<Facts>) => readiness(facts(change))[0]!;
    expect(webToTry(facts())).toBe('wikipedia');
    expect([webToTry(facts({ scope: 'local-only' })), webToTry(facts({ web: false })), webToTry(facts({ online: false }))]).toEqual(['', '', '']);
    expect(web({ tried: undefined })).toMatchObject({ dot: 'run', text: texts.ready.webTrying });
    expect(web({ tried: 'running' }).dot).toBe('run');
    expect(web({ tried: tried(true) })).toMatchObject({ dot: 'ok', text: texts.ready.webKeyless });
    expect(web({ tried: tried(false, 'offline') })).toMatchObject({ dot: 'off', text: texts.ready.webOffline });
    expect(web({ tried: tried(false, 'blocked') })).toMatchObject({ dot: 'warn', text: 'Wikipedia does not answer now.' });
    expect(noNetwork(facts({ tried: tried(false, 'offline') }))).toBe(true);
  });

  it('is never blank: what is not known yet is being looked for', () => {
    expect(readiness(facts({ models: null, engines: null, library: null })).map((c) => [c.dot, c.text])).toEqual([
      ['run', texts.ready.looking], ['run', texts.ready.looking], ['run', texts.status.looking],
    ]);
  });

  it('follows the files from none to read', () => {
    const library = (t: Partial<Totals>) => ({ roots: [], totals: totals(t), rebuilding: null, progress, last_event: 0 });
    expect(dots(facts({ library: library({ files: 3, waiting: 1 }) }))[1]).toBe('run');
    expect(dots(facts({ library: library({ files: 3, failed: 1 }) }))[1]).toBe('warn');
    expect(readiness(facts({ library: library({ files: 3, ready: 2, failed: 1, chunks: 9 }) }))[1]?.text).toBe('2 files, 9 passages to quote from. 1 more file could not be read.');
    expect(dots(facts({ library: library({ files: 3, chunks: 9 }) }))[1]).toBe('ok');
  });

  it('shows the one thing in the way; a missing model is none', () => {
    expect(missing(facts({ models: view('none') }))).toBeNull();
    expect(missing(facts({ online: false }))?.id).toBe('web');
    expect(missing(facts({ models: view('lmstudio/x') }))?.id).toBe('model');
  });
});

describe('status line', () => {
  const of = (change: Partial<StatusFacts>) =>
    statusOf({ inUse: chatInUse(view('auto')), looking: false, library: null, progress: null, disconnected: false, paused: false, ...change });

  it('says trouble first, then reading, then the model', () => {
    const library = { roots: [], totals: totals({ files: 10, waiting: 4 }), rebuilding: null, progress, last_event: 0 };
    expect(of({ disconnected: true, library }).dot).toBe('bad');
    expect(of({ library })).toMatchObject({ dot: 'run', text: 'Reading 6 of 10', href: '#/library' });
    expect(of({})).toMatchObject({ dot: 'ok', text: 'Qwen3 8B on this computer' });
    expect(of({ inUse: { state: 'none', why: 'not-found' } }).text).toBe('Quotes only, no model');
    expect(of({ inUse: chatInUse(view('openai/gpt')) }).text).toBe('gpt at OpenAI');
    expect(of({ inUse: { state: 'missing', label: 'x' } }).dot).toBe('warn');
  });
});
