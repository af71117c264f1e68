// What some readers need: no pointer at all, nothing that moves, colours of their own.
import { until } from './program.mjs';
import { walk } from './walk.mjs';

/** Everything on the page that would move: running animations, what an element or a rule still animates. */
const moving = () => {
  const long = (list) => list.split(',').some((time) => parseFloat(time) > 0);
  const found = document.getAnimations().map((one) => `runs: ${one.animationName ?? one.transitionProperty}`);
  for (const element of document.querySelectorAll('*')) {
    for (const part of ['', '::before', '::after']) {
      const style = getComputedStyle(element, part || null);
      const moves = (style.transitionProperty !== 'none' && long(style.transitionDuration)) || (style.animationName !== 'none' && long(style.animationDuration));
      if (moves || style.scrollBehavior === 'smooth') found.push(`${element.tagName}.${element.className}${part}`);
    }
  }
  const rules = (list) => [...list].flatMap((rule) => (rule.media && !matchMedia(rule.media.mediaText).matches ? [] : rule.cssRules?.length ? rules(rule.cssRules) : [rule]));
  for (const rule of [...document.styleSheets].flatMap((sheet) => rules(sheet.cssRules))) {
    for (const moved of ['transition', 'animation']) {
      const said = rule.style?.getPropertyValue(moved) ?? '';
      if (/(^|[\s,])(0*[1-9][\d.]*|0?\.\d*[1-9]\d*)m?s\b/.test(said)) found.push(`${rule.selectorText} { ${moved}: ${said} }`);
    }
  }
  return found;
};

/** The places a probe looks at, with what can be open on them. */
const places = {
  home: ['', (page) => page.keyboard.type('/')],
  palette: ['', (page) => page.keyboard.press('Control+k')],
  answer: ['answer', async (page) => {
    await page.locator('main article button.fn').first().focus();
    await page.locator('.peek').waitFor();
  }],
  passage: ['answer', async (page) => {
    await page.locator('main article button.fn').first().focus();
    await page.keyboard.press('Enter');
    await page.locator('aside mark').first().waitFor();
  }],
  library: ['library', (page) => page.getByRole('button', { name: /What was read of/ }).first().press('Enter')],
  settings: ['settings/answers', async () => {}],
  ranking: ['settings/ranking', async () => {}],
};

async function visit(page, base, [place, open]) {
  if (place === 'answer') {
    await page.goto(`${base}/#/`);
    await page.locator('nav a[title^="How high is the tower"]').first().press('Enter');
    await page.locator('main article button.fn').first().waitFor();
    await page.evaluate(() => document.activeElement?.blur());
  } else await page.goto(`${base}/#/${place}`);
  await page.locator('h1').first().waitFor();
  await open(page);
}

/** The field that has the focus, once it has it. */
const focused = (page, selector) => until(`the focus on ${selector}`, () => page.evaluate((s) => document.activeElement?.matches(s) ?? false, selector));

