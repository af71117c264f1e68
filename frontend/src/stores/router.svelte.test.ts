import { afterEach, describe, expect, it } from 'vitest';
import { hrefOf, parseRoute, type Route, Router } from './router.svelte';

describe('addresses', () => {
  const cases: [string, Route][] = [
    ['#/', { name: 'home' }],
    ['', { name: 'home' }],
    ['#/nowhere', { name: 'unknown', address: 'nowhere' }],
    ['#/thread/', { name: 'unknown', address: 'thread/' }],
    ['#/settings/nothing', { name: 'unknown', address: 'settings/nothing' }],
    ['#/tables', { name: 'table', tableId: '' }],
    ['#/tables/tab_1', { name: 'table', tableId: 'tab_1' }],
    ['#/notebooks', { name: 'notebook', notebookId: '' }],
    ['#/thread/50%', { name: 'thread', threadId: '50%' }],
    ['#/library', { name: 'library' }],
    ['#/library?passage=psg_1&q=high+water', { name: 'library', passage: 'psg_1', q: 'high water' }],
    ['#/settings', { name: 'settings', part: 'models' }],
    ['#/settings/privacy', { name: 'settings', part: 'privacy' }],
    ['#/thread/thr_1', { name: 'thread', threadId: 'thr_1' }],
    ['#/thread/thr_1?run=run_2&note=3', { name: 'thread', threadId: 'thr_1', runId: 'run_2', note: 3 }],
    ['#/thread/thr_1?note=0', { name: 'thread', threadId: 'thr_1' }],
    ['#/thread/thr_1?note=x', { name: 'thread', threadId: 'thr_1' }],
  ];
  it.each(cases)('%s is read', (hash, route) => expect(parseRoute(hash)).toEqual(route));

  it('are written so that they read back', () => {
    for (const [, route] of cases) expect(parseRoute(hrefOf(route))).toEqual(route);
    const odd: Route = { name: 'thread', threadId: 'a/b?c#d' };
    expect(parseRoute(hrefOf(odd))).toEqual(odd);
  });
});

describe('Router', () => {
  afterEach(() => (location.hash = ''));

  it('follows the address bar, so that Back works', async () => {
    const router = new Router();
    const stop = router.start();
    router.openThread('thr_1');
    router.setNote(3);
    expect(location.hash).toBe('#/thread/thr_1?note=3');
    router.setNote(null);
    expect(router.route).toEqual({ name: 'thread', threadId: 'thr_1' });
    location.hash = '#/library';
    await new Promise((resolve) => window.addEventListener('hashchange', resolve, { once: true }));
    expect(router.route).toEqual({ name: 'library' });
    stop();
  });

  it('takes nobody away from where they went while something was made', () => {
    const router = new Router();
    router.go({ name: 'home' });
    const from = router.place;
    router.go({ name: 'library', q: 'lamp' });
    router.follow(from, { name: 'thread', threadId: 'thr_1' });
    expect(router.route).toEqual({ name: 'library', q: 'lamp' });
    router.go({ name: 'thread', threadId: 'thr_1' });
    const there = router.place;
    router.setNote(2);
    router.follow(there, { name: 'thread', threadId: 'thr_2' });
    expect(router.route).toEqual({ name: 'thread', threadId: 'thr_2' });
  });

  it('does not open a passage where there is no thread', () => {
    const router = new Router();
    router.go({ name: 'library' });
    router.setNote(2);
    expect(location.hash).toBe('#/library');
  });
});
