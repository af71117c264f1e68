import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { drawWhole, StreamRenderer, type Claim, type Drawn } from './stream';

const here = dirname(fileURLToPath(import.meta.url));
const all = () => true;
const options = { claims: [] as Claim[], known: all };

const documents = [
  '# Heading\n\nA **bold** word [1] and *more* text. [2][3]\n\n- one [1]\n- two\n  still two\n\n  a paragraph in two\n- three\n\n1. first\n2. second [2]\n\n> quoted\n> twice [3]\n\nend\n',
  'Intro\n\n```go\nfunc main() {\n\n\tfmt.Println("[1]")\n}\n```\n\nAfter [1].\n\n| a | b |\n|---|:-:|\n| 1 [1] | **2** |\n\nlast `code [2]` word',
  'x\n\n---\n\ny\n\n* a\n\n* b\n\n* c\n\nz\n\n    indented\n\nw\n\nText\n===\nmore\n\n[a]: http://x.example\n\n[a] is text',
  'Ünïcödé 👩‍👩‍👧 [1] text 𝒳 [2].\r\n\r\nSecond\r\npara 日本語。[3]次の文。\n\n1) a\n2) b\n\n- [ ] open\n- [x] done\n\n~~gone~~ <b>kept</b><br>line',
  '**All bold sentence with a mark.**[1] `code`[2] [link](https://a.example/b)[3] https://c.example/d [1]\n\n\n\n\nfar\n\n- a\n\n\n- b\n\nc\n\nd\n\ne\n\nf [9]',
];

function html(drawn: Drawn): string {
  return drawn.blocks.map((block) => block.html).join('\n');
}

/** Badges that do not say their number or have nothing before them on their line. */
function strayBadges(drawn: Drawn): string[] {
  const root = document.createElement('div');
  root.innerHTML = html(drawn);
  const buttons = [...root.querySelectorAll('button.fn')];
  expect(buttons.map((b) => b.textContent)).toEqual(drawn.marks.map((m) => String(m.n)));
  return buttons.filter((b) => !b.closest('.nb') && !b.previousSibling).map((b) => b.outerHTML);
}

function* streamed(text: string, step: number): Generator<{ prefix: string; drawn: Drawn }> {
  const renderer = new StreamRenderer();
  for (let end = step; end < text.length + step; end += step) {
    const prefix = text.slice(0, end);
    yield { prefix, drawn: renderer.draw(prefix, { ...options, growing: end < text.length }) };
  }
}

describe('streaming', { timeout: 60_000 }, () => {
  test.each(documents)('document %#, letter by letter', (text) => {
    const whole = drawWhole(text, options);
    let before: string[] = [];
    let last: Drawn | undefined;
    for (const { drawn } of streamed(text, 1)) {
      const now = drawn.blocks.map((block) => block.html);
      const settled = before.slice(0, Math.max(0, before.length - 4));
      expect(now.slice(0, settled.length), 'settled blocks never change again').toEqual(settled);
      expect(drawn.marks, 'badges are whole and keep their number').toEqual(whole.marks.slice(0, drawn.marks.length));
      if (now.at(-1) !== before.at(-1)) expect(strayBadges(drawn), 'badges never start a line').toEqual([]);
      before = now;
      last = drawn;
    }
    expect(last, 'the end is what a full parse gives').toEqual(whole);
  });

  test.each(documents)('document %#, in steps', (text) => {
    for (const step of [7, 50]) expect([...streamed(text, step)].at(-1)?.drawn).toEqual(drawWhole(text, options));
  });

  test('each delta of a long answer redraws its end alone', () => {
    const text = documents.join('\n\n').repeat(6);
    let before: string[] = [];
    for (const { drawn } of streamed(text, 60)) {
      const now = drawn.blocks.map((block) => block.html);
      const redrawn = now.filter((markup, i) => markup !== before[i]).length;
      expect(redrawn).toBeLessThan(24);
      before = now;
    }
    expect(before.length).toBeGreaterThan(100);
  });

  test('a text that does not continue the one before is drawn anew', () => {
    const renderer = new StreamRenderer();
    renderer.draw(documents[0]!, { ...options, growing: true });
    expect(renderer.draw('other', { ...options, growing: false })).toEqual(drawWhole('other', options));
  });

  test.each([
    ['word [', 'word'], ['word [1', 'word'], ['word <im', 'word'], ['para\n-', 'para'], ['para\n1.', 'para'],
    ['| a | b', ''], ['| a | b |\n|--', ''], ['so **bo', 'so bo'], ['see [text](http', 'see text'],
  ])('half a construct is not shown: %j', (text, shown) => {
    const root = document.createElement('div');
    root.innerHTML = html(new StreamRenderer().draw(text, { ...options, growing: true }));
    expect(root.textContent?.trim()).toBe(shown);
  });

  test('open emphasis is drawn as emphasis at once', () => {
    expect(html(new StreamRenderer().draw('so **bo', { ...options, growing: true }))).toBe('<p>so <strong>bo</strong></p>');
  });
});

