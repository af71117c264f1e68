// Evidence tables: made by /table, filled, sorted, opened at a passage, widened, taken away, deleted.
import { onPhone, typedMeanwhile, until } from './program.mjs';

const cells = (page) => page.locator('td button.cell');

/** Waits until no cell is empty. */
const filled = (page) => until('a filled table', async () => (await page.locator('td[data-at]').count()) > 0 && (await page.locator('td.waiting').count()) === 0, 90_000);

/** Walks them; `look` examines a screen for accessibility. */
export async function tables(page, base, step, look) {
  await step('/table makes a table whose cells fill by themselves', async () => {
    await page.goto(`${base}/#/`);
    await page.locator('textarea[data-composer]').last().fill('/table');
    await page.keyboard.press('Enter');
    await page.getByLabel('Questions, one a line').fill('How high is the tower?\nWhen was the lamp first lit?');
    await look('a new table');
    const make = () => page.getByRole('button', { name: 'Make table' }).click();
    await typedMeanwhile(page, '**/api/tables', make, 'Who keeps it?');
    await filled(page);
    const next = page.getByLabel('Another question, a column');
    if ((await next.inputValue()) !== 'Who keeps it?') throw new Error(`what was typed meanwhile is “${await next.inputValue()}”`);
    await next.fill('');
    await look('a table');
  });
  await step('a column sorts answers first, and a cell opens at its lit words', async () => {
    await page.getByRole('button', { name: 'Sort by How high is the tower?' }).click();
    const column = await page.locator('td[data-at$=" 0"]').allInnerTexts();
    if (/not in this file/i.test(column[0])) throw new Error(column.join(' | '));
    await page.locator('td', { hasText: '34 metres' }).first().locator('button').first().click();
    await until('the lit words', async () => /34 metres/.test((await page.locator('aside.viewer mark').allInnerTexts()).join(' ')));
    await look('a cell with its passage');
    await page.keyboard.press(']');
    await page.keyboard.press('Escape');
    await until('the table alone', async () => (await page.locator('aside.viewer').count()) === 0);
  });
  await step('arrows move between cells', async () => {
    await cells(page).first().focus();
    await page.keyboard.press('ArrowDown');
    const at = await page.evaluate(() => document.activeElement?.closest('td')?.dataset.at ?? '');
    if (!at || at === '0 0') throw new Error(`the focus is at “${at}”`);
  });
  await step('another question is another column, and the rest stays', async () => {
    const before = await cells(page).first().innerText();
    await page.getByLabel('Another question, a column').fill('Who may open the lens gate?');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Sort by Who may open the lens gate?' }).waitFor();
    await filled(page);
    if ((await cells(page).first().innerText()) !== before) throw new Error('the first cell changed');
  });
  await step('a table fits a phone', () => onPhone(page, 'main, .grid', async () => {
    await look('a table on a phone');
    await page.locator('td button.cell', { hasText: '34 metres' }).first().click();
    await page.locator('main.viewer mark').first().waitFor();
    await look('a cell with its passage on a phone');
    await page.keyboard.press('Escape');
    await page.locator('main.viewer').waitFor({ state: 'detached' });
  }));
  await step('a table is taken away as a workbook, and deleted', async () => {
    const coming = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('menuitem', { name: /Excel workbook/ }).click();
    const name = (await coming).suggestedFilename();
    if (!name.endsWith('.xlsx')) throw new Error(name);
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Delete table' }).click();
    await page.getByText('No tables yet.').waitFor();
  });
}
