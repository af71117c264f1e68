import { expect, test } from 'vitest';
import { Fault, type SharingApi } from '../api';
import type { Share } from '../api/types';
import { SharedWithMe, Shares } from './shared.svelte';

const gone = new Fault({ code: 'not-found', message: 'It was taken back.', hint: '' });

function team(): SharingApi {
  let kept: Share[] = [];
  return {
    shares: async () => kept,
    share: async (_, name) => {
      if (name === 'nobody') throw gone;
      const made: Share = { id: `shr_${kept.length + 1}`, kind: name ? 'person' : 'link', to: name, made: '' };
      kept = [...kept, made];
      return name ? made : { ...made, secret: 'abc' };
    },
    unshare: async (_, id) => void (kept = kept.filter((share) => share.id !== id)),
    shared: async () => [{ id: 'shd_1', from: 'ann', title: 'Bridges', updated: '', runs: 1 }],
    sharedThread: async () => {
      throw gone;
    },
    openShared: async (secret) => (secret === 'abc' ? 'shd_1' : Promise.reject(gone)),
    copyShared: async () => 'thr_1',
  };
}

test('a conversation is shared, and taken back', async () => {
  const shares = new Shares(team(), 'thr_1');
  expect([await shares.give('bob'), await shares.give('nobody')]).toEqual([true, false]);
  expect([shares.items.map((share) => share.to), shares.fault?.message]).toEqual([['bob'], 'It was taken back.']);
  await shares.give('');
  expect(shares.secret).toBe('abc');
  await shares.take('shr_1');
  expect([shares.items.map((share) => share.kind), shares.secret]).toEqual([['link'], '']);
});

test('what others share is listed, and what was taken back says so', async () => {
  const mine = new SharedWithMe(team());
  await mine.load();
  await mine.show('shd_1');
  expect([mine.items.length, mine.open, mine.fault?.message]).toEqual([1, null, 'It was taken back.']);
  expect([await mine.follow('abc'), await mine.follow('x'), await mine.copy('shd_1')]).toEqual(['shd_1', '', 'thr_1']);
});
