// What 1,000 answers in one session leave in memory: the heap of the page after
// every hundred, garbage collected, may differ by a tenth from that after the first
// three, when the list of threads fills its place.
//   npm run build && npm run heap
// The answers are those of the stand-in server; with FOOTNOTE_BINARY and
// FOOTNOTE_LIBRARY they are the program's own.
import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';
import { Program, binary, library } from './program.mjs';

const answers = Number(process.env.ANSWERS ?? 1000);
const every = answers / 10;
const inThread = 5;

/** The program over the sample library. */
async function real() {
  const data = await mkdtemp(join(tmpdir(), 'footnote-heap-'));
  await promisify(execFile)(binary, ['library', 'add', '--wait', '--data', data, library]);
  const program = await new Program(data, 'models.chat=none', 'server.rate_per_minute=100000').start();
  return { address: program.launch, stop: () => program.stop().then(() => rm(data, { recursive: true, force: true })) };
}
async function standIn() {
  const port = 17130 + (process.pid % 300);
  const server = spawn(process.execPath, [fileURLToPath(new URL('../mock/server.mjs', import.meta.url))], {
    env: { ...process.env, PORT: String(port), SPEED: '200', STATE: 'many' }, stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise((resolve) => server.stdout.once('data', resolve));
  return { address: `http://127.0.0.1:${port}/`, stop: () => server.kill() };
}

const served = await (binary && library ? real() : standIn());
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
const client = await page.context().newCDPSession(page);
await client.send('Performance.enable');
await page.goto(served.address);

async function ask(question, turn) {
  const box = page.locator('textarea[data-composer]').last();
  await box.fill(question);
  await box.press('Enter');
  await page.waitForFunction((n) => {
    const turns = document.querySelectorAll('main .place article');
    return turns.length === n && turns[n - 1].querySelector('button.fn') && [...turns].every((one) => one.getAttribute('aria-busy') !== 'true');
  }, turn, { timeout: 600_000 });
}
let nodes = 0; // of the first reading
async function reading() {
  await page.evaluate(() => void (location.hash = '#/'));
  await page.waitForFunction(() => !document.querySelector('main article'));
  for (let n = 0; ; n++) {
    for (let n = 0; n < 3; n++) await client.send('HeapProfiler.collectGarbage');
    const { metrics } = await client.send('Performance.getMetrics');
    const of = (name) => metrics.find((metric) => metric.name === name).value;
    nodes ||= of('Nodes');
    // The answer just left may be held for a moment; one that stays held is counted.
    if (of('Nodes') < 1.2 * nodes || n === 30) return { heap: of('JSHeapUsedSize') / 1e6, nodes: of('Nodes'), listeners: of('JSEventListeners') };
    await page.waitForTimeout(1000);
  }
}

let first = 0;
let worst = 0;
for (let n = 0; n < answers; n++) {
  if (n % inThread === 0) {
    await page.evaluate(() => void (location.hash = '#/'));
    await page.waitForFunction(() => !document.querySelector('main article'));
  }
  await ask(`How high is the tower of Skerry Point? Number ${n}`, (n % inThread) + 1);
  if ((n + 1) % every > 0) continue;
  const { heap, nodes, listeners } = await reading();
  if (n + 1 < 3 * every) continue;
  first ||= heap;
  worst = Math.max(worst, Math.abs(heap / first - 1));
  console.log(`${n + 1} answers: heap ${heap.toFixed(2)} MB (${((heap / first - 1) * 100).toFixed(1)} %), ${nodes} nodes, ${listeners} listeners`);
}
await browser.close();
await served.stop();
process.exitCode = worst > 0.1 ? 1 : 0;
