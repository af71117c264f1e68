import { describe, expect, test } from 'vitest';
import { highlight, languageOf, tokensOf } from './highlight';
import { drawWhole } from './stream';

function block(source: string): HTMLElement {
  const root = document.createElement('div');
  root.innerHTML = drawWhole(source, { claims: [], known: () => false }).blocks.map((b) => b.html).join('');
  return root.querySelector('pre')!;
}

describe('highlighting', () => {
  test('colours a known language with classes alone and keeps the text', async () => {
    const pre = block('```go\nfunc main() { // says <b>hi</b>\n\tprintln("hi")\n}\n```');
    const before = pre.textContent;
    expect(await highlight(pre)).toBe(true);
    expect(pre.textContent).toBe(before);
    expect(pre.querySelector('.code-keyword')?.textContent).toContain('func');
    expect(pre.querySelectorAll('[style], b')).toHaveLength(0);
  });

  test('leaves unknown languages plain', async () => {
    expect(await highlight(block('```brainwave\n+++\n```'))).toBe(false);
    expect(await highlight(block('```constructor\n+++\n```'))).toBe(false);
  });

  test('gives the tokens of each line, whose text is the code', async () => {
    const code = 'def a():\n    return "b"  # c';
    const tokens = await tokensOf(code, 'py');
    expect(tokens?.map((line) => line.map((token) => token.text).join('')).join('\n')).toBe(code);
    expect(tokens?.[1]?.map((token) => token.role)).toEqual(expect.arrayContaining(['keyword', 'comment']));
    expect(await tokensOf(code, '')).toBeNull();
    expect(['Golang', 'constructor', 'tsx'].map(languageOf)).toEqual(['go', '', 'typescript']);
  });
});
