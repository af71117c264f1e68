/** The backend in a browser: native API, cookie session, server-sent events. */
import { type Backend, Fault } from './backend';
import { browserDrops } from './drop';
import { fileBytes } from './file';
import { complete } from './question';
import { flatSettings } from './settings';
import { shared } from './shared';
import { followStream } from './sse';
import { type JobEvent, type LibraryEvent, type RunEvent, terminalKinds } from './events';
import { type Failure, type Page, type Upload } from './types';

type Query = Record<string, string | number | boolean | undefined>;

/** `fetch` and what else a test wants to replace. */
export interface HttpOptions {
  fetch?: typeof fetch;
  /** Called once the session is refused, so that the page can say how to get in. */
  onUnauthorized?: () => void;
  wait?: (attempt: number) => number;
}

const path = (strings: TemplateStringsArray, ...ids: string[]): string =>
  String.raw({ raw: strings }, ...ids.map(encodeURIComponent));

const withQuery = (address: string, query: Query): string => {
  const params = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') params.set(key, String(value));
  }
  const text = params.toString();
  return text ? `${address}?${text}` : address;
};

async function faultOf(response: Response): Promise<Fault> {
  try {
    const body = (await response.json()) as Partial<Failure>;
    if (body.code && body.message) return new Fault(body as Failure);
  } catch {
    // Not one of our error objects: the status has to do.
  }
  return new Fault({
    code: response.status === 401 ? 'unauthorized' : 'internal',
    message: `Footnote answered with status ${response.status}.`,
    hint: 'Try again.',
  });
}

const unreachable = (): Fault =>
  new Fault({
    code: 'disconnected',
    message: 'Footnote does not answer.',
    hint: 'Check that “footnote serve” is still running, then try again.',
  });

/** Requests of the native API: JSON in, JSON out, every failure a Fault. */
class Client {
  readonly #fetch: typeof fetch;
  readonly #onUnauthorized: () => void;

  constructor(options: HttpOptions) {
    this.#fetch = options.fetch ?? ((...args) => fetch(...args));
    this.#onUnauthorized = options.onUnauthorized ?? (() => {});
  }

  async send(address: string, init: RequestInit = {}): Promise<Response> {
    let response: Response;
    try {
      response = await this.#fetch(address, { credentials: 'same-origin', cache: 'no-store', ...init });
    } catch (error) {
      if (error instanceof DOMException && error.name === 'AbortError') throw error;
      throw unreachable();
    }
    if (response.ok) return response;
    if (response.status === 401) this.#onUnauthorized();
    throw await faultOf(response);
  }

  async #json<T>(method: string, address: string, body?: unknown, signal?: AbortSignal): Promise<T> {
    const init: RequestInit =
      body === undefined && method === 'GET'
        ? { method, signal }
        : { method, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body ?? {}) };
    const response = await this.send(address, init);
    const text = await response.text();
    return (text ? JSON.parse(text) : undefined) as T;
  }

  get = <T>(address: string, query: Query = {}, signal?: AbortSignal): Promise<T> => this.#json<T>('GET', withQuery(address, query), undefined, signal);
  post = <T>(address: string, body?: unknown): Promise<T> => this.#json<T>('POST', address, body);
  put = <T>(address: string, body?: unknown): Promise<T> => this.#json<T>('PUT', address, body);
  patch = <T>(address: string, body?: unknown): Promise<T> => this.#json<T>('PATCH', address, body);
  delete = <T>(address: string): Promise<T> => this.#json<T>('DELETE', address);

  stream(address: string, after: number, signal: AbortSignal): Promise<Response> {
    const headers: Record<string, string> = { Accept: 'text/event-stream' };
    if (after > 0) headers['Last-Event-ID'] = String(after);
    return this.send(address, { headers, signal });
  }
}

const fatal = (error: unknown): boolean => error instanceof Fault && error.code !== 'disconnected';

async function saveFile(client: Client, address: string, fallback: string): Promise<void> {
  const response = await client.send(address);
  const name = /filename="?([^";]+)"?/.exec(response.headers.get('Content-Disposition') ?? '')?.[1];
  const url = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = url;
  link.download = name ?? fallback;
  link.click();
  URL.revokeObjectURL(url);
}

/** Lists may come bare or as a page; both are read. */
const itemsOf = <T>(list: T[] | Page<T> | null): T[] => (Array.isArray(list) ? list : (list?.items ?? []));

