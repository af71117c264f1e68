// The main job in WebKit against `footnote serve`, and the attack texts:
//   FOOTNOTE_BINARY=footnote FOOTNOTE_LIBRARY=../build/library xvfb-run -a node e2e/webkit.mjs
// Needs WebKitWebDriver and the MiniBrowser beside it (Debian: webkit2gtk-driver).
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { drawAttacks } from './attacks.mjs';
import { Steps, afterRestart, mainJob, nothingWrong } from './job.mjs';
import { Program, binary, library, slowModel } from './program.mjs';
import { WebKit } from './webdriver.mjs';

if (!binary || !library || !process.env.DISPLAY) {
  console.error('FOOTNOTE_BINARY, FOOTNOTE_LIBRARY and DISPLAY say what to test and where: run  go run ./build window');
  process.exit(2);
}
const data = await mkdtemp(join(tmpdir(), 'footnote-webkit-'));
const steps = new Steps();
const step = steps.run;
const page = await new WebKit().start();
console.log(`WebKit ${page.version}`);
const silent = () => step('no console error and no stranger asked', async () => {
  await page.gather();
  await nothingWrong(page);
});

const program = await new Program(data, 'models.chat=none').start();
await page.open(program);
await mainJob(page, step, async () => {
  await page.go('#/library');
  await page.enter('input[placeholder*="full path"]', library);
});
await step('attack texts: every prefix drawn, nothing runs, nothing is asked', async () => {
  const { found, prefixes, slowest } = await drawAttacks(page);
  if (found.length > 0) throw new Error(found.slice(0, 5).join(' | '));
  return `${prefixes} prefixes, the slowest in ${slowest} ms`;
});
await silent();
await program.stop();

const model = await slowModel();
const slow = await new Program(data, `providers.custom.slow.url=${model.url}`, 'models.chat=slow/m').start();
await page.open(slow);
await afterRestart(page, step);
await silent();
await page.close();
await slow.stop();
model.close();
await rm(data, { recursive: true, force: true });
steps.report();
process.exit();
