import { fireEvent, render, screen } from '@testing-library/svelte';
import { expect, it, vi } from 'vitest';
import type { Root } from '../../api/types';
import NewNotebook from './NewNotebook.svelte';

it('says what is missing when it cannot be made yet', async () => {
  const onmake = vi.fn(async () => true);
  render(NewNotebook, { ticked: 0, roots: [{ id: 'rot_1', path: '/docs', folder: true } as Root], onmake });
  const make = screen.getByRole<HTMLButtonElement>('button', { name: 'Make notebook' });
  const said = (): string => screen.getByRole('status').textContent ?? '';
  expect(make.disabled).toBe(false); // else Enter in the field would do nothing
  await fireEvent.input(screen.getByRole('textbox'), { target: { value: 'Lamps' } });
  expect(said()).not.toContain('needs');
  await fireEvent.click(make);
  expect(said()).toBe('It needs a source: tick a folder here, or files in the library.');
  await fireEvent.click(screen.getByRole('checkbox', { name: 'docs' }));
  expect(said()).not.toContain('needs');
  await fireEvent.click(make);
  expect(onmake).toHaveBeenCalledExactlyOnceWith('Lamps', ['/docs']);
});
