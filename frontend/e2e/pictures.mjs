// Pictures of the screens at both sizes, light and dark. Those of the README are
// PNG, kept with it; the others are JPEG, for whoever made them.
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { lookingModel, modelServer, Program, library, until } from './program.mjs';

const sizes = { wide: { width: 1280, height: 800 }, phone: { width: 400, height: 800 } };
const inReadme = ['answer-wide-light', 'viewer-wide-light'];
const tower = 'How high is the tower of Skerry Point, and when was its lamp first lit?';
const diagram = '```mermaid\nflowchart LR\n  A[Boat] --> B[Landing] --> C[Stair of 148 steps] --> D[Lamp room]\n```\n';
/** What the model of the pictures writes: one sentence the passages say, one they contradict, a diagram. */
const written = ['The tower is 34 metres high ', 'and stands on a rock shelf 11 metres above the sea [2]. ', 'The lamp of Skerry Point was first lit on 12 October 1889 [1].\n\n', diagram];

export async function pictures(browser, data) {
  await rm(process.env.FOOTNOTE_SCREENS, { recursive: true, force: true });
  await mkdir(process.env.FOOTNOTE_SCREENS, { recursive: true });
  await withoutModel(browser, data);
  await withModel(browser, data);
  await withAgent(browser, data);
}

/** A page, and how its screens are kept; `only` names one size, `ready` is done at each. */
async function camera(browser, program) {
  const page = await (await browser.newContext({ viewport: sizes.wide })).newPage();
  await page.goto(program.launch);
  await page.getByRole('heading', { level: 1 }).waitFor();
  const shoot = async (name, only = '', ready = async () => {}) => {
    for (const [size, viewport] of Object.entries(sizes)) {
      if (only && size !== only) continue;
      await page.setViewportSize(viewport);
      await ready();
      for (const scheme of ['light', 'dark']) {
        await page.emulateMedia({ colorScheme: scheme });
        await page.waitForTimeout(350);
        const file = `${name}-${size}-${scheme}`;
        await page.screenshot(inReadme.includes(file)
          ? { path: join(process.env.FOOTNOTE_README_SCREENS, `${file}.png`) }
          : { path: join(process.env.FOOTNOTE_SCREENS, `${file}.jpg`), type: 'jpeg', quality: 82 });
      }
    }
    await page.setViewportSize(sizes.wide);
    await page.emulateMedia({ colorScheme: 'light' });
  };
  const box = () => page.locator('textarea[data-composer]').last();
  const ask = async (text) => (await box().fill(text), await box().press('Enter'));
  const said = (what, pattern) => until(what, async () => pattern.test(await page.locator('main article').last().innerText()), 120_000);
  const go = (place) => page.goto(`${program.base}/#/${place}`);
  return { page, shoot, box, ask, said, go };
}

async function withoutModel(browser, data) {
  const program = await new Program(data, 'models.chat=none').start();
  const { page, shoot, box, ask, said, go } = await camera(browser, program);
  await shoot('home-first-run');
  await box().fill('/');
  await page.getByRole('listbox').waitFor();
  await shoot('home-slash');
  await box().fill('');
  await go('library');
  await shoot('library-empty');
  await page.getByPlaceholder(/full path/).fill(library);
  await page.getByPlaceholder(/full path/).press('Enter');
  await until('the files', async () => (await page.getByText('Ready', { exact: true }).count()) >= 14, 120_000);
  await page.locator('.toast').waitFor({ state: 'hidden' });
  await shoot('library');
  await go('');
  await box().fill(tower);
  await until('hits', async () => (await page.getByText(/Lamp and lens/).count()) > 0);
  await shoot('home-typing');
  await box().press('Enter');
  await said('the answer', /Quoted in/);
  await page.waitForTimeout(400);
  await shoot('answer');
  await page.locator('main article button.fn').first().hover();
  await page.waitForTimeout(400);
  await shoot('peek', 'wide');
  await page.mouse.move(0, 0);
  await page.setViewportSize(sizes.phone);
  await page.locator('main article button.fn').first().click();
  await page.getByRole('region', { name: 'Footnote 1' }).waitFor();
  await shoot('footnote', 'phone');
  await page.setViewportSize(sizes.wide);
  await page.getByRole('button', { name: 'Check whether it still holds' }).click();
  await said('what has changed', /What has changed since/);
  await shoot('checked-again');
  await page.getByRole('button', { name: 'How this answer came about' }).last().click();
  await page.getByRole('heading', { name: 'All the workings' }).click();
  await page.getByRole('heading', { name: 'Passages weighed' }).click();
  await shoot('inspector');
  await ask('What is the capital of Mongolia, and how high does it lie?');
  await said('that there is none', /Nothing found/);
  await shoot('no-answer');
  await go('');
  await ask('How much of a storm damage does the trust pay first?');
  await said('the other answer', /2,500 euro[\s\S]*Quoted in|Quoted in[\s\S]*2,500 euro/);
  await page.locator('main article button.fn').first().press('Enter');
  await page.locator('.sheet.shown mark').first().waitFor();
  await shoot('viewer');
  await go('');
  await ask('/deep-research How do visitors reach Skerry Point, and what does it cost them?');
  await page.getByRole('button', { name: 'Hold' }).click();
  await shoot('research-plan');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByText('Continue exploring').waitFor({ timeout: 120_000 });
  await shoot('research');
  await page.setViewportSize(sizes.phone);
  await page.getByRole('tab', { name: 'Activity' }).click();
  await shoot('research-activity', 'phone');
  await page.setViewportSize(sizes.phone);
  await page.getByRole('tab', { name: /Sources/ }).click();
  await shoot('research-sources', 'phone');
  await libraryScreens(page, shoot, go);
  await settingsAnswers(page, shoot, go);
  for (const part of ['models', 'web', 'ranking', 'privacy']) {
    await go(`settings/${part}`);
    await page.getByRole('heading', { level: 2 }).first().waitFor();
    await page.waitForTimeout(400);
    await shoot(`settings-${part}`);
  }
  await page.context().close();
  await program.stop();
}

