// Texts made to break out of an answer, drawn prefix by prefix in the real page
// under its real policy: no script runs, nothing is requested, no markup of the
// text reaches the page.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const here = dirname(fileURLToPath(import.meta.url));

/** The attack texts of the checkout, and those of the folder beside it where there is one. */
export function attackTexts() {
  let root = here;
  while (!existsSync(join(root, 'go.mod')) && dirname(root) !== root) root = dirname(root);
  const files = [join(here, '../src/lib/testdata/markdown_attacks.jsonl'), join(root, '../shared/faults/markdown_attacks.jsonl')];
  return files.filter(existsSync).flatMap((file) => readFileSync(file, 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line)))
    .map(({ id, markdown, repeat }) => ({ id, text: markdown ?? repeat.map(([part, times]) => part.repeat(times)).join('') }));
}

/** The renderer of answers as one script. */
async function renderer() {
  const built = await build({
    configFile: false, logLevel: 'silent', root: join(here, '..'),
    build: { write: false, minify: false, lib: { entry: 'src/lib/markdown/stream.ts', formats: ['iife'], name: 'footnoteStream' } },
  });
  return [built].flat()[0].output[0].code;
}

/** Draws every prefix of every text; gives what should not have happened. */
export async function drawAttacks(page) {
  await page.evaluate(`(() => { ${await renderer()}; globalThis.footnoteStream = footnoteStream; })()`);
  const found = [];
  let prefixes = 0;
  let slowest = 0;
  for (const attack of attackTexts()) {
    const drawn = await page.evaluate(({ text }) => {
      const stage = document.createElement('div');
      document.querySelector('main').append(stage);
      const options = { claims: [], known: (n) => n < 9 };
      const stream = new globalThis.footnoteStream.StreamRenderer();
      const step = text.length > 3000 ? Math.ceil(text.length / 40) : 1; // long ones repeat themselves
      const bad = [];
      let longest = 0;
      let count = 0;
      const draw = (html) => {
        stage.innerHTML = html;
        for (const element of stage.querySelectorAll('*')) {
          if (/^(script|iframe|img|svg|math|object|embed|link|style|meta|form|input|video|audio|base)$/i.test(element.tagName)) bad.push(element.tagName);
          for (const { name, value } of element.attributes) {
            if (/^on|^style$|^src/i.test(name) || (name === 'href' && !/^(https?|mailto):/.test(value))) bad.push(`${name}=${value.slice(0, 60)}`);
          }
        }
      };
      for (let end = step; end < text.length + step; end += step) {
        const began = performance.now();
        draw(stream.draw(text.slice(0, end), { ...options, growing: end < text.length }).blocks.map((block) => block.html).join(''));
        longest = Math.max(longest, performance.now() - began);
        count++;
      }
      stage.remove();
      return { bad: [...new Set(bad)], longest, count };
    }, attack);
    prefixes += drawn.count;
    slowest = Math.max(slowest, drawn.longest);
    for (const what of drawn.bad) found.push(`${attack.id}: ${what}`);
  }
  return { found, prefixes, slowest: Math.round(slowest) };
}
