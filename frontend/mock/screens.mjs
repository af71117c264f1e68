// Looks at every screen of the built window in a real browser, against the mock
// server and under the real content security policy: takes pictures (into the
// system's temporary folder), and fails on console errors, on a page that
// scrolls sideways, and on accessibility violations.
//   npm run build && npm run screens [name…]
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AxeBuilder } from '@axe-core/playwright';
import { chromium } from 'playwright-core';

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
const wanted = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const onlyWide = process.argv.includes('--wide');
const folder = join(tmpdir(), 'footnote-screens');
const faults = [];
mkdirSync(folder, { recursive: true });

function serve(port, state) {
  const child = spawn(process.execPath, [fileURLToPath(new URL('server.mjs', import.meta.url))], {
    env: { ...process.env, PORT: String(port), STATE: state, SPEED: '5' }, stdio: ['ignore', 'pipe', 'inherit'],
  });
  return new Promise((resolve) => child.stdout.once('data', () => resolve({ child, base: `http://127.0.0.1:${port}` })));
}

const box = (page) => page.locator('[data-composer]');
const menuOf = async (page, title) => {
  await page.getByText(title).first().hover();
  await page.getByRole('button', { name: `Actions for “${title}` }).click();
};
/** Through ten thousand files: never more than a few dozen rows, never a long frame. */
async function scrolls(page) {
  const main = page.locator('main');
  for (let n = 0; n < 40; n++) {
    await main.evaluate((element) => element.scrollBy(0, 4000));
    await page.waitForTimeout(30);
  }
  const rows = await page.locator('tr.file').count();
  if (rows === 0 || rows > 80) throw new Error(`${rows} rows are drawn`);
  const list = page.locator('nav .list');
  for (let n = 0; n < 20 && (await list.count()) > 0; n++) {
    await list.evaluate((element) => element.scrollBy(0, 1500));
    await page.waitForTimeout(30);
  }
}
/** name: [address, state, act before the picture, sizes]. */
const screens = {
  home: ['#/', 'used'],
  'home-first': ['#/', 'first'],
  'home-slash': ['#/', 'used', (page) => box(page).pressSequentially('/')],
  'home-hits': ['#/', 'used', (page) => box(page).pressSequentially('seasonal factor')],
  'home-options': ['#/', 'used', (page) => page.getByRole('button', { name: /Where to look/ }).first().click()],
  answer: ['#/thread/thr_000000000003', 'used'],
  'answer-inspect': ['#/thread/thr_000000000003', 'used', async (page) => {
    await page.getByRole('button', { name: 'How this answer came about' }).click();
    await page.getByRole('heading', { name: 'All the workings' }).click();
    await page.getByRole('heading', { name: 'Passages weighed' }).click();
    await page.getByRole('button', { name: 'Compute again' }).click();
    await page.getByRole('button', { name: 'Rank again', exact: true }).click();
    await page.getByText('came, went or moved').scrollIntoViewIfNeeded();
  }],
  research: ['#/thread/thr_000000000002', 'used', (page) => page.locator('.report .katex').first().waitFor()],
  'research-diagram': ['#/thread/thr_000000000002', 'used', async (page) => {
    await page.locator('.diagram img').scrollIntoViewIfNeeded();
    await page.waitForTimeout(300);
  }],
  'research-passage': ['#/thread/thr_000000000002?note=1', 'used', (page) => page.locator('.viewer').first().waitFor()],
  'research-plan': ['#/', 'first', async (page) => {
    await box(page).fill('/due');
    await box(page).press('Enter');
    await box(page).fill('Should we replace the gas boiler with a heat pump?');
    await box(page).press('Enter');
    await page.getByRole('button', { name: 'Hold' }).waitFor();
  }],
  'research-tabs': ['#/thread/thr_000000000002', 'used', (page) => page.getByRole('tab', { name: 'Activity' }).click(), [800, 400]],
  'home-at': ['#/', 'used', (page) => box(page).pressSequentially('What do I owe according to @')],
  'library-collection': ['#/library', 'used', (page) => page.getByRole('button', { name: 'Change Taxes' }).click()],
  'export-menu': ['#/thread/thr_000000000003', 'used', (page) => page.getByRole('button', { name: 'Export' }).click(), [1280]],
  'settings-preset': ['#/settings/ranking', 'used', (page) => page.getByRole('button', { name: 'Change the weights of General' }).click()],
  asked: ['#/', 'first', async (page) => {
    await box(page).fill('Would a heat pump save us money in this house?');
    await box(page).press('Enter');
    await page.getByText('How loud is the unit at night?').waitFor();
  }],
  library: ['#/library', 'used'],
  'library-empty': ['#/library', 'first'],
  'library-file': ['#/library', 'used', (page) => page.getByRole('button', { name: /Warranty/ }).click()],
  'library-search': ['#/library', 'used', (page) => page.locator('[data-library-search]').pressSequentially('total type:pdf')],
  'library-passage': ['#/library', 'used', async (page) => {
    await page.locator('[data-library-search]').pressSequentially('total');
    await page.locator('.hits button').first().click();
  }],
  'library-why': ['#/library', 'used', async (page) => {
    await page.getByRole('button', { name: /Warranty/ }).click();
    await page.getByRole('button', { name: 'Why was this not found?' }).click();
    await page.getByRole('textbox', { name: /should have answered/ }).fill('total');
    await page.getByRole('button', { name: 'Look', exact: true }).click();
    await page.getByText('31: only').waitFor();
  }],
  'library-many': ['#/library', 'many', scrolls, [1280, 400]],
  ...Object.fromEntries(
    ['models', 'web', 'library', 'answers', 'ranking', 'budgets', 'privacy', 'appearance', 'keyboard', 'about'].map((part) => [`settings-${part}`, [`#/settings/${part}`, 'used']]),
  ),
  palette: ['#/', 'used', async (page) => {
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Search threads').fill('heat');
  }],
  'row-menu': ['#/', 'used', (page) => menuOf(page, 'Replace the gas boiler'), [1280]],
  undo: ['#/', 'used', async (page) => {
    await menuOf(page, 'Replace the gas boiler');
    await page.getByRole('menuitem', { name: 'Delete' }).click();
  }, [1280]],
  drawer: ['#/', 'used', (page) => page.getByRole('button', { name: 'Menu' }).click(), [400]],
};