describe('badges', () => {
  test('share a no-break span with the word before them', () => {
    const drawn = drawWhole('It opened in 1932 [1][3]. Then', options);
    expect(html(drawn)).toBe(
      '<p>It opened in <span class="nb">1932.'
      + '<button type="button" class="fn" data-marker="1" data-k="0">1</button>'
      + '<button type="button" class="fn" data-marker="3" data-k="1">3</button></span> Then</p>');
    expect(drawn.marks).toEqual([{ k: 0, n: 1, at: 18 }, { k: 1, n: 3, at: 21 }]);
  });

  const read = (text: string) => {
    const root = document.createElement('div');
    root.innerHTML = html(drawWhole(text, options));
    return root.textContent;
  };
  test.each([
    ['One [1]. Two [2], three [3]; four [1]! Five [2]', 'One.1 Two,2 three;3 four!1 Five2'],
    ['“One [1].” Two [1]". Three', '“One.”1 Two".1 Three'],
    ['**All of it** [2]. Then', 'All of it.2 Then'],
    ['`x` [1]. [Home](https://a.example) [2].', 'x.1 Home a.example\u2060.2'],
    ['（一[1]。二[2]，三[3]）', '（一。1二，2三3）'],
    ['(One [1]) and 3 [2].5 and [3].', '(One1) and 32.5 and.3'],
    ['One [1] [2].', 'One.12'],
  ])('stand after the stop: %j', (text, shown) => expect(read(text)).toBe(shown));

  test('wait for the stop while the text grows', () => {
    const drawn = (text: string) => html(new StreamRenderer().draw(text, { ...options, growing: true }));
    for (const text of ['One', 'One [1]', 'One [1][2]', 'One [1] [2] ']) expect(drawn(text)).toBe('<p>One</p>');
    expect(drawn('One. [1]')).toContain('<span class="nb">One.<button');
    expect(drawn('One [1].')).toContain('<span class="nb">One.<button');
    expect(drawn('One [1] is')).toContain('<span class="nb">One<button');
  });

  test('leave the stop in the claim that it ends', () => {
    const claims = [{ id: 'a', start: 0, end: 8 }];
    expect(html(drawWhole('One [1]. Two [2]', { ...options, claims }))).toContain(
      '<span class="claim" data-c="a">One</span><span class="claim" data-c="a">.</span><button type="button" class="fn" data-marker="1" data-k="0">1</button></span> <span class="nb">Two<button');
  });

  test('move into emphasis that they follow', () => {
    expect(html(drawWhole('**All of it.**[2]', options))).toContain('<strong>All of <span class="nb">it.<button');
  });

  test('code, links, years and unknown numbers stay text', () => {
    const drawn = drawWhole('`[1]` [1](https://a.example) [2024] \\[1\\] [7] ![1](x)', { claims: [], known: (n) => n < 5 });
    expect(drawn.marks).toEqual([]);
    expect(html(drawn)).toContain('[7]');
  });
});

describe('claims', () => {
  test('are spans over the text, cut at markup', () => {
    const claims = [{ id: 'a', start: 3, end: 15 }];
    expect(html(drawWhole('No Yes **it is** so [1] no', { ...options, claims }))).toBe(
      '<p>No <span class="claim" data-c="a">Yes </span><strong><span class="claim" data-c="a">it is</span></strong> '
      + '<span class="nb">so<button type="button" class="fn" data-marker="1" data-k="0">1</button></span> no</p>');
  });

  test('are found in lists, quotes and tables', () => {
    const text = '- one\n- two three\n  four [1]\n\n> five\n> six [2]\n\n| a |\n|---|\n| seven [3] |';
    const claim = (id: string, words: string): Claim => ({ id, start: text.indexOf(words), end: text.indexOf(words) + words.length });
    const root = document.createElement('div');
    const claims = [claim('x', 'two three\n  four'), claim('y', 'six'), claim('z', 'seven')];
    root.innerHTML = html(drawWhole(text, { ...options, claims }));
    const said = (id: string) => [...root.querySelectorAll(`[data-c=${id}]`)].map((e) => e.textContent.trim()).join('|');
    expect(said('x')).toBe('two three|four');
    expect(said('y')).toBe('six');
    expect(said('z')).toBe('seven');
  });

  test('that come late change only their own blocks', () => {
    const renderer = new StreamRenderer();
    const text = 'One. [1]\n\nTwo. [2]\n\nThree.\n\nFour.\n\nFive.';
    const before = renderer.draw(text, { ...options, growing: false });
    const after = renderer.draw(text, { ...options, claims: [{ id: 'a', start: 10, end: 14 }], growing: false });
    expect(after.blocks.map((b, i) => b.html === before.blocks[i]?.html)).toEqual([true, false, true, true, true]);
  });
});

