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

/** Ticks files and asks them alone. */
export async function asksOnlyThese(page, base, step, look) {
  const chips = () => page.locator('main li:has(button[aria-label^="Remove"]) .cut').allInnerTexts();
  await step('ticked files are asked alone', async () => {
    await page.goto(`${base}/#/library`);
    await page.getByRole('checkbox', { name: 'Pick Kitchen recipes.md' }).check();
    await page.getByRole('checkbox', { name: 'Pick Visitor guide.md' }).check();
    await page.getByText('2 files picked').waitFor();
    await look('files picked');
    await page.getByRole('button', { name: 'Ask only these' }).click();
    await until('both in the box', async () => (await chips()).filter((name) => /Kitchen recipes|Visitor guide/.test(name)).length === 2);
    await look('asked alone');
    await box(page).fill('Who may open the lens gate?');
    await box(page).press('Enter');
    await page.locator('main article.turn[aria-busy=false]').waitFor();
    const answer = await page.locator('main article.turn').last().innerText();
    if (/Bram Tarrant/.test(answer)) throw new Error('a file that was not ticked answered');
    if ((await chips()).length !== 2) throw new Error('the follow-up is not about the ticked files any more');
  });
  await step('one file and one folder are asked from where they stand', async () => {
    const library = async () => {
      await page.goto(`${base}/#/library`);
      await page.reload(); // nothing is searched, ticked or told there
    };
    await library();
    await page.getByRole('button', { name: 'What was read of Visitor guide.md' }).press('Enter');
    await page.getByRole('button', { name: 'Ask about this file' }).press('Enter');
    await until('it in the box', async () => (await chips()).join() === 'Visitor guide.md');
    await box(page).fill('How high is the tower?');
    await box(page).press('Enter');
    await page.locator('main article.turn[aria-busy=false]').getByText(/34 metres/).first().waitFor();
    await library();
    await page.locator('.roots').getByRole('button', { name: /^Ask only/ }).first().press('Enter');
    await until('the folder in the box', async () => (await chips()).length === 1 && (await chips())[0] !== 'Visitor guide.md');
    await page.locator('main li').getByRole('button', { name: /^Remove/ }).press('Enter');
  });
}

/** Sorts the files, and picks a folder of the computer that runs Footnote. */
export async function sortsAndPicks(page, base, step, look) {
  const names = () => page.locator('tr.file b').allInnerTexts();
  await step('files are sorted by name and size, and stay so', async () => {
    await page.goto(`${base}/#/library`);
    await page.getByRole('button', { name: 'Name', exact: true }).click();
    await until('names in order', async () => /^Boat timetable/.test((await names())[0] ?? ''));
    await page.getByRole('button', { name: 'Size', exact: true }).click();
    await until('the largest first', async () => /^Survey of the tower/.test((await names())[0] ?? ''));
    await page.reload();
    await until('the largest still first', async () => /^Survey of the tower/.test((await names())[0] ?? ''));
    await page.getByRole('button', { name: /^Order of the files/ }).click();
    await page.getByRole('menuitemradio', { name: 'As added' }).click();
    await until('the order they came in', async () => !/^Survey of the tower/.test((await names())[0] ?? ''));
  });
  await step('a folder is picked from a list, and none of the system is in it', async () => {
    await page.locator('main header').getByRole('button', { name: 'Add folder' }).click();
    const list = page.getByRole('region', { name: /Choose a folder on the computer/ });
    await list.getByRole('button', { name: 'Open All folders' }).click();
    await list.getByText('belongs to the system').waitFor();
    if (await list.getByRole('button', { name: /^Open (etc|usr|proc)$/ }).count()) throw new Error('a folder of the system is offered');
    if (await list.getByRole('button', { name: /^Add/ }).count()) throw new Error('the root can be added');
    await look('folder picker');
    await list.getByRole('button', { name: 'Open tmp' }).click();
    await list.getByRole('button', { name: 'Add “tmp”' }).waitFor();
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'detached' });
  });
}

