import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fireEvent, render, screen } from '@testing-library/svelte';
import { compile } from 'svelte/compiler';
import { expect, test, vi } from 'vitest';
import FileHits from './FileHits.svelte';

/** The rules of the component, which a test does not load by itself, for every element. */
function rulesOf(): CSSStyleRule[] {
  const file = join(import.meta.dirname, 'FileHits.svelte');
  const { css } = compile(readFileSync(file, 'utf8'), { filename: file });
  const style = Object.assign(document.createElement('style'), { textContent: css!.code.replace(/\.svelte-\w+/g, '') });
  document.head.append(style);
  return [...style.sheet!.cssRules].filter((rule): rule is CSSStyleRule => rule instanceof CSSStyleRule);
}

test('the row that an arrow came to is seen to have the focus', async () => {
  // An engine need not take a focus that the page moved for one to be seen, so no rule may ask for that.
  const rules = rulesOf().filter((rule) => !rule.selectorText.includes(':focus-visible'));
  const ringed = (row: HTMLElement): boolean => rules.some((rule) => row.matches(rule.selectorText) && /outline: 2px/.test(rule.cssText));
  const hits = ['a', 'b'].map((passage) => ({ passage, title: passage, snippet: '', marks: [], path: '' }));
  const { component } = render(FileHits, { hits: hits as never, total: 2, more: false, onopen: vi.fn(), onup: vi.fn() });
  const rows = screen.getAllByRole('button');
  expect(component.enter()).toBe(true);
  expect(rows.map(ringed)).toEqual([true, false]);
  await fireEvent.keyDown(rows[0]!, { key: 'ArrowDown' });
  expect(rows.map(ringed)).toEqual([false, true]);
});