/** A question, its proof, a follow-up, the palette, a search and the settings, by keys alone. */
async function byKeys(page, base) {
  const { keyboard } = page;
  await page.goto(`${base}/#/`);
  await focused(page, 'textarea[data-composer]');
  await keyboard.type('How high is the tower of Skerry Point?');
  await keyboard.press('Enter');
  await until('the answer', async () => /34 metres/.test(await page.locator('main article').last().innerText().catch(() => '')), 60_000);
  await until('that it was told', async () => /Answer ready, \d+ footnotes?/.test((await page.locator('[aria-live=polite]').allTextContents()).join(' ')), 60_000);
  await focused(page, 'textarea[data-composer]');
  await keyboard.press('Escape');
  await focused(page, '.q');
  for (let n = 0; n < 40 && !(await page.evaluate(() => document.activeElement?.matches('button.fn'))); n++) await keyboard.press('Tab');
  await keyboard.press('1');
  await keyboard.press('Enter');
  await until('the quote', async () => /34 metres/.test((await page.locator('aside mark').allInnerTexts()).join(' ')), 60_000);
  await until('the focus in the passage', () => page.evaluate(() => document.activeElement?.closest('aside') !== null));
  await keyboard.press('Escape');
  await page.locator('aside.viewer').waitFor({ state: 'detached' });
  await focused(page, 'textarea[data-composer]');
  await keyboard.press('Escape');
  await page.evaluate(() => document.activeElement?.blur());
  await keyboard.type('Who may open the lens gate?');
  await focused(page, 'textarea[data-composer]');
  await keyboard.press('Enter');
  await until('the follow-up', async () => /Bram Tarrant/.test(await page.locator('main article').last().innerText()), 60_000);
  await keyboard.press('Control+k');
  await focused(page, '[role=combobox]');
  await keyboard.type('Library');
  await until('the library in the list', async () => /Library/.test((await page.locator('[role=option]').allInnerTexts()).join(' ')));
  while (!/^Library/.test(await page.locator('[role=option][aria-selected=true]').innerText())) await keyboard.press('ArrowDown');
  await keyboard.press('Enter');
  await page.locator('[data-library-search]').waitFor();
  await page.evaluate(() => document.activeElement?.blur());
  await keyboard.type('lens gate');
  await focused(page, '[data-library-search]');
  await page.locator('.hits button').first().waitFor();
  for (let n = 0; n < 40 && !(await page.evaluate(() => document.activeElement?.closest('.hits') !== null)); n++) await keyboard.press('Tab');
  await keyboard.press('Enter');
  await page.locator('aside mark').first().waitFor({ timeout: 60_000 });
  await keyboard.press('Escape');
  await page.locator('aside.viewer').waitFor({ state: 'detached' });
  await focused(page, '[data-library-search]');
  await keyboard.press('Escape');
  await keyboard.press('Control+,');
  await page.getByRole('heading', { name: 'Models', level: 2 }).waitFor();
  await keyboard.press('Control+/');
  await page.getByRole('heading', { name: 'Keyboard', level: 2 }).waitFor();
}

export async function senses(page, base, step) {
  await step('a question, its proof, a follow-up, a search and the settings by keys alone', () => byKeys(page, base));
  await step('nothing moves where motion is reduced', async () => {
    await page.goto(`${base}/#/settings/answers`);
    await page.getByRole('switch').first().waitFor();
    if ((await page.evaluate(moving)).length === 0) throw new Error('the probe sees no motion where there is some');
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const found = [];
    for (const [name, place] of Object.entries(places)) {
      await visit(page, base, place);
      found.push(...(await page.evaluate(moving)).map((what) => `${name}: ${what}`));
    }
    await page.emulateMedia({ reducedMotion: null });
    if (found.length > 0) throw new Error([...new Set(found)].slice(0, 8).join(' | '));
  });
  await step('in colours of the reader’s own, focus, switches, bars and badges are seen', async () => {
    await page.emulateMedia({ forcedColors: 'active' });
    const wrong = [];
    for (const name of ['home', 'answer', 'settings']) {
      await visit(page, base, [places[name][0], async () => {}]);
      const { reached, wrong: unseen } = await walk(page, 260);
      if (reached < 5) unseen.push(`${reached} controls`);
      wrong.push(...unseen.filter((what) => what.startsWith('no focus')).map((what) => `${name}: ${what}`));
    }
    wrong.push(...(await page.evaluate(() => [...document.querySelectorAll('[role=switch]')].flatMap((one) => {
      const [track, thumb] = [getComputedStyle(one), getComputedStyle(one, '::after')];
      return track.backgroundColor === thumb.backgroundColor || parseFloat(track.borderTopWidth) < 1 ? [`a switch: ${track.backgroundColor} on ${thumb.backgroundColor}`] : [];
    }))));
    await visit(page, base, ['library', async () => {}]);
    await page.locator('tr.file .cov').first().waitFor(); // what is still to come is empty by intent
    wrong.push(...(await page.evaluate(() => [...document.querySelectorAll('tr.file .cov i:not(.rest)')].filter((i) => ['rgba(0, 0, 0, 0)', getComputedStyle(document.body).backgroundColor].includes(getComputedStyle(i).backgroundColor)).map((i) => `a bar of what was read: ${i.className}`))));
    await visit(page, base, ['answer', async () => {}]);
    const edge = await page.locator('main article button.fn').first().evaluate((badge) => parseFloat(getComputedStyle(badge).borderTopWidth));
    if (edge < 1) wrong.push('a badge has no edge');
    await page.emulateMedia({ forcedColors: null });
    if (wrong.length > 0) throw new Error([...new Set(wrong)].slice(0, 8).join(' | '));
  });
}
