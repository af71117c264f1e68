import { render } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import Thumb from './Thumb.svelte';

it('marks a place on a page only where something of it is cited', () => {
  const bars = (cited: boolean): number => render(Thumb, { preview: '', page: true, cited }).container.querySelectorAll('rect').length;
  expect([bars(true), bars(false)]).toEqual([1, 0]);
});
