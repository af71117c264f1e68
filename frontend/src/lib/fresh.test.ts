// @vitest-environment node
import { describe, expect, it } from 'vitest';
import type { Standing } from '../api/types';
import { ago, rhythmOf, standingOf, standingWords, wishOf } from './fresh';

const now = Date.parse('2026-11-21T12:00:00.000Z');
const daily: Standing = { run: 'run_1', thread: 'thr_1', every_ms: 86_400_000, on_change: false, failures: 0, paused: false, unseen: false, checking: false };

describe('an answer that is kept fresh', () => {
  it('has the choice of the menu that made it, or none of them', () => {
    for (const rhythm of ['change', 'day', 'week'] as const) expect(rhythmOf(wishOf(rhythm))).toBe(rhythm);
    expect(rhythmOf(undefined)).toBe('off');
    expect(rhythmOf({ every_ms: 43_200_000, on_change: true })).toBe('');
  });

  it('says when it is checked and how that went', () => {
    const said = (change: Partial<Standing>): string => standingWords({ ...daily, ...change }, now).said;
    expect(said({})).toBe('Checked every day.');
    expect(said({ every_ms: 43_200_000, on_change: true })).toBe('Checked every 12 hours and when a cited file changes.');
    expect(said({ checked: '2026-11-21T10:00:00.000Z' })).toBe('Checked every day. Last 2 hours ago, nothing changed.');
    expect(said({ checked: '2026-11-21T10:00:00.000Z', changed: '2026-11-20T10:00:00.000Z' })).toContain('nothing changed');
    expect(said({ checked: '2026-11-21T10:00:00.000Z', changed: '2026-11-21T10:00:00.000Z' })).toBe('Checked every day. Last 2 hours ago, changed.');
    expect(said({ checking: true })).toBe('Checked every day. Checking now…');
    const failure = { code: 'search-failed', message: 'You are offline.', hint: '' };
    expect(said({ failure })).toBe('It could not be checked. You are offline. It is tried again later.');
    expect(standingWords({ ...daily, failure, paused: true }, now)).toEqual({ said: 'It could not be checked several times, and is not any more. You are offline.', bad: true });
  });

  it('tells times as people do', () => {
    expect(['2026-11-21T12:00:30.000Z', '2026-11-21T11:59:30.000Z', '2026-11-21T11:59:00.000Z', '2026-11-20T11:00:00.000Z', '2026-11-19T11:00:00.000Z'].map((at) => ago(at, now)))
      .toEqual(['just now', 'just now', '1 minute ago', '25 hours ago', '2 days ago']);
  });

  it('is found from the answers that refreshed it', () => {
    const before: Record<string, string> = { run_3: 'run_2', run_2: 'run_1', run_8: 'run_9', run_9: 'run_8' };
    const of = (run: string) => standingOf([daily], run, (id) => before[id]);
    expect([of('run_1'), of('run_3'), of('run_4'), of('run_8')]).toEqual([daily, daily, undefined, undefined]);
  });
});
