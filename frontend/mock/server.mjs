// A stand-in for `footnote serve` while the window is being built: the native
// routes with sample data, one scripted run, and dist/ under the real policy.
//   PORT=7499 STATE=used|first|many SPEED=1 node mock/server.mjs
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as data from './data.mjs';
import * as long from './long.mjs';
import * as research from './research.mjs';
import { answer, script, sources } from './run.mjs';

const port = Number(process.env.PORT ?? 7499);
const speed = Number(process.env.SPEED ?? 1);
const first = process.env.STATE === 'first';
const dist = fileURLToPath(new URL('../dist', import.meta.url));
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'";
const framed = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";
const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.woff2': 'font/woff2' };

let threads = first ? [] : process.env.STATE === 'many' ? data.manyThreads(500) : [...data.threads];
let files = first ? [] : process.env.STATE === 'many' ? data.manyFiles(10_000) : [...data.files];
let roles = data.models(!first).roles;
const values = { ...data.settings };
let collections = [{ id: data.id('col', 1), name: 'Taxes', files: [], folders: ['/home/ann/Household/Taxes'], texts: 41 }, { id: data.id('col', 2), name: 'House', files: [], folders: ['/home/ann/Household/House'], texts: 212 }];
let kept = data.kept();
const runs = new Map();

const scriptOf = (question) => (question.mode === 'deep' ? research : question.question.startsWith('At length:') ? long : { script });

function begin(question, thread) {
  const run = data.id('run', runs.size + 1);
  const log = [];
  const listeners = new Set();
  const state = { run, thread, question, log, listeners, status: 'running', started: new Date().toISOString() };
  runs.set(run, state);
  void (async () => {
    for (const [wait, kind, body] of scriptOf(question).script(question.question, run, thread)) {
      await new Promise((resolve) => setTimeout(resolve, wait / speed));
      if (state.status !== 'running') return;
      emit(state, kind, body);
    }
  })();
  return state;
}
function emit(state, kind, body) {
  const event = { run: state.run, seq: state.log.length + 1, at: new Date().toISOString(), kind, body };
  state.log.push(event);
  if (['finished', 'failed', 'stopped'].includes(kind)) {
    state.status = kind;
    threads = threads.map((t) => (t.id === state.thread ? { ...t, running: false } : t));
  }
  for (const listener of state.listeners) listener(event);
}
for (const [i, thread] of threads.slice(0, 20).entries()) {
  const run = data.id('run', 90_000 + i); // out of the way of those that are asked
  const question = { question: i === 2 ? 'Would a heat pump save us money in this house?' : thread.title, focus: 'all', mode: 'balanced', web: true };
  const deep = thread.type === 'deep-research';
  const log = deep ? research.past(run, thread.id) : [];
  runs.set(run, { run, thread: thread.id, question: deep ? { ...question, mode: 'deep' } : question, log, listeners: new Set(), status: 'finished', started: thread.updated });
}
const runView = (r) => ({
  id: r.run, thread: r.thread, question: { scope: { files: [], folders: [], collections: [] }, models: { chat: '', system: '' }, ...r.question }, status: r.status,
  started: r.started, ...(r.status === 'finished' ? { ended: r.started, answer: r.question.mode === 'deep' ? { ...research.answer, run: r.run, thread: r.thread } : answer(r.question.question, r.run, r.thread) } : {}),
  ...(r.status === 'stopped' ? { partial: textOf(r) } : {}),
});
const textOf = (r) => r.log.filter((e) => e.kind === 'text').map((e) => e.body.delta).join('');

function stream(request, response, each) {
  response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
  response.write('retry: 5000\n\n');
  const send = (event) => response.write(`id: ${event.seq}\nevent: ${event.kind}\ndata: ${JSON.stringify(event)}\n\n`);
  request.on('close', each(send, () => response.end()));
}
function followRun(request, response, state) {
  const after = Number(request.headers['last-event-id'] ?? 0);
  stream(request, response, (send, end) => {
    state.log.filter((e) => e.seq > after).forEach(send);
    if (state.status !== 'running') {
      end();
      return () => {};
    }
    const listener = (event) => {
      send(event);
      if (state.status !== 'running') end();
    };
    state.listeners.add(listener);
    return () => state.listeners.delete(listener);
  });
}
function followLibrary(request, response) {
  stream(request, response, (send) => {
    let seq = 0;
    const tick = () => send({ seq: ++seq, at: new Date().toISOString(), kind: 'progress', body: data.progress });
    if (!first) tick();
    const timer = setInterval(() => !first && tick(), 2000);
    return () => clearInterval(timer);
  });
}

