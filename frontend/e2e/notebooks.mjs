// Notebooks: a set of sources is made, asked, has its conversations, and notes; an edited question keeps both versions.
import { onPhone, typedMeanwhile, until } from './program.mjs';

/** Walks them; `look` examines a screen for accessibility. */
export async function notebooks(page, base, step, look) {
  await step('files that are ticked become a notebook', async () => {
    await page.goto(`${base}/#/library`);
    await page.getByRole('checkbox', { name: /Lamp and lens/ }).check();
    await page.getByRole('button', { name: 'Notebook', exact: true }).click();
    await page.getByRole('textbox', { name: 'Name of the notebook' }).fill('Light house');
    await look('a new notebook');
    const make = () => page.getByRole('button', { name: 'Make notebook' }).click();
    await typedMeanwhile(page, '**/api/collections', make, 'When was it lit?');
    await page.getByRole('link', { name: /Lamp and lens/ }).waitFor();
    const box = page.locator('textarea[data-composer]').last();
    await until('what was typed meanwhile in the box', async () => (await box.inputValue()) === 'When was it lit?');
    await box.fill('');
    await look('a notebook');
  });
  await step('a question in a notebook asks its sources alone, and is listed there', async () => {
    const notebook = page.url();
    await page.locator('textarea[data-composer]').last().fill('When was the lamp first lit?');
    await page.keyboard.press('Enter');
    await until('an answer', async () => /1874/.test((await page.locator('main article').allInnerTexts()).join(' ')), 60_000);
    await until('the notebook in the box', async () => /Light house/.test(await page.locator('.dock').innerText()));
    await page.goto(notebook);
    await page.locator('main').getByRole('link', { name: /When was the lamp first lit/ }).waitFor();
  });
  await step('a note is written, changed, deleted and brought back', async () => {
    await page.getByRole('textbox', { name: 'New note' }).fill('Ask the keeper.');
    await page.getByRole('button', { name: 'Save note' }).click();
    await page.getByText('Ask the keeper.').waitFor();
    await page.getByRole('button', { name: 'Change', exact: true }).click();
    await page.getByRole('textbox', { name: 'Change' }).fill('Ask the keeper in May.');
    await page.keyboard.press('Control+Enter');
    await page.getByText('Ask the keeper in May.').waitFor();
    await page.locator('article').getByRole('button', { name: 'Delete', exact: true }).click();
    await until('no note', async () => (await page.getByText('Ask the keeper in May.').count()) === 0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Ask the keeper in May.').waitFor();
  });
  await step('a notebook fits a phone', () => onPhone(page, 'main', () => look('a notebook on a phone')));
  await step('a question names a notebook', async () => {
    await page.goto(`${base}/#/`);
    const box = page.locator('textarea[data-composer]').last();
    await box.fill('');
    await box.pressSequentially('How high is the tower? @li');
    await page.getByRole('option', { name: /@Light-house/ }).waitFor();
    await box.press('Tab');
    await until('the name in the question', async () => (await box.inputValue()).endsWith('@Light-house '));
    await box.fill('');
  });
}
