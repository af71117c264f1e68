/**
 * The backend in the desktop window: bound methods of the program and named
 * window events. A stream is never sent through the asset server, and no
 * FormData or Blob ever leaves the page: on some systems that ends the process.
 */
import { type Backend, Fault, type Unsubscribe } from './backend';
import { client } from './client';
import { hoverOf } from './drop';
import { fileBytes } from './file';
import { type AnySent, itemsOf, type Listener, type Route, saying, type Transport } from './transport';
import type { Failure } from './types';

/** A bound Go method: arguments and result cross as JSON. */
type Bound = (...args: unknown[]) => Promise<unknown>;

interface WailsRuntime {
  EventsOn(name: string, handle: (...data: unknown[]) => void): Unsubscribe;
  OnFileDrop(handle: (x: number, y: number, paths: string[]) => void, useDropTarget: boolean): void;
  OnFileDropOff(): void;
}

declare global {
  interface Window {
    /** What is bound in the main window, and in the box. */
    go?: { main: { App?: Record<string, Bound>; Box?: Record<string, Bound> } };
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

export async function bound<T>(method: string, ...args: unknown[]): Promise<T> {
  const run = (window.go?.main.App ?? window.go?.main.Box)?.[method];
  if (!run) {
    throw new Fault({ code: 'internal', message: 'The window does not know this command.', hint: 'Update Footnote.' });
  }
  try {
    return (await run(...args)) as T;
  } catch (error) {
    throw wailsFault(error);
  }
}

const newName = (): string => crypto.randomUUID();

/** Names and parameters cross as text, the body as it is. */
const crossing = ({ path, query, body }: AnySent, after = 0) => ({ path: path ?? {}, query: saying(query), body, after });

async function call<T>(route: Route, sent: AnySent): Promise<T> {
  const name = sent.signal ? newName() : '';
  sent.signal?.addEventListener('abort', () => void bound('Cancel', name), { once: true });
  return bound('Call', route, crossing(sent), name);
}

/** What Go emits on a channel: an event, or the reason why there will be no more. */
type Followed<E> = E | { fault: Failure };

function follow<E extends { seq: number }>(route: Route, path: Record<string, string>, { after, onEvent, onEnd }: Listener<E>): Unsubscribe {
  const channel = newName();
  let seq = after;
  let open = true;
  const leave = (): void => {
    if (!open) return;
    open = false;
    off?.();
    void bound('Cancel', channel).catch(() => {}); // the window is closing, or it had ended anyway
  };
  const end = (fault: Fault | null): void => {
    if (!open) return;
    leave();
    onEnd(fault);
  };
  // The page subscribes before it asks: no event can be missed.
  const off = window.runtime?.EventsOn(`footnote:event:${channel}`, (data) => {
    const message = data as Followed<E>;
    if (!open) return;
    if ('fault' in message) return end(wailsFault(message.fault));
    if (message.seq <= seq) return;
    seq = message.seq;
    if (onEvent(message)) end(null);
  });
  bound('Follow', route, crossing({ path }, after), channel).catch((error: unknown) => end(wailsFault(error)));
  return leave;
}

/** Bytes come through the window's own asset server: one request, one answer, nothing streamed. */
async function sourceFile(id: string): Promise<ArrayBuffer> {
  const response = await fetch(`/api/sources/${encodeURIComponent(id)}/file`);
  if (!response.ok) throw new Fault({ code: 'not-found', message: 'The file cannot be drawn here.', hint: 'Open it in another program.' });
  return fileBytes(response);
}

const transport: Transport = { call: (route, sent) => call(route, sent as AnySent), follow };

/** Makes the backend of the desktop window. */
export function wailsBackend(): Backend {
  return {
    ...client(transport),
    desktop: true,

    exportThread: (id, format, run) => bound('ExportThread', id, format, run ?? ''),
    exportTable: (id, format) => bound('ExportTable', id, format),
    upload: () =>
      Promise.reject(new Fault({ code: 'not-acceptable', message: 'The window reads files in place.', hint: 'Drop the file or choose it.' })),
    sourceFile,
    saveCopy: (id, name, bytes) => bound('SaveCopy', id, name, inBase64(bytes)),
    openSource: (id) => bound('OpenSource', id),

    openExternal: (url) => bound('OpenExternal', url),
    around: async () => itemsOf(await bound<string[] | null>('Around')),
    chooseFolder: async () => itemsOf(await bound<string[] | null>('ChooseFolder')),
    chooseFiles: async () => itemsOf(await bound<string[] | null>('ChooseFiles')),
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

/** Bytes as the window's calls can carry them: it takes no blobs. */
function inBase64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text);
}
