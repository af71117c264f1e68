// What is done with many files at once, what the viewer shows of code and printed pages, and what the settings say of the program.
import { readFile } from 'node:fs/promises';
import { onPhone, until } from './program.mjs';

/** A PDF of some pages, each with a line of its own above what all have, numbered i, ii … and then from 127 on. */
function printed(lines) {
  const objects = ['<</Type/Catalog/Pages 2 0 R/PageLabels<</Nums[0<</S/r>>2<</S/D/St 127>>]>>>>',
    `<</Type/Pages/Count ${lines.length}/Kids[${lines.map((_, i) => `${4 + 2 * i} 0 R`).join(' ')}]/Resources<</Font<</F1 3 0 R>>>>>>`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>'];
  for (const line of lines) {
    const rest = Array.from({ length: 20 }, (_, i) => `(Remark ${i + 1} of the surveyor tells of weather, tide and sounding in plain words.) Tj T*`);
    const drawn = `BT /F1 12 Tf 14 TL 72 700 Td (${line}) Tj T* ${rest.join(' ')} ET`;
    objects.push(`<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents ${objects.length + 2} 0 R>>`, `<</Length ${drawn.length}>>\nstream\n${drawn}\nendstream`);
  }
  let text = '%PDF-1.4\n';
  const at = objects.map((object, i) => {
    const here = text.length;
    text += `${i + 1} 0 obj\n${object}\nendobj\n`;
    return here;
  });
  const table = text.length;
  text += `xref\n0 ${at.length + 1}\n0000000000 65535 f \n${at.map((n) => `${String(n).padStart(10, '0')} 00000 n \n`).join('')}`;
  return `${text}trailer\n<</Size ${at.length + 1}/Root 1 0 R>>\nstartxref\n${table}\n%%EOF\n`;
}

const program = 'package beacon\n\n// Flashes says how often the beacon flashes in a minute.\nfunc Flashes(night bool) int {\n\tif night {\n\t\treturn 12 // the harbour wants it so\n\t}\n\treturn 0\n}\n';
const pages = ['The preface of the pilot book thanks the harbour.', 'MWM WWM MMW Tollkeeper illi lili till it fill.', 'The buoy of Carrick shoal shows a green light every nine seconds.', 'Small boats keep to the east of it.'];

/** How long a text is in Helvetica, of its size. */
const helvetica = (text) => [...text].reduce((sum, letter) => sum + ({ ' ': 278, '.': 278, T: 611, B: 667, C: 722, S: 667, I: 278, c: 500, f: 278, i: 222, j: 222, k: 500, l: 222, m: 833, r: 333, s: 500, t: 278, v: 500, w: 722, W: 944, M: 833, x: 500, y: 500, z: 500 }[letter] ?? 556), 0) / 1000;

/** Walks them; `look` examines a screen for accessibility. */
export async function shelf(page, base, step, look) {
  const place = () => page.locator('.viewer .place').innerText();
  const find = async (words) => {
    await page.goto(`${base}/#/library`);
    await page.locator('[data-library-search]').fill(words);
    await page.locator('.hits button').first().click();
  };
  await step('a folder can be chosen while something is searched', async () => {
    await page.goto(`${base}/#/library`);
    await page.locator('[data-library-search]').fill('tower');
    await page.locator('.hits button').first().waitFor();
    await page.getByRole('button', { name: 'Add folder' }).click();
    await page.getByRole('region', { name: /Choose a folder/ }).getByRole('button').first().waitFor();
    await look('a folder chosen beside a search');
    await page.keyboard.press('Escape');
    await page.locator('[data-library-search]').fill('');
  });
  await step('files are handed over in the browser', async () => {
    await page.goto(`${base}/#/library`);
    await page.locator('main input[type=file]').setInputFiles([
      { name: 'Pilot book.pdf', mimeType: 'application/pdf', buffer: Buffer.from(printed(pages), 'latin1') },
      { name: 'beacon.go', mimeType: 'text/x-go', buffer: Buffer.from(program) },
    ]);
    await page.getByText('2 files added.').waitFor();
    await until('both ready', async () => /Ready/.test(await page.locator('tr.file', { hasText: 'Pilot book' }).innerText()) && /Ready/.test(await page.locator('tr.file', { hasText: 'beacon.go' }).innerText()), 60_000);
  });
  await step('a footnote and its page go by the number that is printed on it', async () => {
    await page.goto(`${base}/#/`);
    await page.locator('textarea[data-composer]').last().fill('What light does the buoy of Carrick shoal show?');
    await page.keyboard.press('Enter');
    await page.locator('main article.turn[aria-busy=false] button.fn').first().waitFor();
    await page.locator('main article button.fn').first().press('Enter');
    await until('the words on the page', async () => /Carrick/.test((await page.locator('.sheet.shown mark').allTextContents()).join(' ')), 60_000);
    if ((await place()) !== 'p. 127') throw new Error(`it is called ${await place()}`);
    await page.getByText('127 · 3 / 4').waitFor();
    await look('a printed page');
    await onPhone(page, 'main', async () => {
      const cut = await page.locator('.viewer .name').evaluate((name) => name.scrollWidth - name.clientWidth);
      if (cut > 0) throw new Error(`on a phone its title is cut by ${cut} pixels`);
      await look('a page on a phone');
    });
    const coming = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save a copy with the highlights' }).click();
    const copy = await coming;
    if (copy.suggestedFilename() !== 'Pilot book, highlighted.pdf') throw new Error(copy.suggestedFilename());
    const bytes = await readFile(await copy.path(), 'latin1');
    if (!bytes.startsWith(printed(pages).trimEnd())) throw new Error('the copy does not begin with the original');
    const added = bytes.slice(printed(pages).length);
    if (!/\/Subtype \/Highlight/.test(added) || !/\/QuadPoints/.test(added) || !/\/Contents \([^)]*Carrick/.test(added)) throw new Error(`what was added is ${added.slice(0, 600)}`);
    await page.keyboard.press('Escape');
    if (!/p\. 127/.test(await page.locator('.card').first().innerText())) throw new Error('its card does not say so');
  });
  await step('a word is lit where it stands on the page', async () => {
    await find('Tollkeeper type:pdf');
    await until('the word on the page', async () => (await page.locator('.sheet.shown mark').count()) > 0, 60_000);
    const [left, right] = await page.locator('.sheet.shown mark').first().evaluate((mark) => [parseFloat(mark.style.left), parseFloat(mark.style.left) + parseFloat(mark.style.width)].map((share) => (share * 612) / 100));
    const begins = 72 + 12 * helvetica('MWM WWM MMW ');
    const ends = begins + 12 * helvetica('Tollkeeper');
    if (Math.abs(left - begins) > 1 || Math.abs(right - ends) > 1) throw new Error(`it is lit from ${left} to ${right}, and stands from ${begins} to ${ends}`);
    await page.keyboard.press('Escape');
  });
  await step('the place of a hit gives way to its file and folder', async () => {
    await find('tower');
    const cut = await page.locator('.hits .folder').evaluateAll((folders) => folders.filter((folder) => {
      folder.parentElement.querySelector('.place').textContent = 'A very long heading under which it stands · '.repeat(9);
      return folder.textContent.length > 0 && folder.scrollWidth > folder.clientWidth;
    }).map((folder) => folder.textContent));
    if (cut.length > 0) throw new Error(`cut off: ${cut.join(', ')}`);
    await page.keyboard.press('Escape');
  });
  await step('code has its lines and colours, and what is lit stays lit', async () => {
    await find('beacon flashes in a minute');
    await until('colours', async () => (await page.locator('.sheet .code-keyword').count()) > 0);
    const fourth = await page.locator('.sheet .line').nth(3).evaluate((line) => `${line.dataset.n} ${line.textContent}`);
    if (!/^4 func Flashes/.test(fourth)) throw new Error(`line 4 is “${fourth}”`);
    if (!(await page.locator('.sheet mark').count())) throw new Error('nothing is lit');
    const copied = await page.evaluate(() => {
      getSelection().selectAllChildren(document.querySelector('.sheet .lines'));
      const said = getSelection().toString();
      getSelection().removeAllRanges();
      return said;
    });
    if (copied.trim() !== program.replaceAll('\t', '    ').trim()) throw new Error(`what is copied is not the file’s: ${copied}`);
    await look('code');
    await page.keyboard.press('Escape');
    await page.locator('[data-library-search]').fill('');
  });
  await step('picked files are read again and forgotten together, and come back', async () => {
    await page.goto(`${base}/#/library`);
    for (const name of ['Pilot book.pdf', 'beacon.go']) await page.getByRole('checkbox', { name: `Pick ${name}` }).check();
    const bar = page.getByRole('region', { name: 'Picked files' });
    await bar.getByRole('button', { name: 'Read again' }).click();
    await page.getByText('2 files are read again.').waitFor();
    await onPhone(page, 'main', async () => {
      const tall = await bar.evaluate((e) => e.offsetHeight);
      if (tall > 120) throw new Error(`on a phone what to do with them takes ${tall} pixels of its height`);
      await look('files picked on a phone');
    });
    await bar.getByRole('button', { name: 'Forget' }).click();
    await page.getByText('2 files are no longer in the library.').waitFor();
    if (await page.locator('tr.file', { hasText: 'Pilot book' }).count()) throw new Error('it is still listed');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.locator('tr.file', { hasText: 'Pilot book' }).waitFor();
  });
  await step('a browser is told where the address of a server is set', async () => {
    await page.goto(`${base}/#/settings/models`);
    await page.getByText('providers.custom.office.url').waitFor();
    if (await page.getByRole('button', { name: 'Add and test' }).count()) throw new Error('an address is offered that would be refused');
    await look('a server of one’s own');
  });
  await step('text is as large as one wants it, from the first paint on', async () => {
    await page.goto(`${base}/#/settings/appearance`);
    const size = () => page.locator('h2').first().evaluate((heading) => parseFloat(getComputedStyle(heading).fontSize));
    const before = await size();
    const choose = (value) => page.getByLabel('Text size').selectOption(value);
    await choose('largest');
    await until('larger text', async () => Math.abs((await size()) / before - 1.5) < 0.01);
    await page.reload();
    await until('it still', async () => Math.abs((await size()) / before - 1.5) < 0.01);
    await look('the largest text');
    await page.goto(`${base}/#/`);
    if (await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)) throw new Error('the page is wider than the window');
    await page.goto(`${base}/#/settings/appearance`);
    await choose('normal');
    await until('text as before', async () => (await size()) === before);
  });
  await step('the data folder and the licences are shown', async () => {
    await page.goto(`${base}/#/settings/about`);
    await page.getByText(/footnote-e2e-/).waitFor();
    await page.getByText(/licence, and what it owes to others/).click();
    await page.getByText(/MIT License/).first().waitFor();
    await page.getByText(/The PDFium Authors/).waitFor();
    await look('about');
  });
}
