import { render } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { claimsOf, notesOf } from '../../lib/footnotes';
import { fold } from '../../lib/fold';
import { drawWhole } from '../../lib/markdown/stream';
import { logs } from '../../lib/testdata/logs';
import { emptyView } from '../../lib/view';
import Printed from './Printed.svelte';

it('is there while the page is printed, with every source and what is cited of it', () => {
  const view = logs.answered.reduce(fold, emptyView(''));
  const notes = notesOf(view, drawWhole(view.text, { claims: claimsOf(view), known: () => true }).marks);
  const { container } = render(Printed, { view, notes });
  const lines = (): string[] => [...container.querySelectorAll('li')].map((line) => line.textContent?.trim() ?? '');
  expect(lines()).toEqual([]);
  window.dispatchEvent(new Event('beforeprint'));
  const numbers = [...new Set(notes.map((note) => note.shown))].sort((a, b) => a - b);
  expect(lines().map((line) => Number(/^\[(\d+)\]/.exec(line)?.[1]))).toEqual(numbers);
  expect(lines().join('\n')).toContain('What adjusters look for after a leak https://claimsdesk.example/leaks');
  expect(container.querySelectorAll('q').length).toBeGreaterThanOrEqual(numbers.length - 1);
  window.dispatchEvent(new Event('afterprint'));
  expect(lines()).toEqual([]);
});
