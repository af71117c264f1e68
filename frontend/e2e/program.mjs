// Starts the real program for the browser tests and lets a page in.
import { spawn } from 'node:child_process';
import http from 'node:http';

export const binary = process.env.FOOTNOTE_BINARY;
export const library = process.env.FOOTNOTE_LIBRARY;

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Waits until check() is truthy and returns it; fails with what was awaited. */
export async function until(what, check, limit = 20_000) {
  const end = Date.now() + limit;
  for (;;) {
    const value = await check();
    if (value) return value;
    if (Date.now() > end) throw new Error(`waited ${limit} ms for ${what}`);
    await wait(50);
  }
}

/** Types while what an act sends to some place is held back; it goes on when all is typed. */
export async function typedMeanwhile(page, place, act, text) {
  let send;
  await page.route(place, async (route) => {
    if (route.request().method() === 'POST') await new Promise((resolve) => (send = resolve));
    await route.continue();
  });
  await act();
  await until('it on its way', () => send);
  await page.keyboard.type(text);
  await page.unroute(place, { behavior: 'default' });
  send();
}

/** Does something on a page as wide as a phone, once it fits; what follows has a wide one again, whatever happens. */
export async function onPhone(page, parts, act) {
  await page.setViewportSize({ width: 400, height: 800 });
  try {
    await until('a page that fits a phone', () => page.evaluate((which) => [...document.querySelectorAll(which)].every((box) => box.scrollWidth <= box.clientWidth), parts));
    await act();
  } finally {
    await page.setViewportSize({ width: 1280, height: 800 });
  }
}

/** `footnote serve` over a data folder. */
export class Program {
  constructor(data, ...settings) {
    this.data = data;
    this.settings = settings;
  }

  /** Starts it, at an address of its own or at a named one. */
  async start(addr = '127.0.0.1:0') {
    const set = ['web.enabled=false', ...this.settings].flatMap((s) => ['--set', s]);
    this.process = spawn(binary, ['serve', '--addr', addr, '--data', this.data, ...set], { stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    this.process.stderr.on('data', (chunk) => (said += chunk));
    const launch = await until(`the one-time address; it said: ${said}`, () => {
      if (this.process.exitCode !== null) throw new Error(`the program ended: ${said}`);
      return /http:\S+launch\?code=\S+/.exec(said);
    });
    this.addr = new URL(launch[0]).host;
    this.launch = (await fetch(launch[0], { redirect: 'manual' })).headers.get('location'); // at the host of the pages
    this.base = new URL(this.launch).origin;
    return this;
  }

  async stop() {
    if (this.process.exitCode !== null || this.process.signalCode !== null) throw new Error('the program ended by itself');
    const ended = new Promise((resolve) => this.process.once('exit', resolve));
    this.process.kill('SIGTERM');
    await ended;
  }
}

/** A model server that writes slowly, until it is hung up on. */
export const slowModel = () => modelServer((n) => `Sentence ${n} says that the tower is 34 metres high [1]. `);

/** A model server that gives one text to whatever it is asked. */
export const writingModel = (text) => modelServer((n) => (n === 1 ? text : undefined));

/** A model server that writes `delta(1)`, `delta(2)` and so on, one every so many milliseconds, until there is none. */
export async function modelServer(delta, every = 120) {
  const server = http.createServer((request, response) => {
    if (request.url.endsWith('/models')) {
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify({ object: 'list', data: [{ id: 'm', object: 'model' }] }));
      return;
    }
    response.setHeader('Content-Type', 'text/event-stream');
    let n = 0;
    const tick = setInterval(() => {
      const content = delta(++n);
      if (content !== undefined) return response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`);
      clearInterval(tick);
      response.end(`data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}\n\ndata: [DONE]\n\n`);
    }, every);
    response.on('close', () => clearInterval(tick));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${server.address().port}/v1`, close: () => server.close() };
}

/**
 * A model server for agent mode: it thinks, looks into the files once, and answers with what stands there.
 * Whatever else it is asked, it has no answer to.
 */
export async function lookingModel(query, answer) {
  const server = http.createServer(async (request, response) => {
    let text = '';
    for await (const part of request) text += part;
    if (request.url.endsWith('/models')) {
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify({ object: 'list', data: [{ id: 'm', object: 'model' }] }));
      return;
    }
    const { tools = [], messages = [] } = JSON.parse(text || '{}');
    const looked = messages.some((message) => message.role === 'tool');
    const deltas = looked || !tools.length ? [{ reasoning_content: 'The visitor guide has the height, the record of the lamp has the day.' }, { content: answer }] : [
      { reasoning_content: 'The question has two parts. Both should stand in the reader’s files, ' },
      { reasoning_content: 'so one look under the name of the tower will do.' },
      { tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: 'file_search', arguments: JSON.stringify({ query }) } }] },
    ];
    response.setHeader('Content-Type', 'text/event-stream');
    const say = (choice) => response.write(`data: ${JSON.stringify({ choices: [{ index: 0, ...choice }] })}\n\n`);
    for (const delta of deltas) say({ delta });
    say({ delta: {}, finish_reason: deltas.at(-1).tool_calls ? 'tool_calls' : 'stop' });
    response.end('data: [DONE]\n\n');
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${server.address().port}/v1`, close: () => server.close() };
}
