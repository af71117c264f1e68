// @vitest-environment node
import { describe, expect, test } from 'vitest';
import type { Trace } from '../../api/types';
import { fold } from '../../lib/fold';
import { logs } from '../../lib/testdata/logs';
import { emptyView } from '../../lib/view';
import { storyOf } from './story';

const view = logs.answered.reduce(fold, emptyView('r'));
const lines = (title: string, trace: Trace | null = null, of = view): string => storyOf(of, trace, 'this computer').find((part) => part.title === title)?.lines.join(' ') ?? '';

describe('the story of an answer', () => {
  test('is told in the order in which it happened', () => {
    expect(storyOf(view, null, 'this computer').map((part) => part.title)).toEqual(['Asked', 'Found', 'Left out', 'Sent']);
    expect(lines('Asked')).toContain('Your files');
    expect(lines('Found')).toMatch(/The answer rests on .+\./);
  });

  test('says what was left out and why', () => {
    const failed = { engine: 'mojeek', query: 'q', state: 'failed' as const, count: 0, ms: null, error: { code: 'search-blocked', message: 'Mojeek asked for a pause.', hint: '' } };
    const lead = { source: 's', title: 'A page', address: 'https://a.example/x', domain: 'a.example', engine: 'mojeek', state: 'unread' as const, code: 'blocked', reason: 'It asks for a login.' };
    const of = { ...emptyView('r'), searches: [failed], leads: [lead as unknown as (typeof view.leads)[number]] };
    expect(lines('Left out', null, of)).toBe('Mojeek: Mojeek asked for a pause. a.example: It asks for a login.');
    const trace = { ranking: { candidates: [{ chosen: true, alike: [] }, { chosen: false, alike: [0] }, { chosen: false, alike: [] }] } } as unknown as Trace;
    expect(lines('Left out', trace, emptyView('r'))).toBe('1 passage that says the same as another. 1 passage that fits the question less.');
    expect(lines('Left out', null, emptyView('r'))).toBe('Nothing.');
  });

  test('claims nothing of a run that searched nothing', () => {
    expect(lines('Asked', null, emptyView('r'))).toBe('Nothing was searched for.');
    expect(lines('Found', null, emptyView('r'))).toBe('Nothing.');
    expect(lines('Sent', null, emptyView('r'))).toBe('');
  });
});
