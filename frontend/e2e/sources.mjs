// Files as sources: their page with a summary and questions, selected words as note and question, versions of a question.
import { typedMeanwhile, until } from './program.mjs';

/** Selects the words of a marked quotation in the viewer. */
const selectMark = (page) => page.evaluate(() => {
  const mark = document.querySelector('.viewer .text mark');
  getSelection().selectAllChildren(mark);
  return mark.textContent;
});

/** Walks them; `look` examines a screen for accessibility. */
export async function sources(page, base, step, look) {
  await step('a file has a page with what it mostly says and questions that it answers', async () => {
    await page.goto(`${base}/#/library`);
    await page.getByRole('button', { name: /What was read of Lamp and lens/ }).click();
    await page.getByRole('link', { name: 'About this file' }).click();
    await until('its sentences', async () => (await page.locator('.said').count()) > 1, 60_000);
    await until('a question', async () => (await page.locator('.asks button').count()) > 0, 60_000);
    await look('the page of a file');
  });
  await step('it can be asked before it has been looked through', async () => {
    const place = page.url();
    const about = '**/api/library/about?*';
    let go;
    let sent = false;
    const held = new Promise((resolve) => (go = resolve));
    await page.route(about, async (route) => {
      sent = true;
      await held;
      await route.continue();
    });
    await page.goto(`${base}/#/library`);
    await page.goto(place);
    await page.locator('textarea[data-composer]').waitFor({ timeout: 10_000 });
    await until('the look at it on its way', () => sent);
    const name = await page.getByRole('heading', { level: 1 }).innerText();
    if (!name.includes('Lamp and lens') || (await page.locator('.bones').count()) !== 1) throw new Error(`not at once: “${name}”`);
    await page.keyboard.type('How wide is the lens?');
    await look('the page of a file that is being looked through');
    go();
    await page.locator('.said').first().waitFor({ timeout: 60_000 });
    await page.unroute(about, { behavior: 'wait' });
    const typed = await page.locator('textarea[data-composer]').inputValue();
    if (typed !== 'How wide is the lens?') throw new Error(`in the box: “${typed}”`);
    await page.locator('textarea[data-composer]').fill('');
  });
  await step('a sentence of it opens at its words', async () => {
    const said = (await page.locator('.said').first().innerText()).trim();
    await page.locator('.said').first().click();
    await until('the words in the text', async () => (await page.locator('.viewer .text mark').allInnerTexts()).join(' ').replace(/\s+/g, ' ').includes(said.slice(0, 30)));
    await look('a sentence in its file');
  });
  await step('words selected in the document are kept with a note, and open from the notebook', async () => {
    const words = await selectMark(page);
    await page.getByRole('button', { name: 'Note', exact: true }).click();
    await page.getByRole('textbox', { name: 'New note' }).fill('Look this up.');
    await page.getByRole('combobox', { name: 'Notebook' }).selectOption({ label: 'Light house' });
    await look('a note about selected words');
    await page.getByRole('button', { name: 'Save note' }).click();
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    await page.locator('article .quote').first().click();
    await until('the words lit', async () => (await page.locator('.viewer .text mark').allInnerTexts()).join('').replace(/\s+/g, ' ').trim() === words.replace(/\s+/g, ' ').trim());
  });
  await step('selected words go into a question to their file', async () => {
    const words = await selectMark(page);
    await page.locator('.viewer').getByRole('button', { name: 'Ask', exact: true }).click();
    const box = page.locator('textarea[data-composer]').last();
    await until('the words in the box', async () => (await box.inputValue()).includes(words.trim().slice(0, 20)) || /Pasted text/.test(await page.locator('main').innerText()));
    await until('the file in the box', async () => /Lamp and lens/.test(await page.locator('main').innerText()));
    await box.fill('');
  });
  await step('a question of the page is asked of the file alone', async () => {
    await page.goto(`${base}/#/library`);
    await page.getByRole('button', { name: /What was read of Lamp and lens/ }).click();
    await page.getByRole('link', { name: 'About this file' }).click();
    const first = page.locator('.asks button').first();
    await first.waitFor({ timeout: 60_000 });
    await first.click();
    await until('an answer', async () => (await page.locator('main article button.fn').count()) > 0, 60_000);
  });
  await step('an edited question keeps both versions', async () => {
    const before = await page.locator('main article .q').first().innerText();
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByRole('textbox', { name: 'The question in other words' }).fill('When was the lamp first lit?');
    await look('a question being edited');
    await typedMeanwhile(page, '**/api/runs/*/edit', () => page.keyboard.press('Enter'), 'Who lit it?');
    await page.getByText('2 of 2', { exact: true }).waitFor({ timeout: 60_000 });
    const box = page.locator('textarea[data-composer]').last();
    await until('what was typed meanwhile in the box', async () => (await box.inputValue()) === 'Who lit it?');
    await box.fill('');
    await until('the other answer', async () => /1874/.test(await page.locator('main article').last().innerText()), 60_000);
    await until('the file that both versions ask', async () => /Lamp and lens/.test(await page.locator('.dock').innerText()));
    await look('a question with two versions');
    await page.getByRole('button', { name: 'Previous version of this question' }).click();
    await until('the first version', async () => (await page.locator('main article .q').first().innerText()) === before);
    await page.getByText('1 of 2', { exact: true }).waitFor();
  });
  await step('both versions are one conversation of the list', async () => {
    const rows = page.locator('nav a[href^="#/thread/"]');
    await until('the row of both chosen', async () => (await page.locator('nav a[href^="#/thread/"][aria-current=page]').getAttribute('title')) === 'When was the lamp first lit?');
    const ids = await page.evaluate(async () => (await (await fetch('/api/threads?limit=200')).json()).items.map((t) => [t.id, ...(t.other_versions ?? [])]));
    const listed = new Set(ids.map(([id]) => id));
    if (ids.filter((all) => all.length === 2).length !== 1 || ids.some(([, ...others]) => others.some((id) => listed.has(id)))) throw new Error(JSON.stringify(ids));
    if ((await rows.count()) !== ids.length) throw new Error(`${await rows.count()} rows of ${ids.length}`);
  });
}
