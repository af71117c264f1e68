// What a person meets every day: what is said once, what stays offered, what is picked.
import { until } from './program.mjs';

const box = (page) => page.locator('textarea[data-composer]').last();

/** Walks what a thread says of a computer without a model. */
export async function saidOnce(page, base, step) {
  await step('that no model was used is said once a thread, and can be put away', async () => {
    await page.goto(`${base}/#/`);
    for (const question of ['How high is the tower of Skerry Point?', 'Who may open the lens gate?']) {
      const before = await page.locator('main article.turn').count();
      await box(page).fill(question);
      await box(page).press('Enter');
      await until('the answer', async () => (await page.locator('main article.turn[aria-busy=false]').count()) > (question.startsWith('Who') ? before : 0), 60_000);
    }
    const said = page.getByText(/no model was used/);
    if ((await said.count()) !== 1) throw new Error(`it is said ${await said.count()} times`);
    await page.getByRole('button', { name: 'Do not show this again' }).click();
    await until('the line gone', async () => (await said.count()) === 0);
    await page.reload();
    await page.locator('main article.turn').last().waitFor();
    if ((await said.count()) !== 0) throw new Error('it is said again after it was put away');
  });
}
