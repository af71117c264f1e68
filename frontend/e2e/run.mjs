// The main job in a real browser against the real program:
//   node e2e/run.mjs            the scenario, accessibility and silence
//   node e2e/run.mjs screens    pictures of the screens in both sizes and themes
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { scenario } from './scenario.mjs';
import { pictures } from './pictures.mjs';
import { binary, library } from './program.mjs';

if (!binary || !library) {
  console.error('FOOTNOTE_BINARY and FOOTNOTE_LIBRARY say what to test: run  go run ./build check');
  process.exit(2);
}
const data = await mkdtemp(join(tmpdir(), 'footnote-e2e-'));
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
});
try {
  await (process.argv[2] === 'screens' ? pictures : scenario)(browser, data);
} finally {
  await browser.close();
  await rm(data, { recursive: true, force: true });
}
