// @vitest-environment node
import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../api/events';
import { fold } from './fold';
import { comingOf, contentsOf, phaseOf, progressOf } from './research';
import { logs } from './testdata/logs';
import { emptyView, type RunView } from './view';

const log = logs.research;
const upTo = (kind: string, nth = 1): RunView => {
  let seen = 0;
  const end = log.findIndex((event) => event.kind === kind && ++seen === nth);
  return log.slice(0, end + 1).reduce(fold, emptyView('r'));
};
const whole = log.reduce(fold, emptyView('r'));

describe('research folded from its events', () => {
  it('is none in other modes', () => expect(logs.answered.reduce(fold, emptyView('r')).research).toBeNull());

  it('a plan waits for the reader as long as it says, and no longer once the review ends', () => {
    const scoped = upTo('scoped');
    expect(scoped.research?.dimensions.map((d) => d.state)).toEqual(Array(5).fill('queued'));
    expect(scoped.research!.reviewUntil - scoped.heard).toBe(1500);
    expect(upTo('dimension').research?.reviewUntil).toBe(0);
  });

  it('each question that is done says how many sources bear on it', () => {
    expect(upTo('compressed').research?.dimensions[0]).toMatchObject({ state: 'done', sources: 3 });
    expect(whole.research?.dimensions[3]).toMatchObject({ state: 'thin' });
    expect(upTo('dimension', 2).research?.current).toMatch(/cost/);
  });

  it('the feed says what was found, read and missed, with its question', () => {
    const feed = whole.research!.activity;
    expect(feed.filter((line) => line.kind === 'finding')).toHaveLength(3);
    expect(feed.find((line) => line.kind === 'unread')?.detail).toContain('asks for a login');
    expect(feed.find((line) => line.kind === 'read')).toMatchObject({ what: 'Read Sizing an air-source heat pump' });
    expect(feed.find((line) => line.kind === 'finding')?.dimension).toMatch(/radiators/);
  });

  it('until a question is done, the passages of its findings count', () => {
    const more = (seq: number, kind: string, body: object) => ({ ...log[0]!, seq, kind, body }) as RunEvent;
    const both = [
      more(900, 'dimension', { index: 1, total: 5, dimension: whole.research!.dimensions[1]!.text, iteration: 1 }),
      more(901, 'read', { source: 'src_0000000077', chars: 9, ms: 1, from: 'network', coverage: 1 }),
      more(902, 'finding', { text: 'So it is.', dimension: whole.research!.dimensions[1]!.text, passages: ['psg_1', 'psg_2', 'psg_2'] }),
    ].reduce(fold, upTo('dimension'));
    expect(both.research!.dimensions[1]).toMatchObject({ sources: 0, passages: ['psg_1', 'psg_2'] });
  });

  it('a second plan keeps what was done for questions that stay', () => {
    const again = { ...log[0]!, seq: 999, kind: 'scoped', body: { brief: '', dimensions: [upTo('compressed').research!.dimensions[0]!.text, 'New?'], criteria: null, notes: '', review_ms: 0 } } as RunEvent;
    expect(fold(upTo('compressed'), again).research?.dimensions.map((d) => d.state)).toEqual(['done', 'queued']);
  });

  it('a question that was looked into in vain says so, and an earlier find is kept', () => {
    const text = whole.research!.dimensions[0]!.text;
    const done = (seq: number, sources: number) => ({ ...log[0]!, seq, kind: 'compressed', body: { dimension: text, sources, weak: true, note_length: 0, fallback: false } }) as RunEvent;
    expect(fold(upTo('dimension'), done(900, 0)).research?.dimensions[0]).toMatchObject({ state: 'empty' });
    expect([done(900, 1), done(901, 0)].reduce(fold, upTo('dimension')).research?.dimensions[0]).toMatchObject({ state: 'thin', sources: 1 });
  });

  it('what was not looked into when it ended is said so; what was being looked into is not left out', () => {
    const stopped = { ...log[0]!, seq: 999, kind: 'stopped', body: { by: 'user', stage: 'research', partial: '' } } as RunEvent;
    expect(fold(upTo('dimension'), stopped).research?.dimensions.map((d) => d.state)).toEqual(['empty', 'dropped', 'dropped', 'dropped', 'dropped']);
    expect(fold(upTo('compressed'), stopped).research?.dimensions.map((d) => d.state)).toEqual(['done', 'dropped', 'dropped', 'dropped', 'dropped']);
  });

  it('phases come in order and the bar never goes back', () => {
    let view = emptyView('r');
    let before = 0;
    const seen: string[] = [];
    for (const event of log) {
      view = fold(view, event);
      const now = progressOf(view);
      expect(now).toBeGreaterThanOrEqual(before - 0.02);
      before = now;
      if (seen.at(-1) !== phaseOf(view)) seen.push(phaseOf(view));
    }
    expect(seen).toEqual(['Plan', 'Search', 'Analyze', 'Answer']);
    expect(before).toBe(1);
  });
});

describe('contents', () => {
  it('are the sections of the report, without what is below them', () => {
    expect(contentsOf(whole.text).map((part) => part.title)).toEqual(['Executive Summary', 'Key Findings', 'Detailed Analysis', 'Connections & Relationships', 'Conclusions']);
    expect(contentsOf('## A *b* [1]\n### c')).toEqual([{ at: 0, title: 'A b' }]);
  });

  it('that are still to come are named only where they are known', () => {
    const sections = ['Zusammenfassung', 'Risiken und Bedenken', 'Empfehlung'];
    expect(comingOf(sections, [{ title: 'Zusammenfassung' }])).toEqual(['Risiken und Bedenken', 'Empfehlung']);
    expect(comingOf(sections, [{ title: 'Zusammenfassung' }, { title: 'Empfehlung' }])).toEqual([]);
    expect(comingOf([], [{ title: 'Zusammenfassung' }])).toEqual([]);
    const outlined = { ...log[0]!, seq: 999, kind: 'outlined', body: { sections } } as RunEvent;
    expect(fold(upTo('scoped'), outlined).research?.sections).toEqual(sections);
  });
});
