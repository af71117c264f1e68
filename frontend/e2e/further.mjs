// Screens beside the main job: an answer that is checked again, a question that
// nothing answers, research in three panels, where toasts stand.
import { onPhone, until } from './program.mjs';

const last = (page) => page.locator('main article').last();

/** Asks in the box that is shown. */
async function ask(page, text) {
  const box = page.locator('textarea[data-composer]').last();
  await box.fill(text);
  await box.press('Enter');
}

/** Walks them in a thread that has an answer; `look` examines a screen for accessibility. */
export async function furtherScreens(page, base, step, look) {
  await step('a toast stands above the box', async () => {
    // It is gone after a while: the page itself looks for it.
    const seen = page.waitForFunction(() => {
      const [toast, box] = ['.toast', '.dock textarea'].map((name) => document.querySelector(name)?.getBoundingClientRect());
      return toast && box ? { ends: toast.bottom, begins: box.top } : null;
    }, null, { timeout: 60_000 });
    await page.getByRole('button', { name: 'More to do with this answer' }).last().click();
    await page.getByRole('menuitem', { name: 'Copy with notes as Markdown' }).click();
    const { ends, begins } = await (await seen).jsonValue();
    if (ends > begins) throw new Error(`the toast ends at ${ends}, the box begins at ${begins}`);
  });
  await step('an answer that is checked again comes into view with what has changed', async () => {
    const before = await page.locator('main article').count();
    await page.getByRole('button', { name: 'Check whether it still holds' }).last().click();
    await until('the other answer', async () => (await page.locator('main article').count()) === before + 1, 60_000);
    await until('the caret in the box', () => page.evaluate(() => document.activeElement?.matches('textarea[data-composer]') ?? false), 60_000);
    await until('what has changed', async () => /What has changed since/.test(await last(page).innerText()), 60_000);
    const top = await last(page).locator('.q').boundingBox();
    if (top.y < 0 || top.y > 200) throw new Error(`the answer begins at ${top.y}`);
    await look('checked again');
  });
  await step('a question that nothing answers says what to do next', async () => {
    await ask(page, 'What is the capital of Mongolia, and how high does it lie?');
    await until('that nothing was found', async () => /Nothing found/.test(await last(page).innerText()), 60_000);
    const words = await last(page).innerText();
    if (/Extracted|No footnotes/.test(words)) throw new Error(words);
    await look('no answer');
    await last(page).getByRole('button', { name: 'Ask in other words' }).click();
    await until('the question in the box', async () => /Mongolia/.test(await page.locator('textarea[data-composer]').last().inputValue()), 60_000);
  });
  await step('another part of the settings begins at its top', async () => {
    await page.goto(`${base}/#/settings/answers`);
    await page.getByRole('heading', { name: 'Answers kept fresh' }).scrollIntoViewIfNeeded();
    await page.locator('main nav a[href="#/settings/models"]').click();
    const head = page.getByRole('heading', { name: 'Models', level: 2 });
    await head.waitFor();
    await until('the head of the part', async () => (await head.boundingBox()).y >= 0);
  });
  await step('on a phone every part of the settings is one choice away', async () => {
    await onPhone(page, 'main', async () => {
      await page.getByLabel('Part of the settings').selectOption({ label: 'Keyboard' });
      await page.getByRole('heading', { name: 'Keyboard', level: 2 }).waitFor();
      await page.goBack();
      await page.getByRole('heading', { name: 'Models', level: 2 }).waitFor();
    });
  });
  await step('research stands in three panels, and in tabs on a phone', async () => {
    await page.goto(`${base}/#/`);
    await ask(page, '/deep-research How do visitors reach Skerry Point, and what does it cost them?');
    await page.getByText('Continue exploring').waitFor({ timeout: 120_000 });
    if (/Left out/.test(await page.locator('.plan').innerText())) throw new Error('a question that was looked into is said to be left out');
    await look('research');
    await page.setViewportSize({ width: 400, height: 800 });
    for (const tab of ['Activity', 'Sources', 'Report']) {
      await page.getByRole('tab', { name: tab }).click();
      await look(`research, ${tab} on a phone`);
    }
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: /Markdown/ }).last().waitFor();
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 1280, height: 800 });
  });
}