async function look(browser, base, name, address, act, width, colorScheme) {
  const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme, hasTouch: width < 700 });
  const page = await context.newPage();
  const id = `${name}-${width}-${colorScheme}`;
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && faults.push(`${id}: ${message.text()}`));
  page.on('pageerror', (error) => faults.push(`${id}: ${error.message}`));
  await page.goto(`${base}/${address}`);
  await page.waitForTimeout(400);
  await act?.(page);
  await page.waitForTimeout(400);
  await page.screenshot({ path: join(folder, `${id}.png`) });
  if (await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)) faults.push(`${id}: the page scrolls sideways`);
  const { violations } = await new AxeBuilder({ page }).analyze();
  for (const { id: rule, nodes } of violations) faults.push(`${id}: ${rule}: ${nodes[0]?.html.slice(0, 140)}`);
  await context.close();
}

const used = await serve(7597, 'used');
const first = await serve(7598, 'first');
const many = await serve(7599, 'many');
const bases = { used: used.base, first: first.base, many: many.base };
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
let looked = 0;
try {
  for (const [name, [address, state, act, sizes = [1280, 1100, 800, 400]]] of Object.entries(screens)) {
    if (wanted.length > 0 && !wanted.some((prefix) => name.startsWith(prefix))) continue;
    for (const width of onlyWide ? sizes.slice(0, 1) : sizes) {
      for (const scheme of ['light', 'dark']) {
        await look(browser, bases[state], name, address, act, width, scheme);
        looked += 1;
      }
    }
  }
} finally {
  await browser.close();
  used.child.kill();
  first.child.kill();
  many.child.kill();
}
console.log(`${looked} pictures in ${folder}`);
for (const fault of faults) console.error(fault);
process.exitCode = faults.length > 0 ? 1 : 0;
