/** The backend in a browser: native API, cookie session, server-sent events. */
import { type Backend, Fault, type PeopleApi } from './backend';
import { client } from './client';
import { browserDrops } from './drop';
import { fileBytes } from './file';
import { followStream } from './sse';
import { type AnySent, type Gives, saying, type Transport } from './transport';
import type { Failure } from './types';

/** `fetch` and what else a test wants to replace. */
export interface HttpOptions {
  fetch?: typeof fetch;
  /** Called once the session is refused, so that the page can say how to get in. */
  onUnauthorized?: () => void;
  wait?: (attempt: number) => number;
}

/** The address of a route: names in its path are filled in so that they cannot leave their place. */
function addressOf(pattern: string, { path = {}, query }: AnySent): string {
  const address = pattern.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''));
  const text = new URLSearchParams(saying(query)).toString();
  return text ? `${address}?${text}` : address;
}

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

  /** Calls a route: "METHOD /path". */
  async call<T>(route: string, sent: AnySent): Promise<T> {
    const [method = '', pattern = ''] = route.split(' ');
    const init: RequestInit =
      method === 'GET'
        ? { method, signal: sent.signal }
        : { method, keepalive: method === 'DELETE', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(sent.body ?? {}) };
    const text = await (await this.send(addressOf(pattern, sent), init)).text();
    return (text ? JSON.parse(text) : undefined) as T;
  }

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
  download(await response.blob(), name ?? fallback);
}

function download(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

function people(http: Client): PeopleApi {
  const post = (address: string, body: unknown): Promise<Response> =>
    http.send(address, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
  return {
    // Only a program that people sign in to says whether it is ready.
    wanted: async () => {
      const fault = await http.send('/ready').then(() => null, Fault.of);
      return fault === null || (fault.code !== 'not-found' && fault.code !== 'disconnected');
    },
    signIn: async (name, password) => void (await post('/api/session', { name, password })),
    accept: async (invitation, password) => void (await post('/api/session/accept', { invitation, password })),
    signOut: async () => void (await http.send('/api/session', { method: 'DELETE' })),
  };
}

/** Makes the backend of a browser page. */
export function httpBackend(options: HttpOptions = {}): Backend {
  const http = new Client(options);
  const transport: Transport = {
    call: (route, sent) => http.call(route, sent as AnySent),
    follow: (route, path, { after, onEvent, onEnd }) =>
      followStream({
        after,
        wait: options.wait,
        fatal,
        open: (seq, signal) => http.stream(addressOf(route.slice('GET '.length), { path }), seq, signal),
        onFrame: (frame) => onEvent(JSON.parse(frame.data)),
        onEnd: (error) => onEnd(error === null ? null : Fault.of(error)),
      }),
  };

  return {
    ...client(transport),
    desktop: false,
    people: people(http),
    around: async () => [],

    exportThread: (id, format, run) =>
      saveFile(http, addressOf('/api/threads/{id}/export', { path: { id }, query: { format, run } }), `footnote.${format}`),
    exportTable: (id, format) => saveFile(http, addressOf('/api/tables/{id}/export', { path: { id }, query: { format } }), `footnote.${format}`),
    upload: async (files) => {
      const form = new FormData();
      for (const file of files) form.append('file', file, file.name);
      const response = await http.send('/api/library/uploads', { method: 'POST', body: form });
      return ((await response.json()) as Gives<'POST /api/library/uploads'>).files;
    },
    sourceFile: async (id) => fileBytes(await http.send(addressOf('/api/sources/{id}/file', { path: { id } }))),
    saveCopy: async (_id, name, bytes) => download(new Blob([bytes as Uint8Array<ArrayBuffer>], { type: 'application/pdf' }), name),
    openSource: (id) => transport.call('POST /api/sources/{id}/open', { path: { id } }),

    openExternal: async (url) => {
      window.open(url, '_blank', 'noopener,noreferrer');
    },
    chooseFolder: async () => [],
    chooseFiles: async () => [],
    onFileDrop: browserDrops,
  };
}