describe('links', () => {
  test.each([
    ['[http://bank.example](http://evil.example)', 'evil.example'],
    ['http://bank.example@evil.example/', 'evil.example'],
    ['[x](http://\u0430pple.example/)', 'xn--pple-43d.example'],
  ])('show the host they lead to: %s', (text, host) => {
    const root = document.createElement('div');
    root.innerHTML = html(drawWhole(text, options));
    expect(root.querySelector('.host')?.textContent).toBe(host);
  });

  test('a bare address is shown once', () => {
    expect(html(drawWhole('https://a.example/b', options))).not.toContain('class="host"');
  });

  test('pictures become links or their words', () => {
    expect(html(drawWhole('![A cat](https://a.example/c.png) ![B](data:x)', options))).toMatch(/<a href.*A cat.*<\/a> B/);
  });
});

interface Attack { id: string; class: string; markdown?: string; repeat?: [string, number][] }

function attacks(path: string): Attack[] {
  if (!existsSync(path)) return [];
  return readFileSync(path, 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line) as Attack);
}

function shared(): string {
  let dir = here;
  while (!existsSync(join(dir, 'go.mod')) && dirname(dir) !== dir) dir = dirname(dir);
  return resolve(dir, '../shared/faults/markdown_attacks.jsonl');
}

const own = attacks(join(here, '../testdata/markdown_attacks.jsonl'));
const given = attacks(shared());

const allowed = /^(P|BR|HR|H[3-6]|UL|OL|LI|BLOCKQUOTE|STRONG|EM|DEL|CODE|PRE|A|TABLE|THEAD|TBODY|TR|TH|TD|DIV|SPAN|BUTTON)$/;
const attributes = /^(href|class|type|start|rel|role|tabindex|aria-label|draggable|data-marker|data-k|data-c|data-lang|data-math)$/;

const inert = document.implementation.createHTMLDocument('').body;
const judged = new Map<string, string[]>();

/** What in a drawn text could run, load or navigate. */
function judge(drawn: Drawn): string[] {
  return drawn.blocks.flatMap(({ html: markup }) => {
    const known = judged.get(markup) ?? findings(markup);
    judged.set(markup, known);
    return known;
  });
}

function findings(markup: string): string[] {
  inert.innerHTML = markup;
  return [...inert.querySelectorAll('*')].flatMap((element) => [
    ...(allowed.test(element.tagName) ? [] : [element.tagName]),
    ...[...element.attributes].filter((a) => !attributes.test(a.name)).map((a) => `${element.tagName} ${a.name}`),
    ...[...element.attributes].filter((a) => a.name === 'href' && !/^(https?:\/\/|mailto:)/.test(a.value)).map((a) => a.value),
  ]);
}

describe.each([['own', own], ['given', given]] as const)('attack texts (%s)', (name, list) => {
  test.skipIf(list.length === 0)('every prefix is harmless', { timeout: 300_000 }, () => {
    const bad: string[] = [];
    for (const attack of list.filter((a) => a.markdown !== undefined)) {
      for (const { prefix, drawn } of streamed(attack.markdown!, 1)) {
        for (const finding of judge(drawn)) bad.push(`${attack.id}: ${finding} in ${prefix}`);
      }
    }
    expect(bad).toEqual([]);
  });

  test.skipIf(list.length === 0)('none takes half a second to draw', { timeout: 120_000 }, () => {
    for (const attack of list) {
      const text = attack.markdown ?? attack.repeat!.map(([part, times]) => part.repeat(times)).join('');
      for (const share of [0.01, 0.05, 0.1, 0.25, 0.5, 1]) {
        const prefix = text.slice(0, Math.ceil(text.length * share));
        const started = process.cpuUsage();
        const drawn = new StreamRenderer().draw(prefix, { ...options, growing: share < 1 });
        const spent = process.cpuUsage(started);
        const took = (spent.user + spent.system) / 1000;
        expect(took, `${attack.id} at ${share}`).toBeLessThan(500);
        expect(judge(drawn), attack.id).toEqual([]);
      }
    }
  });

  test('there are enough of them', () => {
    if (name === 'own') expect(list.length).toBeGreaterThanOrEqual(25);
  });
});
