/** Where the reader is: the address after `#`. Back and Forward always work. */

import { texts } from '../lib/texts';

export type Route =
  | { name: 'home' }
  | { name: 'thread'; threadId: string; runId?: string; note?: number }
  | { name: 'library'; passage?: string; q?: string }
  | { name: 'table'; tableId: string; cell?: string }
  | { name: 'about'; file?: string; folder?: string; open?: string }
  | { name: 'notebook'; notebookId: string; open?: string }
  | { name: 'shared'; sharedId: string; link?: string }
  | { name: 'settings'; part: SettingsPartName }
  | { name: 'unknown'; address: string };

export type SettingsPartName = keyof typeof texts.settings.parts;

const isPart = (part: string): part is SettingsPartName => Object.hasOwn(texts.settings.parts, part);

/** Reads the part of an address after `#`. A place that is a list may be named in the plural. */
export function parseRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const [place, rest = ''] = path.split('/', 2);
  if (place === '') return { name: 'home' };
  if (place === 'library') return { name: 'library', ...libraryParams(query) };
  if (place === 'table' || place === 'tables') return { name: 'table', tableId: decoded(rest), ...cellParam(query) };
  if (place === 'about') return { name: 'about', ...aboutParams(query) };
  if (place === 'notebook' || place === 'notebooks') return { name: 'notebook', notebookId: decoded(rest), ...openParam(query) };
  if (place === 'shared') return { name: 'shared', sharedId: decoded(rest), ...linkParam(query) };
  const part = rest || 'models';
  if (place === 'settings' && isPart(part)) return { name: 'settings', part };
  if (place === 'thread' && rest) return { name: 'thread', threadId: decoded(rest), ...threadParams(query) };
  return { name: 'unknown', address: path };
}

/** An id of an address; one that is not written as addresses are stands as it is, and is not found. */
function decoded(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

function libraryParams(query: string): { passage?: string; q?: string } {
  const params = new URLSearchParams(query);
  const passage = params.get('passage');
  const q = params.get('q');
  return { ...(passage ? { passage } : {}), ...(q ? { q } : {}) };
}

/** The cell that is open: the id of its file and the number of its question, from 0. */
function cellParam(query: string): { cell?: string } {
  const cell = new URLSearchParams(query).get('cell');
  return cell ? { cell } : {};
}

/** A file, by id or path, or a folder; and which of its sentences is open, from 1. */
function aboutParams(query: string): { file?: string; folder?: string; open?: string } {
  const params = new URLSearchParams(query);
  const [file, folder] = [params.get('file'), params.get('folder')];
  return { ...(file ? { file } : {}), ...(folder ? { folder } : {}), ...openParam(query) };
}

/** The secret of a link that somebody sent. */
function linkParam(query: string): { link?: string } {
  const link = new URLSearchParams(query).get('link');
  return link ? { link } : {};
}

/** The note whose words are open in their source, by id. */
function openParam(query: string): { open?: string } {
  const open = new URLSearchParams(query).get('open');
  return open ? { open } : {};
}

function threadParams(query: string): { runId?: string; note?: number } {
  const params = new URLSearchParams(query);
  const note = Number(params.get('note'));
  return {
    ...(params.get('run') ? { runId: params.get('run') ?? '' } : {}),
    ...(Number.isInteger(note) && note > 0 ? { note } : {}),
  };
}

/** Writes an address; the reverse of `parseRoute`. */
export function hrefOf(route: Route): string {
  switch (route.name) {
    case 'home':
      return '#/';
    case 'library':
      return `#/library${queryOf({ passage: route.passage, q: route.q })}`;
    case 'table':
      return `#/table${route.tableId ? `/${encodeURIComponent(route.tableId)}` : ''}${queryOf({ cell: route.cell })}`;
    case 'about':
      return `#/about${queryOf({ file: route.file, folder: route.folder, open: route.open })}`;
    case 'notebook':
      return `#/notebook${route.notebookId ? `/${encodeURIComponent(route.notebookId)}` : ''}${queryOf({ open: route.open })}`;
    case 'shared':
      return `#/shared${route.sharedId ? `/${encodeURIComponent(route.sharedId)}` : ''}${queryOf({ link: route.link })}`;
    case 'settings':
      return `#/settings/${route.part}`;
    case 'unknown':
      return `#/${route.address}`;
    case 'thread':
      return `#/thread/${encodeURIComponent(route.threadId)}${queryOf({ run: route.runId, note: route.note ? String(route.note) : '' })}`;
  }
}

function queryOf(params: Record<string, string | undefined>): string {
  const given = Object.entries(params).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return given.length > 0 ? `?${new URLSearchParams(given).toString()}` : '';
}

export class Router {
  route = $state.raw<Route>({ name: 'home' });

  constructor() {
    this.route = parseRoute(location.hash);
  }

  /** Follows the address bar until the returned function is called. */
  start(): () => void {
    const read = (): void => {
      this.route = parseRoute(location.hash);
    };
    read();
    window.addEventListener('hashchange', read);
    return () => window.removeEventListener('hashchange', read);
  }

  go(route: Route): void {
    location.hash = hrefOf(route);
    this.route = parseRoute(location.hash);
  }

  /** Goes where something that was made shows, unless the reader went elsewhere while it was made: then false. `from` is where they were. */
  follow(from: string, to: Route): boolean {
    if (this.place !== from) return false;
    this.go(to);
    return true;
  }

  /** Which screen is shown, whatever is open on it. */
  get place(): string {
    return hrefOf(this.route).split('?', 1)[0] ?? '';
  }

  openThread(threadId: string, at: { runId?: string; note?: number } = {}): void {
    this.go({ name: 'thread', threadId, ...at });
  }

  /** Opens the passage of footnote n, or closes it; Back undoes that. */
  setNote(note: number | null): void {
    const { route } = this;
    if (route.name !== 'thread' || (route.note ?? null) === note) return;
    this.go({ ...route, note: note ?? undefined });
  }
}

export const router = new Router();