/** What a person without a file, a model or a network is told on the first screen. */
export async function firstRun(page, base, step, look) {
  await step('the first screen offers a folder until there are files, and says nothing of the web twice', async () => {
    await page.goto(`${base}/#/`);
    await page.getByRole('button', { name: /Choose a folder/ }).waitFor();
    await until('three things that are ready or not', async () => (await page.locator('main .columns h2').count()) === 3);
    await page.getByText('Looking…').waitFor({ state: 'detached' });
    if (/Ready/.test(await page.locator('main .columns').innerText())) throw new Error('the web is said to be ready without having been tried');
    await look('first run');
  });
  await step('a library without files still offers them when something is searched', async () => {
    await page.goto(`${base}/#/library`);
    await page.keyboard.type('What is written there?');
    await until('it in the search', async () => (await page.locator('[data-library-search]').inputValue()) === 'What is written there?');
    await page.getByText(/Drop files/).waitFor();
    await page.getByRole('button', { name: 'Add folder' }).click();
    await page.getByRole('region', { name: /Choose a folder/ }).getByRole('button').first().waitFor();
    await page.keyboard.press('Escape');
    await page.locator('[data-library-search]').fill('');
    await page.goto(`${base}/#/`);
  });
  await step('the sample library is added by one click and answers a question', async () => {
    await page.getByRole('button', { name: 'Try it with the sample library' }).click();
    await page.getByText('Ask the sample library').waitFor();
    await page.getByRole('button', { name: /Choose a folder/ }).waitFor();
    await page.getByRole('button', { name: 'Who may open the lens gate?' }).click();
    await page.locator('main article.turn[aria-busy=false] button.fn').first().waitFor();
    const answer = await page.locator('main article.turn').last().innerText();
    if (!/Bram Tarrant/.test(answer)) throw new Error(`it says ${answer.slice(0, 120)}`);
    await page.goto(`${base}/#/`);
    await page.getByText('Ask the sample library').waitFor();
    await look('sample library');
    const forgotten = await page.evaluate(async () => {
      const { roots } = await (await fetch('/api/library')).json();
      return (await fetch(`/api/library/${roots.find((root) => root.sample).id}`, { method: 'DELETE' })).status;
    });
    if (forgotten !== 204) throw new Error(`it is not forgotten: ${forgotten}`);
    await page.reload();
    await page.getByRole('button', { name: 'Try it with the sample library' }).waitFor();
  });
}

/** A question of a script that is read from the right, and the row of notes on a phone. */
export async function readable(page, base, step) {
  const direction = (selector) => page.evaluate((s) => getComputedStyle([...document.querySelectorAll(s)].at(-1)).direction, selector);
  await step('what is written from the right is read from the right', async () => {
    await page.goto(`${base}/#/`);
    await box(page).fill('ما ارتفاع برج Skerry Point؟');
    if ((await direction('textarea[data-composer]')) !== 'rtl') throw new Error('the box is read from the left');
    await box(page).press('Enter');
    await page.locator('main article.turn[aria-busy=false]').waitFor();
    if ((await direction('main article .q')) !== 'rtl') throw new Error('the question is read from the left');
  });
  await step('on a phone only what the answer names has a number', async () => {
    await page.goto(`${base}/#/`);
    await box(page).fill('How high is the tower of Skerry Point?');
    await box(page).press('Enter');
    await page.locator('main article.turn[aria-busy=false] button.fn').first().waitFor();
    await page.setViewportSize({ width: 400, height: 800 });
    await page.locator('.strip li').first().waitFor();
    const numbers = await page.evaluate(() => ({ named: new Set([...document.querySelectorAll('main article button.fn')].map((b) => parseInt(b.innerText, 10))).size, shown: document.querySelectorAll('.strip .fn').length }));
    await page.setViewportSize({ width: 1280, height: 800 });
    if (numbers.shown !== numbers.named) throw new Error(`${numbers.named} are named, ${numbers.shown} wear a number`);
  });
}
