// What is typed is never lost, and fires nothing: right after every change of the
// screen, 200 characters typed blindly stand in the box. Then a program that ends
// and comes back, and two pages of one browser.
import { library, until } from './program.mjs';

const box = (page) => page.locator('textarea[data-composer]').last();

/** A text of so many characters with every letter that was ever a command, and the signs. */
function blind(n) {
  const words = 'can new rules find / the next? 1 crank [of] 9 cranes? No: ';
  return words.repeat(Math.ceil(n / words.length)).slice(0, n).trimEnd().padEnd(n, 'c');
}

/** Types 200 characters at once and looks where they are; gives how many. */
async function typeBlind(page, field = 'textarea[data-composer]') {
  const text = blind(200);
  const hash = await page.evaluate(() => location.hash);
  const turns = await page.locator('main article.turn').count();
  await page.keyboard.type(text);
  const value = () => page.evaluate((s) => [...document.querySelectorAll(s)].at(-1)?.value ?? '', field);
  try {
    await until('all that was typed', async () => (await value()).endsWith(text), 8_000);
  } catch {
    throw new Error(`of 200 characters ${(await value()).length} stand in the box: “${(await value()).slice(0, 60)}”`);
  }
  const now = await page.evaluate(() => location.hash);
  if (!field.includes('library') && hash.split('?')[0] !== now.split('?')[0] && hash !== '' && !/^#\/($|thread)/.test(now)) throw new Error(`the page went from ${hash} to ${now}`);
  if ((await page.locator('main article.turn').count()) > turns + 1) throw new Error('a question was asked');
  await page.locator(field).last().fill('');
}

/**
 * Presses the first badge of the first answer twice, which opens its passage. It is
 * that one badge both times: while answers are being written, the last one of the
 * page may be another at each press.
 */
async function openFirst(page) {
  const answer = page.locator('main article.turn').first();
  await until('the first answer', async () => (await answer.getAttribute('aria-busy')) === 'false', 60_000);
  const badge = answer.locator('button.fn').first();
  await badge.click();
  await badge.click();
}

/** The screens, each with what changes it. */
const changes = {
  'home is opened': (page) => page.evaluate(() => void (location.hash = '#/')),
  'a question is asked on home': async (page) => {
    await page.evaluate(() => void (location.hash = '#/'));
    await page.waitForFunction(() => document.activeElement?.matches('textarea[data-composer]'));
    await page.keyboard.type('How high is the tower of Skerry Point?');
    await page.keyboard.press('Enter');
  },
  'a follow-up is asked': async (page) => {
    await page.keyboard.type('Who may open the lens gate?');
    await page.keyboard.press('Enter');
  },
  'a badge is pressed': async (page) => {
    const badge = page.locator('main article.turn[aria-busy=false] button.fn').first();
    await badge.waitFor({ timeout: 60_000 });
    await badge.click();
  },
  'Ask again is pressed': (page) => page.getByRole('button', { name: 'Ask again' }).last().click(),
  'a passage is opened': async (page) => {
    await openFirst(page);
    await page.locator('aside.viewer').waitFor();
  },
  'the passage is closed by its button': (page) => page.locator('aside.viewer').getByRole('button', { name: /Close/ }).first().click(),
  'a thread is chosen in the list': (page) => page.locator('nav a[title^="How high is the tower"]').first().click(),
  'the list of threads slides over': async (page) => {
    await page.setViewportSize({ width: 1100, height: 800 });
    await page.locator('nav').getByRole('button', { name: 'Threads', exact: true }).click();
    await page.locator('dialog.drawer[open]').waitFor();
  },
};

/** Screens with the box that takes what is typed there; search is the box of those that have none. */
const palette = 'dialog[open] input[role=combobox]';
const screens = {
  '#/library': '[data-library-search]', '#/tables': 'textarea[data-composer]', '#/notebooks': 'input[data-composer]', '#/settings/models': 'aside input[type=search]', '#/settings/keyboard': 'aside input[type=search]',
  '#/nowhere': palette,
};

export async function hands(page, base, step) {
  await page.goto(`${base}/#/`);
  for (const [name, change] of Object.entries(changes)) {
    await step(`200 characters typed blindly as ${name}: none lost, no command fired`, async () => {
      await change(page);
      await typeBlind(page);
    });
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  for (const [place, box] of Object.entries(screens)) {
    await step(`200 characters typed blindly at ${place}: none lost, no command fired`, async () => {
      await page.evaluate((to) => void (location.hash = to), place);
      await typeBlind(page, box);
      await page.keyboard.press('Escape');
    });
  }
  await step('an address that leads nowhere says so, and the plural leads to the list', async () => {
    await page.evaluate(() => void (location.hash = '#/nowhere'));
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
    await page.evaluate(() => void (location.hash = '#/tables'));
    await page.getByRole('heading', { name: 'Tables' }).waitFor();
  });
  await step('a setting is found by its words and changed where it is found', async () => {
    await page.evaluate(() => void (location.hash = '#/settings/models'));
    await page.keyboard.type('size text');
    await page.getByRole('combobox', { name: 'Text size' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: 'Models', level: 2 }).waitFor();
  });
  await step('200 characters typed blindly as the library is opened, however late it comes', async () => {
    await page.reload(); // nothing of the library is there yet
    await page.locator('nav').getByRole('link', { name: 'Library', exact: true }).first().waitFor();
    await page.route(/Library.*\.js/, async (route) => {
      await new Promise((done) => setTimeout(done, 300));
      await route.continue();
    });
    await page.locator('nav').getByRole('link', { name: 'Library', exact: true }).first().click();
    await typeBlind(page, '[data-library-search]');
    await page.unroute(/Library.*\.js/);
  });
  await step('a folder is asked while its page is still being read: no letter is lost, and it alone is asked', async () => {
    let read;
    await page.route('**/api/library/about?**', async (route) => {
      await new Promise((resolve) => (read = resolve));
      await route.continue();
    });
    await page.evaluate((folder) => void (location.hash = `#/about?folder=${encodeURIComponent(folder)}`), library);
    await until('the page on its way', () => read);
    await typeBlind(page);
    await box(page).fill('Who keeps the light?');
    read();
    await page.getByRole('heading', { name: /mostly say/ }).waitFor({ timeout: 120_000 });
    await page.unroute('**/api/library/about?**');
    if ((await box(page).inputValue()) !== 'Who keeps the light?') throw new Error(`it reads “${await box(page).inputValue()}”`);
    const sent = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/api/runs'));
    await box(page).press('Enter');
    const { scope } = (await sent).postDataJSON();
    if (scope.folders.join() !== library) throw new Error(`asked of ${JSON.stringify(scope)}`);
    await page.locator('main article.turn[aria-busy=false]').first().waitFor({ timeout: 60_000 });
  });
  await step('Ctrl K takes every key from the first', async () => {
    await page.evaluate(() => void (location.hash = '#/'));
    await box(page).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('librarian');
    if ((await page.getByRole('combobox', { name: 'Search and commands' }).inputValue()) !== 'librarian') throw new Error('the palette lost some');
    await page.keyboard.press('Escape');
  });
  await step('whoever goes elsewhere while a question is sent stays there', async () => {
    let send;
    await page.route('**/api/runs', async (route) => {
      await new Promise((resolve) => (send = resolve));
      await route.continue();
    });
    await changes['a question is asked on home'](page);
    await page.evaluate(() => void (location.hash = '#/library'));
    await page.locator('[data-library-search]').waitFor();
    await until('the question on its way', () => send);
    const told = page.waitForResponse('**/api/runs');
    send();
    await (await told).finished();
    await page.waitForTimeout(300); // it would go at once
    const now = await page.evaluate(() => location.hash);
    await page.unroute('**/api/runs');
    if (now !== '#/library') throw new Error(`the page went to ${now}`);
  });
  await step('a passage that is opened while a question is on its way stays open', async () => {
    await changes['a question is asked on home'](page);
    const answers = page.locator('main article.turn');
    await until('the answer', async () => (await answers.first().getAttribute('aria-busy')) === 'false', 60_000);
    let send;
    await page.route('**/retry', async (route) => {
      await new Promise((resolve) => (send = resolve));
      await route.continue();
    });
    await changes['Ask again is pressed'](page);
    await until('the question on its way', () => send);
    await openFirst(page);
    await page.locator('aside.viewer mark').first().waitFor();
    send();
    await until('the second answer', async () => (await answers.count()) === 2 && (await answers.last().getAttribute('aria-busy')) === 'false', 60_000);
    await page.unroute('**/retry');
    if ((await page.locator('aside.viewer').count()) !== 1) throw new Error('the passage was closed');
    await page.keyboard.press('Escape');
  });
  await step('a passage that comes late leaves the caret where one types', async () => {
    await changes['a question is asked on home'](page);
    await until('the answer', async () => (await page.locator('main article.turn[aria-busy=false]').count()) === 1, 60_000);
    await page.route('**/api/sources/**', async (route) => {
      await new Promise((done) => setTimeout(done, 400));
      await route.continue();
    });
    await openFirst(page);
    await box(page).focus();
    const text = 'not one word of this is lost while the passage comes '.repeat(3);
    await page.keyboard.type(text, { delay: 8 });
    await page.locator('aside.viewer mark').first().waitFor();
    await page.unroute('**/api/sources/**');
    if ((await box(page).inputValue()) !== text) throw new Error(`it reads “${await box(page).inputValue()}”`);
    await box(page).fill('');
    await page.keyboard.press('Escape');
  });
  await step('after Enter the caret stands in the box of the answer', async () => {
    await changes['a question is asked on home'](page);
    await until('the caret in the box', () => page.evaluate(() => location.hash.startsWith('#/thread') && document.activeElement?.matches('textarea[data-composer]')));
  });
  await step('a thread opens at its last turn, and the notes are of the turn in view', async () => {
    await until('the answer', async () => /34 metres/.test(await page.locator('main article').last().innerText()), 60_000);
    await page.keyboard.type('How much of a storm damage does the trust pay first?');
    await page.keyboard.press('Enter');
    await until('the follow-up', async () => /2,500 euro/.test(await page.locator('main article').last().innerText()), 60_000);
    const hash = await page.evaluate(() => location.hash.split('?')[0]);
    await page.goto(`${base}/#/`);
    await page.evaluate((to) => void (location.hash = to), hash);
    const last = page.locator('main article').last();
    await until('the last turn in view', async () => /2,500/.test(await last.innerText()) && (await last.locator('.q').boundingBox())?.y < 300 && (await last.locator('.q').boundingBox())?.y >= 0);
    const notes = async () => page.locator('aside.notes').innerText();
    await until('the notes of the last turn', async () => /2,500|storm/i.test(await notes()));
    await page.locator('main article').first().locator('.q').evaluate((q) => q.scrollIntoView({ block: 'start' }));
    await page.mouse.move(600, 300);
    await until('the notes of the first turn', async () => /34 metres/.test(await notes()));
  });
  await step('an answer has four acts in words, and what is done to its thread under More', async () => {
    const words = await page.locator('main article').first().locator('.end .acts > button').allInnerTexts();
    if (words.filter((word) => word.trim()).join() !== 'Copy,Ask again,Check,How') throw new Error(words.join());
    await page.locator('main article').first().getByRole('button', { name: 'More to do with this answer' }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await page.getByRole('textbox', { name: 'Title of the thread' }).fill('The tower, renamed');
    await page.keyboard.press('Enter');
    await page.locator('nav a[title="The tower, renamed"]').waitFor();
  });
  await step('two pages see each other’s threads', async () => {
    const other = await page.context().newPage();
    await other.goto(`${base}/#/`);
    await other.locator('nav a[title="The tower, renamed"]').waitFor();
    await box(other).fill('Who paints the tower?');
    await box(other).press('Enter');
    await page.locator('nav a[title^="Who paints the tower"]').waitFor({ timeout: 10_000 });
    await other.close();
  });
}

/** The program ends and is started again at the same address; `page` was let in before. */
export async function comesBack(page, program, step) {
  await step('a program that ended is said within 2 seconds, and what is typed stays', async () => {
    await page.goto(`${program.base}/#/`);
    await box(page).fill('half a question');
    await program.stop();
    const began = Date.now();
    await page.getByRole('alert').getByText('Footnote does not answer.').waitFor({ timeout: 10_000 });
    const took = Date.now() - began;
    await page.keyboard.type(' and more');
    return `after ${took} ms`;
  });
  await step('it goes on by itself when the program is back, where it was', async () => {
    await program.start(program.addr);
    await page.getByText('Footnote does not answer.').waitFor({ state: 'detached', timeout: 20_000 });
    if ((await box(page).inputValue()) !== 'half a question and more') throw new Error(await box(page).inputValue());
    await page.locator('nav a[title="The tower, renamed"]').waitFor();
    await box(page).fill('');
  });
}

/** What is taken from an answer: rich text with its sources, and paper. */
export async function taken(page, step) {
  await step('a copied answer is rich text and plain text with its sources', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.locator('nav a[title="The tower, renamed"]').click();
    await page.locator('main article button.fn').first().waitFor();
    await page.locator('main article').first().getByRole('button', { name: 'Copy the answer' }).click();
    await page.getByText('Answer copied with its sources').waitFor();
    const [html, text] = await page.evaluate(async () => {
      const [item] = await navigator.clipboard.read();
      return Promise.all(['text/html', 'text/plain'].map(async (type) => (await item.getType(type)).text()));
    });
    if (!/34 metres/.test(html) || !/<sup[^>]*>\[1\]<\/sup>/.test(html) || !/\[1\] Visitor guide/.test(html)) throw new Error(html);
    if (!/34 metres[\s\S]*\n\[1\] Visitor guide/.test(text)) throw new Error(text);
  });
  await step('on paper stands each answer with what it cites, and nothing that is pressed', async () => {
    const cited = await page.locator('main article:has(button.fn)').count();
    await page.emulateMedia({ media: 'print' });
    await page.evaluate(() => void window.dispatchEvent(new Event('beforeprint')));
    const lists = await page.locator('main article ol.printed').allInnerTexts();
    const seen = await page.evaluate(() => [...document.querySelectorAll('nav, .dock, .end .acts, aside.notes, main .tools, main article')].filter((e) => e.getClientRects().length > 0).map((e) => e.tagName + e.className));
    const whole = await page.evaluate(() => document.querySelector('.scroll').scrollHeight <= document.querySelector('.scroll').clientHeight + 1);
    await page.evaluate(() => void window.dispatchEvent(new Event('afterprint')));
    await page.emulateMedia({ media: null });
    if (!whole || seen.some((name) => !/^ARTICLE/.test(name)) || !seen.length) throw new Error(`${whole} ${seen.join()}`);
    if (!cited || lists.length !== cited || lists.some((list) => !/^\[1\] /.test(list))) throw new Error(`${cited} answers with ${lists.join(' | ')}`);
    if (await page.locator('ol.printed').count()) throw new Error('what is for paper alone is left on the screen');
  });
}