/** The answers that are kept fresh, one of them the first. */
async function settingsAnswers(page, shoot, go) {
  await go('');
  await page.locator('nav a[title^="How high is the tower"]').first().click();
  await page.getByRole('button', { name: /^Keep fresh/ }).first().click();
  await page.getByRole('menuitemradio', { name: 'Every week' }).click();
  await page.getByText('Checked every week.').waitFor();
  await go('settings/answers');
  await page.getByRole('button', { name: /^Stop checking/ }).waitFor();
  await shoot('settings-answers', '', () => page.getByRole('heading', { name: 'Answers kept fresh' }).evaluate((head) => head.parentElement.parentElement.scrollTo(0, 1e5)));
}

async function libraryScreens(page, shoot, go) {
  await go('library');
  await page.locator('[data-library-search]').fill('storm damage');
  await page.locator('.hits button', { hasText: 'Insurance' }).waitFor();
  await shoot('library-search');
  await page.locator('.hits button', { hasText: 'Insurance' }).click();
  await page.locator('.sheet.shown mark').first().waitFor();
  await shoot('library-passage');
  await go('library');
  await page.locator('[data-library-search]').fill('');
  await page.getByRole('button', { name: /What was read of Insurance/ }).click();
  await page.getByRole('button', { name: 'Why was this not found?' }).click();
  await page.getByRole('textbox', { name: /should have answered/ }).fill('When does the boat leave?');
  await page.getByRole('button', { name: 'Look', exact: true }).click();
  await page.getByText('Its best passage').waitFor();
  await shoot('library-why');
}

async function withModel(browser, data) {
  const model = await modelServer((n) => written[n - 1], 4000);
  const program = await new Program(data, `providers.custom.local.url=${model.url}`, 'models.chat=local/m').start();
  const { page, shoot, ask, said } = await camera(browser, program);
  await ask(tower);
  await page.getByText('Already found in your files').waitFor();
  await shoot('searching', 'wide');
  await page.locator('main article .text', { hasText: '34 metres' }).waitFor({ timeout: 120_000 });
  await shoot('writing', 'wide');
  await said('the verdicts', /footnotes? checked|contradicted|supported/);
  await page.locator('figure.diagram img').first().waitFor();
  await shoot('doubt');
  await page.context().close();
  await program.stop();
  model.close();
}

/** Agent mode: what the model thought, what it looked for, and what left the computer. */
async function withAgent(browser, data) {
  const model = await lookingModel('Skerry Point tower height, lamp first lit', 'The tower is 34 metres high [3]. The lamp was first lit on 12 October 1874 [1].');
  const program = await new Program(data, `providers.custom.local.url=${model.url}`, 'models.chat=local/m', 'ask.mode=agent').start();
  const { page, shoot, ask, said } = await camera(browser, program);
  await ask(tower);
  await said('the verdicts', /footnotes? checked|supported/);
  await page.getByRole('button', { name: 'Steps' }).last().click();
  await page.getByText('What the model thought').last().click();
  await shoot('agent');
  await page.getByRole('button', { name: /left this computer/ }).last().click();
  await page.waitForTimeout(300);
  await shoot('ledger', 'wide');
  await page.context().close();
  await program.stop();
  model.close();
}