const fault = (status, code, message, hint = '') => ({ status, body: { code, message, hint, details: {} } });
const ok = (body, status = 200) => ({ status, body });
const none = { status: 204 };

function search(query) {
  const q = (query.get('q') ?? '').toLowerCase().split(/\s+/)[0] ?? '';
  const items = sources.slice(0, 2).map((s, i) => {
    const start = s.snippet.toLowerCase().indexOf(q);
    return {
      file: data.id('fil', i + 1), passage: s.passages[0].id, source: s.id, title: s.title, path: s.path, locator: s.locator, snippet: s.snippet,
      marks: q && start >= 0 ? [[start, start + q.length]] : [], score: 0.8, via: 'words',
    };
  });
  const understood = { words: q, phrases: [], without: [], types: /type:pdf/.test(query.get('q')) ? ['pdf'] : [], folders: [] };
  return first ? { items: [], total: 0, took_ms: 1, understood } : { items, total: 14, took_ms: 4, understood };
}
function why(file, q) {
  const best = search(new URLSearchParams({ q })).items[0];
  const cut_by = 'Rank 31: only 24 candidates are looked at.';
  return { file, path: '', indexed: true, reason: '', best_passage: best ?? null, ranks: { keyword: 14, vector: null, fused: 31 }, cut_by };
}
/** A slice of a list, as `limit` and `after` ask for it. */
function page(items, query) {
  const after = Number(query.get('after') ?? 0);
  const limit = Number(query.get('limit') ?? 50);
  return { items: items.slice(after, after + limit), next: after + limit < items.length ? String(after + limit) : null };
}
function ask(body) {
  if (!body.question?.trim()) return fault(400, 'question-empty', 'The question is empty.', 'Type a question.');
  const thread = body.thread ?? data.id('thr', 100 + threads.length);
  const info = { id: thread, title: body.question, type: body.mode === 'deep' ? 'deep-research' : 'chat', created: data.ago(0), pinned: false, runs: 1, ...threads.find((t) => t.id === thread) };
  threads = [{ ...info, updated: data.ago(0), running: true }, ...threads.filter((t) => t.id !== thread)];
  const state = begin(body, thread);
  return ok({ run: state.run, thread, events: `/api/runs/${state.run}/events` }, 202);
}
function threadView(id) {
  const info = threads.find((t) => t.id === id);
  if (!info) return fault(404, 'not-found', 'There is no such thread.');
  return ok({ ...info, runs: [...runs.values()].filter((r) => r.thread === id).map(runView) });
}
function putSettings(body) {
  for (const [key, value] of Object.entries(body)) {
    if (key === 'rank.max_passages' && (value < 1 || value > 20)) {
      return { status: 400, body: { code: 'invalid-setting', message: 'The number of passages must lie between 1 and 20.', hint: '', details: { key } } };
    }
  }
  Object.assign(values, body);
  return ok({});
}
const before = 'This paragraph stands before the passage. It is here so that there is something to scroll past.\n\n';
/** Where the passage stands in the text that is made up here. */
const placed = (source) => ({ ...source.locator, start: [...before].length, end: [...before].length + [...source.snippet].length });
const passageView = (id) => {
  const source = sources.find((s) => s.passages[0].id === id) ?? sources[0];
  return { id, source: source.id, text: source.snippet, locator: placed(source), chunk: 1, neighbours: ['', ''] };
};
const sourceText = (id, query) => {
  const source = sources.find((s) => s.id === id) ?? sources[0];
  const text = `${before}${source.snippet}\n\nThis paragraph stands after the passage, and says nothing that anybody would cite.`;
  const start = [...before].length;
  void query;
  return { text, start: 0, end: [...text].length, total: [...text].length, highlight: [{ start, end: start + [...source.snippet].length }], page: source.locator.page, heading: source.locator.heading, digest: '', stale: false };
};

