import { render, screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import DiffView from './DiffView.svelte';

const none = { run: 'run_1', claims: [], links: [], passages: [], sources: [] };

it('says that nothing has changed, when nothing has', () => {
  render(DiffView, { diff: none });
  expect(screen.getByText(/Nothing has changed/)).toBeTruthy();
});

it('shows each claim before and now, what was edited, and what is gone', () => {
  render(DiffView, {
    diff: {
      ...none,
      claims: [{ change: 'changed', before: 'It costs 10 euro.', after: 'It costs 12 euro.' }],
      links: [{ source_id: 'src_1', title: 'Price list', address: 'https://a.example', code: 'http-404', reason: 'There is no such page any more.' }],
      passages: [{ source_id: 'src_2', passage_id: 'psg_2', title: 'Contract.pdf', address: '/a/Contract.pdf', before: 'ten euro', after: '' }],
    },
  });
  expect(screen.getByText('1 claim, 1 source that is gone, 1 edited passage.')).toBeTruthy();
  expect(screen.getByText('It costs 10 euro.').tagName).toBe('DEL');
  expect(screen.getByText('It costs 12 euro.').tagName).toBe('INS');
  expect(screen.getByText('Nothing like it stands there any more.')).toBeTruthy();
});
