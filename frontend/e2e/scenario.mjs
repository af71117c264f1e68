// The main job and every other screen in Chromium. No console error, no request
// to anything but the program, no accessibility violation.
import AxeBuilder from '@axe-core/playwright';
import { drawAttacks } from './attacks.mjs';
import { furtherScreens } from './further.mjs';
import { asksOnlyThese, firstRun, readable, saidOnce, sortsAndPicks } from './everyday.mjs';
import { comesBack, hands, taken } from './hands.mjs';
import { Steps, afterRestart, mainJob, nothingWrong } from './job.mjs';
import { notebooks } from './notebooks.mjs';
import { Page } from './page.mjs';
import { Program, library, slowModel, until } from './program.mjs';
import { senses } from './senses.mjs';
import { shelf } from './shelf.mjs';
import { sources } from './sources.mjs';
import { tables } from './tables.mjs';
import { walk } from './walk.mjs';

/** A page of Chromium. */
class ChromiumPage extends Page {
  constructor(page, wrong) {
    super();
    Object.assign(this, { page, wrong });
  }

  value(expression) {
    return this.page.evaluate(expression);
  }

  click({ x, y }) {
    return this.page.mouse.click(x, y);
  }

  key(combination) {
    return this.page.keyboard.press(combination);
  }

  write(text) {
    return this.page.keyboard.type(text);
  }
}

/** A page that notes everything that should not happen on it. */
async function watchedPage(browser, program, scheme = 'light') {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, colorScheme: scheme });
  const page = await context.newPage();
  const wrong = [];
  page.on('console', (message) => message.type() === 'error' && wrong.push(`console: ${message.text()} ${message.location().url}`));
  page.on('dialog', (dialog) => (wrong.push(`dialog: ${dialog.message()}`), dialog.dismiss()));
  page.on('pageerror', (error) => wrong.push(`error: ${error.message}`));
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol.startsWith('http') && origin !== program.base) wrong.push(`request to ${origin}`);
  });
  await page.goto(program.launch);
  return { page, wrong };
}

/** The rules that colours decide: nothing else of a screen is another in the dark. */
const ofColours = ['color-contrast', 'link-in-text-block'];

async function accessible(page, screen, failures) {
  for (const scheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.evaluate(async () => { // colours that change slowly have arrived
      await new Promise(requestAnimationFrame);
      await Promise.allSettled(document.getAnimations().filter((a) => a.effect.getTiming().iterations !== Infinity).map((a) => a.finished));
    });
    const rules = new AxeBuilder({ page });
    const { violations } = await (scheme === 'light' ? rules : rules.withRules(ofColours)).analyze();
    for (const v of violations) failures.push(`${screen}, ${scheme}: ${v.id} (${v.nodes.length}) ${v.nodes[0].html.slice(0, 140)}`);
  }
  await page.emulateMedia({ colorScheme: 'light' });
}