const routes = [
  ['GET', /^\/api\/update$/, () => ok({ possible: true, enabled: false, asked: false, version: '0.1.0', newer: null, checked_at: null })],
  ['GET', /^\/api\/health$/, () => ok({ status: 'ok', version: '0.1.0', uptime_ms: 60000, modes: ['speed', 'balanced', 'agent', 'deep'], focuses: ['all', 'web', 'local', 'academic', 'video', 'community', 'compute', 'writing'], online: true })],
  ['GET', /^\/api\/threads$/, (_, __, query) => ok(page(threads, query))],
  ['GET', /^\/api\/threads\/(\w+)$/, ([id]) => threadView(id)],
  ['PATCH', /^\/api\/threads\/(\w+)$/, ([id], body) => ((threads = threads.map((t) => (t.id === id ? { ...t, ...body } : t))), ok({}))],
  ['DELETE', /^\/api\/threads\/(\w+)$/, ([id]) => ((threads = threads.filter((t) => t.id !== id)), none)],
  ['POST', /^\/api\/runs$/, (_, body) => ask(body)],
  ['GET', /^\/api\/runs\/(\w+)$/, ([id]) => (runs.has(id) ? ok(runView(runs.get(id))) : fault(404, 'not-found', 'There is no such run.'))],
  ['POST', /^\/api\/runs\/(\w+)\/stop$/, ([id]) => (emit(runs.get(id), 'stopped', { by: 'user', stage: 'compose', partial: textOf(runs.get(id)) }), ok({ status: 'stopped' }))],
  ['POST', /^\/api\/runs\/(\w+)\/answer-now$/, ([id]) => (emit(runs.get(id), 'answering', { by: 'user' }), ok({}, 202))],
  ['POST', /^\/api\/runs\/(\w+)\/retry$/, ([id]) => ask(runs.get(id).question)],
  ['GET', /^\/api\/ledger$/, () => ok({ items: answer('', 'run_1', '').ledger.map((entry) => ({ run: 'run_1', ...entry, files: [] })), next: null })],
  ['GET', /^\/api\/runs\/(\w+)\/ledger$/, ([id]) => ok(answer('', id, '').ledger)],
  ['POST', /^\/api\/warm$/, () => none],
  ['GET', /^\/api\/runs\/(\w+)\/trace$/, ([id]) => ok(research.trace(id))],
  ['POST', /^\/api\/runs\/(\w+)\/replay$/, () => ok(research.replay())],
  ['POST', /^\/api\/runs\/(\w+)\/plan$/, () => ok({}, 202)],
  ['GET', /^\/api\/runs\/(\w+)\/preview$/, () => ok({ items: sources.slice(0, 1).map((s) => ({ source: s.id, title: s.title, path: s.path, passages: [passageView(s.passages[0].id)] })), next: null })],
  ['PUT', /^\/api\/consents\/(\w+)$/, () => none],
  ['GET', /^\/api\/collections$/, () => ok({ items: first ? [] : collections, next: null })],
  ['POST', /^\/api\/collections$/, (_, body) => ((collections = [...collections, { files: [], folders: [], texts: 0, ...body, id: data.id('col', collections.length + 1) }]), ok(collections.at(-1), 201))],
  ['POST', /^\/api\/collections\/(\w+)$/, ([id], body) => ((collections = collections.map((c) => (c.id === id ? { ...c, ...body, files: c.files } : c))), ok(collections.find((c) => c.id === id)))],
  ['DELETE', /^\/api\/collections\/(\w+)$/, ([id]) => ((collections = collections.filter((c) => c.id !== id)), none)],
  ['GET', /^\/api\/fresh$/, () => ok({ items: first ? [] : kept, next: null })],
  ['PUT', /^\/api\/runs\/(\w+)\/fresh$/, ([id], wish) => ok({ ...kept[0], ...wish, run: id })],
  ['DELETE', /^\/api\/runs\/(\w+)\/fresh$/, ([id]) => ((kept = kept.filter((k) => k.run !== id)), none)],
  ['GET', /^\/api\/personas$/, () => ok({ items: [], next: null })],
  ['GET', /^\/api\/lenses$/, () => ok({ items: [], next: null })],
  ['GET', /^\/api\/library\/count$/, () => ok({ total: 3, passages: 11, times: 14, searched: 40, unread: 0, pending: 0, groups: files.slice(3, 6).map((f, i) => ({ key: f.id, name: f.path, files: 1, passages: 3, times: 7 - i * 2 })) })],
  ['GET', /^\/api\/library$/, () => ok(first ? data.emptyLibrary : data.library)],
  ['POST', /^\/api\/library$/, (_, body) => (body.paths[0]?.startsWith('/') ? ok({ added: body.paths.map((path, i) => ({ id: data.id('fil', 70 + i), path })), skipped: [] }, 202) : fault(403, 'path-not-allowed', 'This is not a full path.', 'Begin it with /.'))],
  ['POST', /^\/api\/library\/uploads$/, () => ok({ files: [{ id: data.id('fil', 60), name: 'Radiators.csv', topics: [] }] }, 202)],
  ['GET', /^\/api\/library\/files$/, (_, __, query) => ok(page(files.filter((f) => !query.get('status') || f.status === query.get('status')), query))],
  ['GET', /^\/api\/library\/files\/(\w+)\/why$/, ([id], _, query) => ok(why(id, query.get('q') ?? ''))],
  ['POST', /^\/api\/library\/rescan$/, () => ok({}, 202)],
  ['DELETE', /^\/api\/library\/(\w+)$/, ([id]) => ((files = files.filter((f) => f.id !== id)), none)],
  ['GET', /^\/api\/library\/search$/, (_, __, query) => ok(search(query))],
  ['GET', /^\/api\/sources\/(\w+)$/, ([id]) => ok({ ...(sources.find((s) => s.id === id) ?? sources[0]), digest: '', media_type: 'text/plain', read_at: data.ago(2) })],
  ['GET', /^\/api\/sources\/(\w+)\/text$/, ([id], _, query) => ok(sourceText(id, query))],
  ['POST', /^\/api\/sources\/(\w+)\/open$/, () => none],
  ['GET', /^\/api\/passages\/(\w+)$/, ([id]) => ok(passageView(id))],
  ['GET', /^\/api\/models$/, () => ok({ ...data.models(!first), roles })],
  ['POST', /^\/api\/models\/test$/, () => ok({ ok: true, ms: 820, window: 8192, tools: true, schema: true })],
  ['PUT', /^\/api\/models\/roles$/, (_, body) => ((roles = { ...roles, ...body }), ok({}))],
  ['GET', /^\/api\/engines$/, () => ok(data.engines)],
  ['POST', /^\/api\/engines\/([\w-]+)\/test$/, () => ok({ ok: true, ms: 640, count: 10 })],
  ['GET', /^\/api\/settings$/, () => ok({ values, defaults: data.settings, origin: data.origins, keys: { brave: false } })],
  ['PUT', /^\/api\/settings$/, (_, body) => putSettings(body)],
  ['PUT', /^\/api\/keys\/([\w-]+)$/, () => none],
  ['DELETE', /^\/api\/keys\/([\w-]+)$/, () => none],
];

