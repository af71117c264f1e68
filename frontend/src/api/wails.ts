/**
 * The backend in the desktop window: bound methods of the program and named
 * window events. A stream is never sent through the asset server, and no
 * FormData or Blob ever leaves the page: on some systems that ends the process.
 */
import { type Backend, Fault, type Unsubscribe } from './backend';
import { hoverOf } from './drop';
import { fileBytes } from './file';
import { complete } from './question';
import { flatSettings } from './settings';
import { shared } from './shared';
import type { JobEvent, LibraryEvent, RunEvent } from './events';
import type { Failure, Page } from './types';
import { terminalKinds } from './events';

/** A bound Go method: arguments and result cross as JSON. */
type Bound = (...args: unknown[]) => Promise<unknown>;

interface WailsRuntime {
  EventsOn(name: string, handle: (...data: unknown[]) => void): Unsubscribe;
  OnFileDrop(handle: (x: number, y: number, paths: string[]) => void, useDropTarget: boolean): void;
  OnFileDropOff(): void;
}

declare global {
  interface Window {
    go?: { main: { App: Record<string, Bound> } };
    runtime?: WailsRuntime;
  }
}

/** Errors cross as an object, as its JSON, or as a sentence; the window's runtime puts the last two into an Error. */
export function wailsFault(error: unknown): Fault {
  if (error instanceof Fault) return error;
  if (error instanceof Error) return wailsFault(error.message);
  if (typeof error === 'object' && error !== null && 'code' in error) return new Fault(error as Failure);
  if (typeof error === 'string') {
    try {
      return wailsFault(JSON.parse(error));
    } catch {
      return new Fault({ code: 'internal', message: error, hint: '' });
    }
  }
  return Fault.of(error);
}

async function call<T>(method: string, ...args: unknown[]): Promise<T> {
  const bound = window.go?.main.App[method];
  if (!bound) {
    throw new Fault({ code: 'internal', message: 'The window does not know this command.', hint: 'Update Footnote.' });
  }
  try {
    return (await bound(...args)) as T;
  } catch (error) {
    throw wailsFault(error);
  }
}

const newChannel = (): string => crypto.randomUUID();

/** What Go emits on a followed channel: an event, or the reason why there will be no more. */
type Followed = RunEvent | { fault: Failure };

function follow(run: string, after: number, onEvent: (e: RunEvent) => void, onEnd: (f: Fault | null) => void): Unsubscribe {
  const channel = newChannel();
  let seq = after;
  let open = true;
  const leave = (): void => {
    if (!open) return;
    open = false;
    off?.();
    void call('Unfollow', channel).catch(() => {}); // the window is closing, or it had ended anyway
  };
  const end = (fault: Fault | null): void => {
    if (!open) return;
    leave();
    onEnd(fault);
  };
  // The page subscribes before it asks: no event can be missed.
  const off = window.runtime?.EventsOn(`footnote:event:${channel}`, (data) => {
    const message = data as Followed;
    if (!open) return;
    if ('fault' in message) return end(wailsFault(message.fault));
    if (message.seq <= seq) return;
    seq = message.seq;
    onEvent(message);
    if (terminalKinds.includes(message.kind)) end(null);
  });
  call('Follow', run, after, channel).catch((error: unknown) => end(wailsFault(error)));
  return leave;
}

function libraryEvents(onEvent: (event: LibraryEvent) => void): Unsubscribe {
  const off = window.runtime?.EventsOn('footnote:library', (data) => onEvent(data as LibraryEvent));
  void call('WatchLibrary', true).catch(() => {}); // without it the list is read again on each visit
  return () => {
    off?.();
    void call('WatchLibrary', false).catch(() => {});
  };
}

/** Fetches a model. Events of all jobs come by one name; those that came before the job had its id are kept for it. */
async function pullModel(model: string, onEvent: (event: JobEvent) => void): Promise<string> {
  let mine = '';
  const early: JobEvent[] = [];
  const take = (event: JobEvent): void => {
    if (event.job !== mine) return;
    onEvent(event);
    if (event.kind !== 'pulling') off?.();
  };
  const off = window.runtime?.EventsOn('footnote:job', (data) => {
    const event = data as JobEvent;
    if (mine) take(event);
    else early.push(event);
  });
  try {
    mine = (await call<{ job: string }>('PullModel', model)).job;
  } catch (error) {
    off?.();
    throw error;
  }
  early.forEach(take);
  return mine;
}

/** Bytes come through the window's own asset server: one request, one answer, nothing streamed. */
async function sourceFile(id: string): Promise<ArrayBuffer> {
  const response = await fetch(`/api/sources/${encodeURIComponent(id)}/file`);
  if (!response.ok) throw new Fault({ code: 'not-found', message: 'The file cannot be drawn here.', hint: 'Open it in another program.' });
  return fileBytes(response);
}

const list = <T>(value: T[] | Page<T> | null): T[] => (Array.isArray(value) ? value : (value?.items ?? []));

