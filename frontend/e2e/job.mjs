// The main job, the same in every engine: first run → add a folder → ask → badge
// → highlighted passage → follow-up → stop → restart → the thread is there.
import { until } from './program.mjs';

const answer = 'main .place:last-child article';

/** Runs named steps one after another and remembers which failed. */
export class Steps {
  failures = [];

  /** `failed` is called after a step that failed. */
  constructor(failed = async () => {}) {
    this.failed = failed;
  }

  run = async (name, act) => {
    const began = Date.now();
    try {
      const said = await act();
      console.log(`ok    ${name}${typeof said === 'string' ? `: ${said}` : ''} (${Date.now() - began} ms)`);
    } catch (error) {
      console.log(`FAIL  ${name}: ${error.message.split('\n')[0]}`);
      this.failures.push(name);
      await this.failed(this.failures.length).catch(() => {});
    }
  };

  /** Says how many steps failed; the program ends accordingly. */
  report() {
    console.log(`\n${this.failures.length} failures`);
    for (const failure of this.failures) console.log(`  ${failure}`);
    if (this.failures.length > 0) process.exitCode = 1;
  }
}

/**
 * From the first run to a thread with footnotes, with no model. `addFolder` has
 * the sample library added; `seen` is told which screen is shown.
 */
export async function mainJob(page, step, addFolder, seen = async () => {}) {
  await step('first run shows what is ready', async () => {
    await page.has('h1');
    await page.sees(/Your files/);
    await seen('home');
  });
  await step('a folder is added and read', async () => {
    await addFolder();
    await page.go('#/library');
    await until('14 files that are ready', () => page.value("[...document.querySelectorAll('tr.file')].filter((row) => /Ready/.test(row.innerText)).length >= 14"), 120_000);
    await seen('library');
  });
  await step('a question is answered with footnotes', async () => {
    await page.go('#/');
    await page.ask('How high is the tower of Skerry Point, and when was its lamp first lit?');
    await page.sees(/34 metres[\s\S]*12 October 1874/, 'main article');
    await page.sees(/Quoted in/, 'main article');
    await until('two badges', () => page.value("document.querySelectorAll('main article button.fn').length >= 2"));
    await seen('answer');
  });
  await step('a badge opens its highlighted passage, by pointer', async () => {
    await page.press('main article button.fn');
    await page.has('.card.lit');
    await page.press('main article button.fn');
    await page.sees(/34 metres high/, 'aside mark');
    await seen('viewer');
  });
  await step('the next footnote by key, and back', async () => {
    await until('the focus in the passage', () => page.value("document.activeElement?.closest('aside.viewer') !== null"));
    await page.key(']');
    await page.sees(/12 October 1874/, 'aside mark');
    await page.key('Escape');
    await page.lacks('aside.viewer');
  });
  await step('a follow-up stands in the same thread', async () => {
    await page.ask('How much of a storm damage does the trust pay first?');
    await page.sees(/2,500 euro/, answer);
    await page.sees(/Quoted in/, answer);
  });
  await step('the page of a document is drawn, the quote lit on it', async () => {
    await page.value(`document.querySelector(${JSON.stringify(`${answer} button.fn`)}).focus()`);
    await page.key('Enter');
    await page.sees(/2,500 euro/, '.sheet.shown mark');
    await seen('page');
    await page.key('Escape');
    await page.lacks('aside.viewer');
  });
  await step('what is typed where there is no box is searched for, in its order', async () => {
    await page.go('#/nowhere');
    await page.sees(/no such page/);
    await page.write('can the lens gate');
    const field = 'dialog[open] input[role=combobox]';
    await until('it in the search', async () => (await page.value(`document.querySelector('${field}')?.value.length`)) === 17);
    const found = await page.value(`document.querySelector('${field}').value`);
    if (found !== 'can the lens gate') throw new Error(`it reads “${found}”`);
    await page.key('Escape');
    await page.lacks(field);
    await page.go('#/');
  });
}

/** After a restart over the same data, with a model that writes slowly and does not end. */
export async function afterRestart(page, step, seen = async () => {}) {
  await step('after a restart the thread is there', async () => {
    await page.has('textarea[data-composer]');
    if (await page.value('innerWidth < 1200')) await page.key('Control+\\'); // in a narrow window the threads slide over
    await page.sees(/How high is the tower/, 'nav');
    await page.press('nav a[title^="How high is the tower of Skerry Point"]');
    await page.sees(/34 metres/, 'main article');
  });
  await step('a stopped answer keeps its text', async () => {
    await page.ask('How high is the tower?');
    await page.sees(/Sentence 2/, answer);
    await page.value("[...document.querySelectorAll('button')].findLast((b) => /^Stop/.test(b.ariaLabel ?? b.innerText)).click()");
    await page.sees(/[Ss]topped/, answer);
    await page.sees(/Sentence 2/, answer);
    await seen('stopped');
  });
}

/** Fails with what should not have happened on a page. */
export async function nothingWrong(page) {
  if (page.wrong.length > 0) throw new Error(page.wrong.join(' | '));
}
