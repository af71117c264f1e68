// The main job in the real window, under X, with pointer and keys, and what only a
// window has: drops, one instance, links, its size and place, how soon it closes.
//   FOOTNOTE_WINDOW=footnote-desktop FOOTNOTE_LIBRARY=../build/library xvfb-run -a node --experimental-websocket e2e/window.mjs
// The program must be built with the tags desktop, production, webkit2_41 and
// devtools: what the page shows is read through the inspector. Needs xdotool, a
// window manager (openbox), a session bus (dbus-run-session) and python3-gi.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { anywhere } from './anywhere.mjs';
import { Window, drop, pause, x } from './desktop.mjs';
import { Steps, afterRestart, mainJob, nothingWrong } from './job.mjs';
import { library, slowModel, until, writingModel } from './program.mjs';

if (!process.env.FOOTNOTE_WINDOW || !library || !process.env.DISPLAY) {
  console.error('FOOTNOTE_WINDOW, FOOTNOTE_LIBRARY and DISPLAY say what to test and where: run  go run ./build window');
  process.exit(2);
}
const data = await mkdtemp(join(tmpdir(), 'footnote-window-'));
const away = await mkdtemp(join(tmpdir(), 'footnote-files-'));
let window = new Window(data, 'models.chat=none');
const steps = new Steps((n) => window.shoot(`failed-${n}`));
const step = steps.run;
const shoot = (name) => window.shoot(name);
const silent = () => step('no console error and no stranger asked', () => nothingWrong(window));

/** A file with a text of its own, in a folder or beside the others. */
async function written(name, text) {
  const path = join(away, name);
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, text);
  return path;
}
/** Waits until a file is ready to be searched. */
const reads = (name) => until(`${name} to be read`, async () => (await window.call('Call', 'GET /api/library/files', { query: { limit: '100' } }, '')).items.some((file) => file.path.endsWith(name) && file.status === 'ready'), 120_000);
async function inTime() {
  const took = await window.close();
  if (took > 1000) throw new Error(`${took} ms`);
  return `${took} ms`;
}

await step('what is typed the moment the window is shown stands in the box', async () => {
  const text = 'can new rules find / the next? 1 crank [of] 9 cranes? No: '.repeat(4).slice(0, 200);
  await window.startTyping(text);
  const box = "[...document.querySelectorAll('textarea[data-composer]')].at(-1)";
  const typed = () => window.value(`${box}?.value`);
  await until('all that was typed', async () => (await typed()) === text, 8_000).catch(async () => {
    const it = await typed();
    throw new Error(`of 200 characters ${it.length} stand in the box: “${it.slice(0, 60)}”`);
  });
  await window.value(`${box}.select()`);
  await window.key('Backspace');
  await until('an empty box', async () => (await typed()) === '');
});
await mainJob(window, step, () => drop(window, library), shoot);
await step('files that are dropped are read', async () => {
  await drop(window, await written('Tide table.txt', 'High water at Skerry Point comes 40 minutes before Lorne.'), await written('Boats.md', '# Boats\n\nThe pilot boat is called Marigold.'));
  await reads('Tide table.txt');
  await reads('Boats.md');
});
await step('a second start hands its folder over and ends', async () => {
  await written('handed/Keepers.txt', 'The keepers of the lamp were paid by the quarter.');
  const code = await window.startAgain(join(away, 'handed'));
  if (code !== 0) throw new Error(`it ended with ${code}`);
  await reads('handed/Keepers.txt');
});
await step('a link shows its question, and does not ask it', async () => {
  const code = await window.startAgain('footnote://ask?q=Who%20paid%20the%20keepers%3F');
  if (code !== 0) throw new Error(`it ended with ${code}`);
  await until('the question in the box', () => window.value("[...document.querySelectorAll('textarea[data-composer]')].at(-1)?.value === 'Who paid the keepers?'"), 60_000);
  await window.lacks('main article');
});
await step('a link opens the library', async () => {
  await window.startAgain('footnote://library');
  await window.has('[data-library-search]');
});
await silent();
let left;
await step('closing ends the program in time', async () => {
  await x('windowsize', '--sync', window.id, '1100', '700').catch(() => {});
  await x('windowmove', window.id, '220', '140');
  await pause(1500);
  left = await window.geometry();
  return inTime();
});

const model = await slowModel();
window = new Window(data, `providers.custom.slow.url=${model.url}`, 'models.chat=slow/m');
await written('opened/Fog.txt', 'The fog signal was a gun until 1901.');
await window.start(join(away, 'opened'));
await step('the window has the size and the place it was left with', async () => {
  const now = await until('the place', async () => {
    const g = await window.geometry();
    return Math.abs(g.X - left.X) <= 8 && Math.abs(g.Y - left.Y) <= 8 ? g : null;
  });
  if (Math.abs(now.WIDTH - left.WIDTH) > 8 || Math.abs(now.HEIGHT - left.HEIGHT) > 40) throw new Error(`${now.WIDTH} × ${now.HEIGHT} after ${left.WIDTH} × ${left.HEIGHT}`);
  return `${now.WIDTH} × ${now.HEIGHT} at ${now.X}, ${now.Y}`;
});
await step('the folder that the window was opened with is read', () => reads('opened/Fog.txt'));
await afterRestart(window, step, shoot);
await silent();
await step('closing while reading and following ends the program in time', inTime);
model.close();

const writer = await writingModel('The lamp room stands on the tower, which is 34 metres high [1].\n\n```mermaid\nflowchart LR\n  A[Tower] --> B[Lamp room]\n```\n');
window = new Window(data, `providers.custom.writer.url=${writer.url}`, 'models.chat=writer/m');
await window.start();
await step('a diagram in an answer is drawn', async () => {
  await x('windowsize', '--sync', window.id, '1400', '860').catch(() => {});
  await window.ask('How high is the tower, as a diagram?');
  await window.has('main article figure.diagram img');
  const drawn = await until('the picture', () => window.value("(() => { const i = document.querySelector('main article figure.diagram img'); return i.complete && i.naturalWidth > 0 ? i.src.slice(0, 19) : null; })()"), 60_000);
  if (drawn !== 'data:image/svg+xml;') throw new Error(`the picture is ${drawn}`);
  await window.shoot('diagram');
});
await silent();
await window.close();
writer.close();

window = await new Window(data, 'models.chat=none').start();
await step('deep research stands in three panels', async () => {
  await window.ask('/deep-research What is known of the lighthouse at Skerry Point?');
  await window.has('.research.panels aside#research-activity');
  await window.has('.research.panels main#research-report article[aria-busy="false"] button.fn');
  await window.has('.research.panels aside#research-sources button.source');
  const columns = await window.value("['activity', 'report', 'sources'].map((name) => document.getElementById(`research-${name}`).getBoundingClientRect()).every((b, i, all) => b.width > 200 && b.height > 300 && (i === 0 || b.left >= all[i - 1].right - 1))");
  if (!columns) throw new Error('the panels do not stand side by side');
  await window.shoot('research');
});
await silent();
await step('closing after research ends the program in time', inTime);
await anywhere(data, step, shoot);
await rm(data, { recursive: true, force: true });
await rm(away, { recursive: true, force: true });
steps.report();
process.exit();