/** Makes the backend of the desktop window. */
export function wailsBackend(): Backend {
  return {
    desktop: true,

    ask: (question) => call('Ask', complete(question)),
    run: (id) => call('Run', id),
    follow,
    stop: (run) => call('Stop', run),
    answerNow: (run) => call('AnswerNow', run),
    clarify: (run, reply) => call('Clarify', run, reply),
    retry: (run, change) => call('Retry', run, change.mode ?? '', { chat: '', system: '', ...change.models }),
    refresh: (run) => call('Refresh', run),
    keepFresh: (run, wish) => call('KeepFresh', run, wish),
    dropFresh: (run) => call('DropFresh', run),
    freshList: async () => list(await call('FreshList')),
    warm: (model) => call('Warm', model),
    ledger: async (run) => list(await call('Ledger', run)),

    plan: (run, dimensions, hold) => call('Plan', run, dimensions, hold),
    trace: (run) => call('Trace', run),
    replay: (run, change) => call('Replay', run, { weights: null, k: 0, measure: '', ...change }),
    sendPreview: async (run) => list(await call('Preview', run)),
    consent: (provider, allowed) => call('Consent', provider, allowed),

    threads: (query) => call('Threads', { q: '', limit: 50, after: '', ...query }),
    thread: (id) => call('Thread', id),
    renameThread: (id, title) => call('RenameThread', id, title),
    pinThread: (id, pinned) => call('PinThread', id, pinned),
    deleteThread: (id) => call('DeleteThread', id),
    seenThread: (id) => call('SeenThread', id),
    branchThread: async (id, run) => (await call<{ thread: string }>('BranchThread', id, run)).thread,
    exportThread: (id, format, run) => call('ExportThread', id, format, run ?? ''),

    library: () => call('Library'),
    files: (query) => call('Files', { q: '', status: '', root: '', limit: 50, after: '', ...query }),
    file: (id) => call('File', id),
    addPaths: (paths, watch) => call('AddPaths', paths, watch),
    upload: () =>
      Promise.reject(new Fault({ code: 'not-acceptable', message: 'The window reads files in place.', hint: 'Drop the file or choose it.' })),
    rescan: (ids) => call('Rescan', ids ?? []),
    removeFile: (id) => call('RemoveFile', id),
    searchLibrary: (q, limit) => call('SearchLibrary', q, limit),
    countFiles: (q, by, signal) => {
      signal?.addEventListener('abort', () => void call('StopCounting'), { once: true });
      return call('CountFiles', q, by);
    },
    whyNot: (file, q) => call('WhyFound', file, q),
    collections: async () => list(await call('Collections')),
    putCollection: ({ id, ...change }) => (id ? call('ChangeCollection', id, change) : call('AddCollection', change)),
    removeCollection: (id) => call('RemoveCollection', id),
    collectPaths: (paths, collection) => call('CollectPaths', paths, collection),
    libraryEvents: shared(libraryEvents),

    source: (id) => call('Source', id),
    sourceText: (id, at) => call('SourceText', id, { start: 0, end: 0, passage: '', citation: '', ...at }),
    passage: (id) => call('Passage', id),
    sourceFile,
    pageImage: (id, page) => `/api/sources/${encodeURIComponent(id)}/page/${page}`,
    previewImage: (id) => `/api/sources/${encodeURIComponent(id)}/image`,
    openSource: (id) => call('OpenSource', id),

    models: () => call('Models'),
    testModel: (model) => call('TestModel', model),
    listModels: (provider) => call('ListModels', provider),
    pullModel,
    stopJob: (job) => call('StopJob', job),
    setRoles: (roles) => call('SetRoles', roles),
    engines: async () => list(await call('Engines')),
    testEngine: (name) => call('TestEngine', name),
    settings: async () => flatSettings(await call('Settings')),
    putSettings: (changes) => call('PutSettings', changes),
    setKey: (name, value) => call('SetKey', name, value),
    removeKey: (name) => call('RemoveKey', name),
    personas: async () => list(await call('Personas')),
    putPersona: ({ id, ...persona }) => (id ? call('ChangePersona', id, persona) : call('AddPersona', persona)),
    removePersona: (id) => call('RemovePersona', id),
    lenses: async () => list(await call('Lenses')),
    setLenses: async (lenses) => list(await call('SetLenses', lenses)),
    health: () => call('Health'),

    openExternal: (url) => call('OpenExternal', url),
    chooseFolder: async () => list(await call<string[] | null>('ChooseFolder')),
    chooseFiles: async () => list(await call<string[] | null>('ChooseFiles')),
    onFileDrop: (onDrop, onHover) => {
      const leave = hoverOf(onHover);
      window.runtime?.OnFileDrop((_x, _y, paths) => {
        onHover(false);
        onDrop({ paths, files: [] });
      }, false);
      return () => {
        leave();
        window.runtime?.OnFileDropOff();
      };
    },
  };
}
