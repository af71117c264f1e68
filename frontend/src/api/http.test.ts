// @vitest-environment node
import { describe, expect, it, vi } from 'vitest';
import { Fault } from './backend';
import { httpBackend } from './http';
import type { RunEvent } from './events';

const json = (value: unknown, status = 200): Response =>
  new Response(JSON.stringify(value), { status, headers: { 'Content-Type': 'application/json' } });

function setup(answer: (url: string, init: RequestInit) => Response | Promise<Response>) {
  const fetcher = vi.fn(async (url: RequestInfo | URL, init: RequestInit = {}) => answer(String(url), init));
  const onUnauthorized = vi.fn();
  return { fetcher, onUnauthorized, api: httpBackend({ fetch: fetcher as typeof fetch, onUnauthorized, wait: () => 0 }) };
}

describe('http backend', () => {
  it('asks with every default filled in and the cookie along', async () => {
    const { api, fetcher } = setup(() => json({ run: 'run_1', thread: 'thr_1' }, 202));
    expect(await api.ask({ question: 'Why?', models: { chat: 'none', system: '' } })).toEqual({ run: 'run_1', thread: 'thr_1' });
    const [url, init] = fetcher.mock.calls[0] ?? [];
    expect(url).toBe('/api/runs');
    expect(init).toMatchObject({ method: 'POST', credentials: 'same-origin', headers: { 'Content-Type': 'application/json' } });
    expect(JSON.parse(String(init?.body))).toMatchObject({
      question: 'Why?', focus: 'all', mode: 'balanced', web: true, scope: { files: [], folders: [], collections: [] }, models: { chat: 'none' },
    });
  });

  it('deletes a conversation with all that only it needs', async () => {
    const { api, fetcher } = setup(() => new Response(null, { status: 204 }));
    await api.deleteThread('thr_1');
    expect(fetcher.mock.calls.map(([url, init]) => [init?.method, url])).toEqual([['DELETE', '/api/threads/thr_1?erase=true']]);
  });

  it('makes a collection, changes it and removes it', async () => {
    const { api, fetcher } = setup(() => json({ items: [] }));
    await api.putCollection({ name: 'Leases', files: ['fil_1'] });
    await api.putCollection({ id: 'col_1', name: 'Rents' });
    await api.removeCollection('col_1');
    expect(await api.collections()).toEqual([]);
    expect(fetcher.mock.calls.map(([url, init]) => [init?.method, url, init?.body])).toEqual([
      ['POST', '/api/collections', '{"name":"Leases","files":["fil_1"]}'],
      ['POST', '/api/collections/col_1', '{"name":"Rents"}'],
      ['DELETE', '/api/collections/col_1', '{}'],
      ['GET', '/api/collections', undefined],
    ]);
  });

  it('turns an error object into a Fault with its hint and details', async () => {
    const { api } = setup(() => json({ code: 'invalid-setting', message: 'Too many.', hint: 'At most 20.', details: { key: 'rank.max_passages' } }, 400));
    const fault = await api.putSettings({ 'rank.max_passages': 40 }).catch((e: unknown) => e);
    expect(fault).toBeInstanceOf(Fault);
    expect(fault).toMatchObject({ code: 'invalid-setting', message: 'Too many.', hint: 'At most 20.', details: { key: 'rank.max_passages' } });
  });

  it('says that the session is refused', async () => {
    const { api, onUnauthorized } = setup(() => json({ code: 'unauthorized', message: 'No session.', hint: '' }, 401));
    await expect(api.threads({})).rejects.toMatchObject({ code: 'unauthorized' });
    expect(onUnauthorized).toHaveBeenCalledOnce();
  });

  it('knows a program that people sign in to, even while it is not ready', async () => {
    for (const [status, code, wanted] of [[200, '', true], [503, 'busy', true], [404, 'not-found', false]] as const) {
      const { api } = setup(() => json(status === 200 ? { status: 'ready' } : { code, message: 'x', hint: '' }, status));
      expect(await api.people?.wanted()).toBe(wanted);
    }
    const { api, fetcher } = setup(() => json({ name: 'ann' }));
    await api.people?.signIn('ann', 'secret');
    expect(fetcher.mock.calls[0]).toMatchObject(['/api/session', { method: 'POST', body: '{"name":"ann","password":"secret"}' }]);
  });

  it('says that the program does not answer, without showing the cause', async () => {
    const { api } = setup(() => {
      throw new TypeError('Failed to fetch');
    });
    await expect(api.health()).rejects.toMatchObject({ code: 'disconnected', message: 'Footnote does not answer.' });
  });

  it('shows nothing of a reply that is not ours', async () => {
    const { api } = setup(() => new Response('<h1>502 nginx</h1>', { status: 502 }));
    await expect(api.health()).rejects.toMatchObject({ code: 'internal', message: 'Footnote answered with status 502.' });
  });

  it('writes ids into addresses so that they cannot leave their place', async () => {
    const { api, fetcher } = setup(() => json({}));
    await api.thread('../runs?x=1');
    expect(fetcher.mock.calls[0]?.[0]).toBe('/api/threads/..%2Fruns%3Fx%3D1');
    expect(api.previewImage('src/1')).toBe('/api/sources/src%2F1/image');
  });

  it('leaves out empty query parameters', async () => {
    const { api, fetcher } = setup(() => json({ items: [], next: null }));
    await api.files({ status: '', root: undefined, limit: 50 });
    expect(fetcher.mock.calls[0]?.[0]).toBe('/api/library/files?limit=50');
  });

  it('reads lists that come bare or as a page', async () => {
    const engine = { name: 'wikipedia' };
    expect(await setup(() => json([engine])).api.engines()).toEqual([engine]);
    expect(await setup(() => json({ items: [engine], next: null })).api.engines()).toEqual([engine]);
  });

  it('gives settings flat keys, whichever form came', async () => {
    const { api } = setup(() => json({ values: { web: { enabled: true, searxng: { url: '' } }, 'ui.theme': 'dark' }, defaults: {}, origin: {}, keys: {} }));
    expect((await api.settings()).values).toEqual({ 'web.enabled': true, 'web.searxng.url': '', 'ui.theme': 'dark' });
  });

  it('follows a run from where it was left, to its last event', async () => {
    const text = (seq: number, kind: string): string =>
      `id: ${seq}\nevent: ${kind}\ndata: ${JSON.stringify({ run: 'run_1', seq, at: '', kind, body: {} })}\n\n`;
    const { api, fetcher } = setup((url) => {
      expect(url).toBe('/api/runs/run_1/events');
      return new Response(fetcher.mock.calls.length === 1 ? text(5, 'text') : text(6, 'finished'));
    });
    const events: RunEvent[] = [];
    const end = await new Promise((resolve) => api.follow('run_1', 4, (e) => events.push(e), resolve));
    expect(end).toBeNull();
    expect(events.map((e) => e.seq)).toEqual([5, 6]);
    const headers = fetcher.mock.calls.map(([, init]) => (init?.headers as Record<string, string>)['Last-Event-ID']);
    expect(headers).toEqual(['4', '5']);
  });

  it('ends following with a Fault when there is no such run', async () => {
    const { api } = setup(() => json({ code: 'not-found', message: 'There is no such run.', hint: '' }, 404));
    const end = await new Promise((resolve) => api.follow('run_x', 0, () => {}, resolve));
    expect(end).toMatchObject({ code: 'not-found' });
  });
});