async function bodyOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  return request.headers['content-type']?.startsWith('application/json') && text ? JSON.parse(text) : {};
}
async function shell(path, response) {
  const name = normalize(path === '/' ? '/index.html' : path);
  try {
    const body = await readFile(join(dist, name));
    response.writeHead(200, { 'Content-Type': types[extname(name)] ?? 'application/octet-stream', 'Content-Security-Policy': name.endsWith('diagram.html') ? framed : policy });
    response.end(body);
  } catch {
    response.writeHead(404).end();
  }
}

createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url, 'http://mock');
  const events = /^\/api\/runs\/(\w+)\/events$/.exec(pathname);
  if (events && runs.has(events[1])) return followRun(request, response, runs.get(events[1]));
  if (pathname === '/api/library/events') return followLibrary(request, response);
  if (!pathname.startsWith('/api/')) return shell(pathname, response);
  const body = await bodyOf(request);
  for (const [method, pattern, handle] of routes) {
    const match = pattern.exec(pathname);
    if (!match || method !== request.method) continue;
    const { status, body: reply } = handle(match.slice(1), body, searchParams);
    response.writeHead(status, { 'Content-Type': 'application/json' });
    return response.end(reply === undefined ? '' : JSON.stringify(reply));
  }
  response.writeHead(404, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify({ code: 'not-found', message: 'There is nothing here.', hint: '' }));
}).listen(port, '127.0.0.1', () => console.log(`http://127.0.0.1:${port}`));