/** Makes the backend of a browser page. */
export function httpBackend(options: HttpOptions = {}): Backend {
  const client = new Client(options);
  const { get, post, put, patch } = client;
  const wait = options.wait;

  return {
    desktop: false,

    ask: (question) => post('/api/runs', complete(question)),
    run: (id) => get(path`/api/runs/${id}`),
    follow: (run, after, onEvent, onEnd) =>
      followStream({
        after,
        wait,
        fatal,
        open: (seq, signal) => client.stream(path`/api/runs/${run}/events`, seq, signal),
        onFrame: (frame) => {
          const event = JSON.parse(frame.data) as RunEvent;
          onEvent(event);
          return terminalKinds.includes(event.kind);
        },
        onEnd: (error) => onEnd(error === null ? null : Fault.of(error)),
      }),
    stop: (run) => post(path`/api/runs/${run}/stop`),
    answerNow: (run) => post(path`/api/runs/${run}/answer-now`),
    clarify: (run, reply) => post(path`/api/runs/${run}/clarify`, { reply }),
    retry: (run, change) => post(path`/api/runs/${run}/retry`, change),
    warm: (model) => post('/api/warm', { model }),
    refresh: (run) => post(path`/api/runs/${run}/refresh`),
    keepFresh: (run, wish) => put(path`/api/runs/${run}/fresh`, wish),
    dropFresh: (run) => client.delete(path`/api/runs/${run}/fresh`),
    freshList: async () => itemsOf(await get('/api/fresh')),
    ledger: async (run) => itemsOf(await get(path`/api/runs/${run}/ledger`)),

    plan: (run, dimensions, hold) => post(path`/api/runs/${run}/plan`, { dimensions, hold }),
    trace: (run) => get(path`/api/runs/${run}/trace`),
    replay: (run, change) => post(path`/api/runs/${run}/replay`, change),
    sendPreview: async (run) => itemsOf(await get(path`/api/runs/${run}/preview`)),
    consent: async (provider, allowed) => {
      await (allowed ? put(path`/api/consents/${provider}`) : client.delete(path`/api/consents/${provider}`));
    },

    threads: (query) => get('/api/threads', query),
    thread: (id) => get(path`/api/threads/${id}`),
    renameThread: (id, title) => patch(path`/api/threads/${id}`, { title }),
    pinThread: (id, pinned) => patch(path`/api/threads/${id}`, { pinned }),
    deleteThread: (id) => client.delete(path`/api/threads/${id}`),
    seenThread: (id) => post(path`/api/threads/${id}/seen`),
    branchThread: async (id, run) => (await post<{ thread: string }>(path`/api/threads/${id}/branch`, { run })).thread,
    exportThread: (id, format, run) =>
      saveFile(client, withQuery(path`/api/threads/${id}/export`, { format, run }), `footnote.${format}`),

    library: () => get('/api/library'),
    files: (query) => get('/api/library/files', { ...query }),
    file: (id) => get(path`/api/library/files/${id}`),
    addPaths: (paths, watch) => post('/api/library', { paths, watch }),
    upload: async (files) => {
      const form = new FormData();
      for (const file of files) form.append('file', file, file.name);
      const response = await client.send('/api/library/uploads', { method: 'POST', body: form });
      return ((await response.json()) as { files: Upload[] }).files;
    },
    rescan: (ids) => post('/api/library/rescan', ids ? { ids } : {}),
    removeFile: (id) => client.delete(path`/api/library/${id}`),
    searchLibrary: (q, limit) => get('/api/library/search', { q, limit }),
    countFiles: (q, by, signal) => get('/api/library/count', { q, by }, signal),
    whyNot: (file, q) => get(path`/api/library/files/${file}/why`, { q }),
    collections: async () => itemsOf(await get('/api/collections')),
    putCollection: ({ id, ...change }) => post(id ? path`/api/collections/${id}` : '/api/collections', change),
    removeCollection: (id) => client.delete(path`/api/collections/${id}`),
    collectPaths: (paths, collection) => post('/api/library', { paths, collection }),
    libraryEvents: shared<LibraryEvent>((onEvent) =>
      followStream({
        after: 0,
        wait,
        fatal,
        open: (seq, signal) => client.stream('/api/library/events', seq, signal),
        onFrame: (frame) => {
          onEvent(JSON.parse(frame.data) as LibraryEvent);
          return false;
        },
        onEnd: () => {},
      })),

    source: (id) => get(path`/api/sources/${id}`),
    sourceText: (id, at) => get(path`/api/sources/${id}/text`, { ...at }),
    passage: (id) => get(path`/api/passages/${id}`),
    sourceFile: async (id) => fileBytes(await client.send(path`/api/sources/${id}/file`)),
    pageImage: (id, page) => path`/api/sources/${id}/page/${String(page)}`,
    previewImage: (id) => path`/api/sources/${id}/image`,
    openSource: async (id) => {
      await post(path`/api/sources/${id}/open`);
    },

    models: () => get('/api/models'),
    testModel: (model) => post('/api/models/test', { model }),
    listModels: (provider) => post('/api/models/list', { provider }),
    pullModel: async (model, onEvent) => {
      const { job } = await post<{ job: string }>('/api/models/pull', { model });
      followStream({
        after: 0,
        wait,
        fatal,
        open: (seq, signal) => client.stream(path`/api/jobs/${job}/events`, seq, signal),
        onFrame: (frame) => {
          const event = JSON.parse(frame.data) as JobEvent;
          onEvent(event);
          return event.kind !== 'pulling';
        },
        onEnd: () => {},
      });
      return job;
    },
    stopJob: (job) => client.delete(path`/api/jobs/${job}`),
    setRoles: (roles) => put('/api/models/roles', roles),
    engines: async () => itemsOf(await get('/api/engines')),
    testEngine: (name) => post(path`/api/engines/${name}/test`),
    settings: async () => flatSettings(await get('/api/settings')),
    putSettings: (changes) => put('/api/settings', changes),
    setKey: (name, value) => put(path`/api/keys/${name}`, { value }),
    removeKey: (name) => client.delete(path`/api/keys/${name}`),
    personas: async () => itemsOf(await get('/api/personas')),
    putPersona: ({ id, ...persona }) => (id ? put(path`/api/personas/${id}`, persona) : post('/api/personas', persona)),
    removePersona: (id) => client.delete(path`/api/personas/${id}`),
    lenses: async () => itemsOf(await get('/api/lenses')),
    setLenses: async (lenses) => itemsOf(await put('/api/lenses', lenses)),
    health: () => get('/api/health'),

    openExternal: async (url) => {
      window.open(url, '_blank', 'noopener,noreferrer');
    },
    chooseFolder: async () => [],
    chooseFiles: async () => [],
    onFileDrop: browserDrops,
  };
}
