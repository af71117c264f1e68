import { describe, expect, test } from 'vitest';
import { maskMath, readMath, withholdMath } from './math';
import { drawWhole, StreamRenderer } from './stream';
import { typeset, loadMath } from './typeset';

const options = { claims: [], known: () => true };
const html = (text: string): string => drawWhole(text, options).blocks.map((block) => block.html).join('');

describe('formulas', () => {
  test.each([
    ['$E = mc^2$', 'E = mc^2', false], ['\\(a_1\\) and', 'a_1', false], ['$$x$$', 'x', true], ['\\[\nx^2\n\\]', 'x^2', true], ['$x$', 'x', false],
    ['$f(x)$', 'f(x)', false], ['$\\alpha$.', '\\alpha', false],
  ])('%s is one', (text, tex, display) => expect(readMath(text)).toMatchObject({ tex, display }));

  test.each(['$5 and $10', '$20 and A$30', '$5–$10', '$ x $', '$5/month and 10$/', '$x [1] y$', '$$', '$a', '\\(a', '$1,200 million$ x'])(
    '%s is none', (text) => expect(readMath(text)).toBeNull(),
  );

  test('prices stay prices', () => expect(html('From $5 to $10 a month, US$20 in all. [1]')).not.toContain('data-math'));

  test('their signs are no emphasis', () => {
    expect(html('We have $a*b$ and $c*d$, $\\hat{x}_{1}$ and $y_{2}$.')).not.toMatch(/<em>|<strong>/);
    expect(maskMath('a $x*y$ b')).toBe('a xxxxx b');
  });

  test('markup in them is text', () => {
    expect(html('$x <img src=a onerror=alert(1)> = y$')).not.toMatch(/<img/);
    expect(html('$$\\href{javascript:alert(1)}{x}$$')).toMatch(/^<div class="formula" data-math="block"/);
  });

  test.each(['a $x^', 'a \\(x', 'a\n\n$$\nx^2 +', 'a\n\n\\[x', 'a $', 'a \\'])('half a formula waits: %s', (text) => {
    expect(withholdMath(text).trimEnd()).toBe('a');
  });

  test('what was drawn of a growing text with formulas never changes back', () => {
    const text = 'The energy is $E = mc^2$ [1], so \\(m = E/c^2\\) follows.\n\n$$\n\\int_0^1 x^2\\,dx = \\frac{1}{3}\n$$\n\nIt costs $5 now. [2]';
    const renderer = new StreamRenderer();
    let seen = 0;
    for (let end = 1; end <= text.length; end++) {
      const { blocks } = renderer.draw(text.slice(0, end), { ...options, growing: end < text.length });
      const now = blocks.map((block) => block.html).join('').match(/data-math/g)?.length ?? 0;
      expect(now).toBeGreaterThanOrEqual(seen);
      expect(blocks.map((block) => block.html).join('')).not.toMatch(/\\int|\$\$/.test(text.slice(0, end)) && end < 90 ? /\\int/ : /\$\$/);
      seen = now;
    }
    expect(seen).toBe(3);
  });
});

describe('setting them', () => {
  const stage = (text: string): HTMLElement => {
    const element = document.createElement('div');
    element.innerHTML = html(text);
    document.body.append(element);
    return element;
  };

  test('a formula is set in the same moment once the letters are there', async () => {
    await loadMath();
    const element = stage('So $x^2$ it is.');
    typeset(element);
    expect(element.querySelector('[data-math].set .katex math')).not.toBeNull();
    expect(element.querySelector('[data-math]')?.getAttribute('style')).toBeNull();
  });

  test('one that cannot be set stays as its source and says so', async () => {
    await loadMath();
    const element = stage('So \\(\\notacommand{x}\\) it is.');
    typeset(element);
    const left = element.querySelector<HTMLElement>('.unset');
    expect(left?.textContent).toBe('\\notacommand{x}');
    expect(left?.title).toContain('source');
  });

  test('nothing in one links, loads or runs', async () => {
    await loadMath();
    const element = stage('\\(\\href{javascript:alert(1)}{x}\\) \\(\\includegraphics{http://a.example/b.png}\\) \\(\\htmlClass{a}{x}\\) \\(\\url{http://a.example}\\)');
    typeset(element);
    expect(element.querySelectorAll('a, img, script, iframe').length).toBe(0);
  });
});
