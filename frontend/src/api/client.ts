/** What the page may ask of the program, as calls of the table: the same over both transports. */
import type { Backend, HostApi } from './backend';
import { type JobEvent, type LibraryEvent, type RunEvent, terminalKinds } from './events';
import { complete } from './question';
import { flatSettings } from './settings';
import { shared } from './shared';
import { itemsOf, type Transport } from './transport';
import type { SettingsView, TableEvent } from './types';

/** What each transport does in its own way. */
type Own = keyof HostApi | 'upload' | 'exportThread' | 'exportTable' | 'sourceFile' | 'saveCopy' | 'openSource';

const done = async (call: Promise<unknown>): Promise<void> => void (await call);
const items = async <T>(call: Promise<T[] | { items: T[]; next: string | null } | null>): Promise<T[]> => itemsOf(await call);

export function client({ call, follow }: Transport): Omit<Backend, Own> {
  return {
    ask: (question) => call('POST /api/runs', { body: complete(question) }),
    run: (id) => call('GET /api/runs/{id}', { path: { id } }),
    follow: (id, after, onEvent, onEnd) =>
      follow<RunEvent>('GET /api/runs/{id}/events', { id }, { after, onEnd, onEvent: (event) => (onEvent(event), terminalKinds.includes(event.kind)) }),
    stop: (id) => done(call('POST /api/runs/{id}/stop', { path: { id } })),
    answerNow: (id) => done(call('POST /api/runs/{id}/answer-now', { path: { id } })),
    clarify: (id, reply) => done(call('POST /api/runs/{id}/clarify', { path: { id }, body: { reply } })),
    retry: (id, { mode, models }) => call('POST /api/runs/{id}/retry', { path: { id }, body: { mode, models: models && { chat: '', system: '', ...models } } }),
    editRun: (id, question) => call('POST /api/runs/{id}/edit', { path: { id }, body: { question } }),
    warm: (model) => call('POST /api/warm', { body: { model } }),
    refresh: (id) => call('POST /api/runs/{id}/refresh', { path: { id } }),
    keepFresh: (id, wish) => call('PUT /api/runs/{id}/fresh', { path: { id }, body: wish }),
    dropFresh: (id) => call('DELETE /api/runs/{id}/fresh', { path: { id } }),
    freshList: () => items(call('GET /api/fresh', {})),
    ledgers: (after) => call('GET /api/ledger', { query: { after } }),
    ledger: (id) => items(call('GET /api/runs/{id}/ledger', { path: { id } })),
    plan: (id, dimensions, hold) => done(call('POST /api/runs/{id}/plan', { path: { id }, body: { dimensions, hold } })),
    steer: (id, dimension, action, question) => done(call('POST /api/runs/{id}/steer', { path: { id }, body: { dimension, action, question } })),
    trace: (id) => call('GET /api/runs/{id}/trace', { path: { id } }),
    replay: (id, change) => call('POST /api/runs/{id}/replay', { path: { id }, body: change }),
    sendPreview: (id) => items(call('GET /api/runs/{id}/preview', { path: { id } })),
    consents: async () => (await call('GET /api/consents', {})).items,
    consent: (provider, allowed) => call(allowed ? 'PUT /api/consents/{provider}' : 'DELETE /api/consents/{provider}', { path: { provider } }),

    threads: (query) => call('GET /api/threads', { query }),
    thread: (id) => call('GET /api/threads/{id}', { path: { id } }),
    renameThread: (id, title) => done(call('PATCH /api/threads/{id}', { path: { id }, body: { title } })),
    pinThread: (id, pinned) => done(call('PATCH /api/threads/{id}', { path: { id }, body: { pinned } })),
    deleteThread: (id) => call('DELETE /api/threads/{id}', { path: { id }, query: { erase: true } }),
    seenThread: (id) => call('POST /api/threads/{id}/seen', { path: { id } }),
    lackingScripts: async (id, run) => (await call('GET /api/threads/{id}/export/lacking', { path: { id }, query: { run } })).scripts,
    saveNote: (id, run) => call('POST /api/threads/{id}/note', { path: { id }, body: { run } }),
    branchThread: async (id, run) => (await call('POST /api/threads/{id}/branch', { path: { id }, body: { run } })).thread,

    shares: (id) => items(call('GET /api/threads/{id}/shares', { path: { id } })),
    share: (id, name) => call('POST /api/threads/{id}/shares', { path: { id }, body: { name, link: name === '' } }),
    unshare: (id, share) => call('DELETE /api/threads/{id}/shares/{share}', { path: { id, share } }),
    shared: () => items(call('GET /api/shared', {})),
    sharedThread: (id) => call('GET /api/shared/{id}', { path: { id } }),
    openShared: async (secret) => (await call('POST /api/shared/open', { body: { secret } })).id,
    copyShared: async (id) => (await call('POST /api/shared/{id}/copy', { path: { id } })).thread,

    library: () => call('GET /api/library', {}),
    files: (query) => call('GET /api/library/files', { query: { ...query } }),
    folders: (path) => call('GET /api/library/folders', { query: { path } }),
    file: (id) => call('GET /api/library/files/{id}', { path: { id } }),
    addPaths: (paths, watch) => call('POST /api/library', { body: { paths, watch } }),
    addSample: () => call('POST /api/library/sample', {}),
    addZotero: (folder) => call('POST /api/library/zotero', { body: { folder } }),
    rescan: (ids) => done(call('POST /api/library/rescan', { body: ids ? { ids } : {} })),
    removeFile: (id) => call('DELETE /api/library/{id}', { path: { id } }),
    searchLibrary: (q, limit) => call('GET /api/library/search', { query: { q, limit } }),
    countFiles: (q, by, signal) => call('GET /api/library/count', { query: { q, by }, signal }),
    about: (what) => call('GET /api/library/about', { query: { ...what } }),
    whyNot: (id, q) => call('GET /api/library/files/{id}/why', { path: { id }, query: { q } }),
    libraryEvents: shared<LibraryEvent>((onEvent) =>
      follow<LibraryEvent>('GET /api/library/events', {}, { after: 0, onEnd: () => {}, onEvent: (event) => (onEvent(event), false) })),
    collections: () => items(call('GET /api/collections', {})),
    putCollection: ({ id, ...change }) =>
      id ? call('POST /api/collections/{id}', { path: { id }, body: change }) : call('POST /api/collections', { body: { name: '', ...change } }),
    removeCollection: (id) => call('DELETE /api/collections/{id}', { path: { id } }),

    notes: (id) => items(call('GET /api/collections/{id}/notes', { path: { id } })),
    addNote: (id, note) => call('POST /api/collections/{id}/notes', { path: { id }, body: note }),
    changeNote: (id, text) => call('PATCH /api/notes/{id}', { path: { id }, body: { text } }),
    removeNote: (id) => call('DELETE /api/notes/{id}', { path: { id } }),

    tables: () => items(call('GET /api/tables', {})),
    table: (id) => call('GET /api/tables/{id}', { path: { id } }),
    makeTable: (change) => call('POST /api/tables', { body: change }),
    changeTable: (id, change) => call('PATCH /api/tables/{id}', { path: { id }, body: change }),
    removeTable: (id) => call('DELETE /api/tables/{id}', { path: { id } }),
    stopTable: (id) => call('POST /api/tables/{id}/stop', { path: { id } }),
    fillTable: (id) => call('POST /api/tables/{id}/fill', { path: { id } }),
    followTable: (id, after, onEvent, onEnd) =>
      follow<TableEvent>('GET /api/tables/{id}/events', { id }, { after, onEnd, onEvent: (event) => (onEvent(event), event.kind === 'done') }),

    source: (id) => call('GET /api/sources/{id}', { path: { id } }),
    sourceText: (id, at) => call('GET /api/sources/{id}/text', { path: { id }, query: { ...at } }),
    passage: (id) => call('GET /api/passages/{id}', { path: { id } }),
    previewImage: (id) => `/api/sources/${encodeURIComponent(id)}/image`,

    models: () => call('GET /api/models', {}),
    openData: () => call('POST /api/data/open', {}),
    testModel: (model) => call('POST /api/models/test', { body: { model } }),
    listModels: (provider) => call('POST /api/models/list', { body: { provider } }),
    pullModel: async (model, onEvent) => {
      const { job } = await call('POST /api/models/pull', { body: { model } });
      follow<JobEvent>('GET /api/jobs/{id}/events', { id: job }, { after: 0, onEnd: () => {}, onEvent: (event) => (onEvent(event), event.kind !== 'pulling') });
      return job;
    },
    stopJob: (id) => call('DELETE /api/jobs/{id}', { path: { id } }),
    setRoles: (roles) => done(call('PUT /api/models/roles', { body: roles })),
    engines: () => items(call('GET /api/engines', {})),
    testEngine: (name) => call('POST /api/engines/{name}/test', { path: { name } }),
    settings: async () => flatSettings((await call('GET /api/settings', {})) as SettingsView),
    putSettings: (changes) => done(call('PUT /api/settings', { body: changes })),
    setKey: (name, value) => call('PUT /api/keys/{name}', { path: { name }, body: { value } }),
    removeKey: (name) => call('DELETE /api/keys/{name}', { path: { name } }),
    personas: () => items(call('GET /api/personas', {})),
    putPersona: ({ id, ...persona }) => (id ? call('PUT /api/personas/{id}', { path: { id }, body: persona }) : call('POST /api/personas', { body: persona })),
    removePersona: (id) => call('DELETE /api/personas/{id}', { path: { id } }),
    lenses: () => items(call('GET /api/lenses', {})),
    setLenses: (lenses) => items(call('PUT /api/lenses', { body: lenses })),
    health: () => call('GET /api/health', {}),
    update: () => call('GET /api/update', {}),
    lookForUpdate: () => call('POST /api/update', {}),
  };
}
