import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { RunEvent } from '../api/events';
import { FakeBackend, storedRun } from '../lib/testdata/fake';
import { logs } from '../lib/testdata/logs';

const held = vi.hoisted(() => ({ backend: null as unknown as import('../lib/testdata/fake').FakeBackend }));
vi.mock('../api', async () => {
  const backend = await vi.importActual<typeof import('../api/backend')>('../api/backend');
  const through = new Proxy({}, { get: (_, key) => Reflect.get(held.backend, key) });
  return { backend: through, Fault: backend.Fault, onUnauthorized: () => {} };
});

Element.prototype.scrollTo = () => {};

const { default: Thread } = await import('./Thread.svelte');
const log = logs.research;

beforeEach(() => {
  held.backend = new FakeBackend();
  window.innerWidth = 1280;
  location.hash = '';
});
afterEach(cleanup);

const deepRun = (events: RunEvent[], running: boolean) => {
  const run = storedRun(events);
  return { ...run, question: { ...run.question, mode: 'deep' as const }, ...(running ? { status: 'running' as const, answer: undefined } : {}) };
};

async function over(): Promise<void> {
  held.backend.log = log;
  held.backend.runs = [deepRun(log, false)];
  render(Thread, { threadId: 'thr_0000000001' });
  await screen.findByRole('heading', { level: 1 });
}

/** The run up to and with the first event of a kind, as if it had just come. */
async function until(kind: string): Promise<void> {
  const now = log.map((event) => ({ ...event, at: new Date().toISOString() })) as RunEvent[];
  held.backend.log = now.slice(0, now.findIndex((event) => event.kind === kind) + 1);
  held.backend.runs = [deepRun(log, true)];
  render(Thread, { threadId: 'thr_0000000001' });
  await screen.findByRole('heading', { level: 1 });
}

describe('the research screen', () => {
  test('until it is known what a thread is, no column of answers is drawn for it', async () => {
    held.backend.log = log;
    held.backend.runs = [deepRun(log, false)];
    const { container } = render(Thread, { threadId: 'thr_0000000001' });
    expect(container.querySelector('main')?.getAttribute('aria-busy')).toBe('true');
    expect(container.querySelector('textarea')).toBeNull();
    await screen.findByRole('heading', { level: 1 });
    expect(container.querySelector('.research')).toBeTruthy();
  });

  test('activity, report and sources stand side by side; the sources can be hidden', async () => {
    await over();
    const feed = within(screen.getByRole('complementary', { name: 'Activity' }));
    expect(feed.getByText('The grant covers 35 % when the old boiler runs on gas.')).toBeTruthy();
    expect(feed.getAllByText('Key finding')).toHaveLength(3);
    expect(within(screen.getByRole('complementary', { name: 'Sources' })).getByText('Radiator-sizes.csv')).toBeTruthy();
    expect(screen.getByText('1 source, thin')).toBeTruthy();
    await fireEvent.click(screen.getByRole('button', { name: 'Hide the sources' }));
    expect(screen.queryByRole('complementary', { name: 'Sources' })).toBeNull();
  });

  test('the strip lists what is written, and what to explore next follows the report', async () => {
    await over();
    const contents = within(screen.getByRole('navigation', { name: 'Contents' }));
    expect(contents.getAllByRole('button').map((button) => button.textContent)).toContain('Conclusions');
    await fireEvent.click(contents.getByRole('button', { name: 'Key Findings' }));
    expect(contents.getByRole('button', { name: 'Key Findings' }).getAttribute('aria-current')).toBe('true');
    const more = within(screen.getByRole('region', { name: 'Continue exploring' }));
    await fireEvent.click(more.getByRole('button', { name: /Which four radiators/ }));
    await waitFor(() => expect(held.backend.calls).toContain('ask'));
  });

  test('a plan can be held, changed and started; nothing begins under the hand', async () => {
    await until('scoped');
    const plan = within(screen.getByRole('region', { name: 'Plan' }));
    await fireEvent.focus(plan.getByRole('textbox', { name: 'Question 2' }));
    await waitFor(() => expect(held.backend.calls).toContain(`plan ${log[0]!.run} 5 true`));
    expect(plan.getByText('Waiting for you.')).toBeTruthy();
    await fireEvent.click(plan.getByRole('button', { name: 'Leave out question 1' }));
    await fireEvent.click(plan.getByRole('button', { name: 'Start' }));
    await waitFor(() => expect(held.backend.calls).toContain(`plan ${log[0]!.run} 4 false`));
  });

  test('a run that turns out to be research shows its text, though the column had begun to show it', async () => {
    const now = log.map((event) => ({ ...event, at: new Date().toISOString() })) as RunEvent[];
    held.backend.runs = [{ ...deepRun(log, true), question: { ...storedRun(log).question } }];
    held.backend.log = [];
    render(Thread, { threadId: 'thr_0000000001' });
    await waitFor(() => expect(held.backend.followers.length).toBeGreaterThan(0));
    held.backend.emit(...now);
    await waitFor(() => expect(screen.getByRole('article').textContent).toContain('feasible without touching the underfloor loop'));
    expect(screen.getAllByRole('button', { name: /^Footnote 1:/ }).length).toBeGreaterThan(0);
  });

  test('while it runs there is a way to stop and a way to have the answer now', async () => {
    await until('dimension');
    expect(screen.getByRole('progressbar', { name: 'Progress of the research' })).toBeTruthy();
    await fireEvent.click(screen.getByRole('button', { name: 'Answer now' }));
    await fireEvent.click(screen.getByRole('button', { name: 'Stop' }));
    await waitFor(() => expect(held.backend.calls).toEqual(expect.arrayContaining(['answer-now', 'stop'])));
    expect(screen.getByRole('button', { name: 'Copy Report' })).toHaveProperty('disabled', true);
  });

  test('a phone has tabs, and one main landmark whichever is shown', async () => {
    window.innerWidth = 400;
    await over();
    await fireEvent.click(screen.getByRole('tab', { name: 'Activity' }));
    expect(screen.getByRole('tabpanel', { name: 'Activity' })).toBeTruthy();
    expect(screen.getAllByRole('main')).toHaveLength(1);
    await fireEvent.click(screen.getByRole('tab', { name: /Sources/ }));
    expect(screen.getByText('Heat-pump-quote-Marlow.pdf')).toBeTruthy();
  });
});