export async function scenario(browser, data) {
  const steps = new Steps();
  const step = steps.run;
  const failures = steps.failures;

  const program = await new Program(data, 'models.chat=none').start();
  let { page, wrong } = await watchedPage(browser, program);
  await firstRun(page, program.base, step, (screen) => accessible(page, screen, failures));
  await mainJob(new ChromiumPage(page, wrong), step, async () => {
    await page.goto(`${program.base}/#/library`);
    const path = page.getByPlaceholder(/full path/);
    await path.fill(library);
    await path.press('Enter');
  }, (screen) => accessible(page, screen, failures));
  await step('file hits appear while typing', async () => {
    await page.goto(`${program.base}/#/`);
    await page.locator('textarea[data-composer]').last().fill('lens');
    await page.getByText(/Lamp and lens/).first().waitFor();
    await page.locator('textarea[data-composer]').last().fill('');
  });
  await step('a badge opens its passage by key, and its text is there beside the page', async () => {
    await page.getByText(/How high is the tower/).first().click();
    const badge = page.locator('main article').last().locator('button.fn').first();
    await badge.focus();
    await badge.press('Enter');
    await until('the quote on the page', async () => /2,500 euro/.test((await page.locator('.sheet.shown mark').allTextContents()).join(' ')), 60_000);
    await page.getByRole('button', { name: 'Text', exact: true }).click();
    await until('the quote in the text', async () => /2,500 euro/.test((await page.locator('.text mark').allInnerTexts()).join(' ')));
    await page.keyboard.press('Escape');
    await until('the passage closed', async () => (await page.locator('aside.viewer').count()) === 0);
  });
  await furtherScreens(page, program.base, step, (screen) => accessible(page, screen, failures));
  await tables(page, program.base, step, (screen) => accessible(page, screen, failures));
  await step('a search says what it understood, and opens what it found', async () => {
    await page.goto(`${program.base}/#/library`);
    await page.locator('[data-library-search]').fill('excess type:pdf');
    await page.getByText('type pdf', { exact: true }).waitFor();
    await page.locator('.hits button').first().click();
    await until('the words on the page', async () => /excess/i.test((await page.locator('.sheet.shown mark').allTextContents()).join(' ')), 60_000);
    await accessible(page, 'found passage', failures);
    await page.keyboard.press('Escape');
    await until('the passage closed', async () => (await page.locator('aside.viewer').count()) === 0);
    await page.locator('[data-library-search]').fill('');
  });
  await step('a file says why it was not found', async () => {
    await page.getByRole('button', { name: /What was read of Kitchen recipes/ }).click();
    await page.getByRole('button', { name: 'Why was this not found?' }).click();
    await page.getByRole('textbox', { name: /should have answered/ }).fill('How high is the tower?');
    await page.getByRole('button', { name: 'Look', exact: true }).click();
    await until('the ranks or the cut', async () => /rank|No word|No passage/i.test(await page.locator('.said[role=status]').last().innerText()));
    await accessible(page, 'why', failures);
  });
  await step('how an answer came about can be seen', async () => {
    await page.getByText(/How high is the tower/).first().click();
    await page.getByRole('button', { name: 'How this answer came about' }).first().click();
    await page.getByText('The answer rests on').waitFor();
    if (await page.getByRole('heading', { name: 'Passages weighed' }).isVisible()) throw new Error('the workings are not folded away');
    await accessible(page, 'inspector, told', failures);
    await page.getByRole('heading', { name: 'All the workings' }).click();
    await page.getByRole('heading', { name: 'Passages weighed' }).click();
    await page.getByRole('button', { name: 'Compute again' }).click();
    await page.getByText(/sums follow from their parts/).waitFor();
    await accessible(page, 'inspector', failures);
  });
  await step('the same passages are ranked again with other weights, and nothing changes until they are kept', async () => {
    await page.getByRole('textbox', { name: 'Meaning' }).fill('0.20');
    await page.getByRole('textbox', { name: 'Meaning' }).press('Tab');
    await page.getByText(/they have to make 1/).waitFor();
    await page.getByRole('textbox', { name: 'Words' }).fill('0.45');
    await page.getByRole('textbox', { name: 'Words' }).press('Tab');
    await page.getByRole('button', { name: 'Rank again', exact: true }).click();
    await page.getByText(/came, went or moved|same passages in the same order/).waitFor();
    await accessible(page, 'ranked again', failures);
  });
  await notebooks(page, program.base, step, (screen) => accessible(page, screen, failures));
  await sources(page, program.base, step, (screen) => accessible(page, screen, failures));
  await step('a search says exactly how many files mention it', async () => {
    await page.goto(`${program.base}/#/library`);
    await page.locator('[data-library-search]').fill('tower');
    await page.getByText(/files? mentions? this|files mention this/).waitFor();
    await page.locator('[data-library-search]').fill('');
  });
  await step('a set of weights is changed, and one that does not make 1 is refused', async () => {
    await page.goto(`${program.base}/#/settings/ranking`);
    await page.getByRole('button', { name: 'Change the weights of News' }).click();
    await page.getByRole('textbox', { name: 'Fresh', exact: true }).fill('0.90');
    await page.getByRole('textbox', { name: 'Fresh', exact: true }).press('Tab');
    if (await page.getByRole('button', { name: 'Save', exact: true }).isEnabled()) throw new Error('weights of more than 1 can be saved');
    await page.getByRole('textbox', { name: 'Fresh', exact: true }).fill('0.35');
    await page.getByRole('textbox', { name: 'Authority', exact: true }).fill('0.20');
    await page.getByRole('textbox', { name: 'Authority', exact: true }).press('Tab');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('0.25 · 0.20 · 0.35 · 0.20').waitFor();
    await accessible(page, 'presets', failures);
  });
  await step('what is typed in one data folder is not seen in another', async () => {
    await page.goto(`${program.base}/#/`);
    await page.locator('textarea[data-composer]').last().fill('half a question');
    const kept = () => page.evaluate(() => Object.keys(localStorage).filter((key) => key.endsWith('.draft.home')));
    const keys = await until('it to be kept', async () => ((await kept()).length > 0 ? kept() : null));
    const home = await page.evaluate(() => document.documentElement.dataset.home);
    if (!home || keys.length !== 1 || keys[0] !== `footnote.${home}.draft.home`) throw new Error(`kept as ${keys.join()}`);
    await page.locator('textarea[data-composer]').last().fill('');
  });
  for (const part of ['models', 'web', 'answers', 'ranking', 'privacy']) {
    await step(`settings, ${part}`, async () => {
      await page.goto(`${program.base}/#/settings/${part}`);
      await page.getByRole('heading', { level: 2 }).first().waitFor();
      await accessible(page, `settings ${part}`, failures);
    });
  }
  await step('what went out in all stands under privacy', async () => {
    await page.goto(`${program.base}/#/settings/privacy`);
    await page.getByText(/^Nothing (left this computer|went out for the latest questions)\.$/).waitFor();
  });
  await step('a question in the address waits for Enter', async () => {
    await page.goto(`${program.base}/?q=${encodeURIComponent('Who may open the lens gate?')}`);
    const box = page.locator('textarea[data-composer]').last();
    await until('the question in the box', async () => (await box.inputValue()) === 'Who may open the lens gate?');
    if (page.url().includes('#/thread/')) throw new Error('it was asked by itself');
    await box.press('Enter');
    await until('the answer', async () => /Bram Tarrant/.test(await page.locator('main').innerText()));
  });
  await step('attack texts: every prefix drawn, nothing runs, nothing is asked', async () => {
    const { found, prefixes, slowest } = await drawAttacks(page);
    if (found.length > 0) throw new Error(found.slice(0, 5).join(' | '));
    return `${prefixes} prefixes, the slowest in ${slowest} ms`;
  });
  for (const place of ['', 'library', 'settings/ranking']) {
    await step(`every control of ${place || 'home'} is reached by Tab, and the focus is seen`, async () => {
      await page.goto(`${program.base}/#/${place}`);
      await page.waitForTimeout(500);
      const { reached, wrong: missed } = await walk(page);
      if (missed.length > 0) throw new Error(missed.slice(0, 6).join('; '));
      return `${reached} controls`;
    });
  }
  await step('every control of an answer is reached by Tab, and the focus is seen', async () => {
    await page.getByText(/How high is the tower/).first().click();
    await page.locator('main article button.fn').first().waitFor();
    const { wrong: missed } = await walk(page, 260);
    if (missed.length > 0) throw new Error(missed.slice(0, 6).join('; '));
  });
  await senses(page, program.base, step);
  await hands(page, program.base, step);
  await saidOnce(page, program.base, step);
  await asksOnlyThese(page, program.base, step, (screen) => accessible(page, screen, failures));
  await sortsAndPicks(page, program.base, step, (screen) => accessible(page, screen, failures));
  await readable(page, program.base, step);
  await shelf(page, program.base, step, (screen) => accessible(page, screen, failures));
  await taken(page, step);
  await step('no console error and no stranger asked', () => nothingWrong({ wrong }));
  await comesBack(page, program, step);
  await page.context().close();
  await program.stop();

  const model = await slowModel();
  const slow = await new Program(data, `providers.custom.slow.url=${model.url}`, 'models.chat=slow/m').start();
  ({ page, wrong } = await watchedPage(browser, slow));
  await afterRestart(new ChromiumPage(page, wrong), step, (screen) => accessible(page, screen, failures));
  await step('no console error and no stranger asked, again', () => nothingWrong({ wrong }));
  await slow.stop();
  model.close();
  steps.report();
}
