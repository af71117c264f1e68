/** The backend of this page: the desktop window's when it is one, else the browser's. */
import type { Backend } from './backend';
import { httpBackend } from './http';
import { wailsBackend } from './wails';

const listeners = new Set<() => void>();

/** Called when the program refuses this page's session. */
export function onUnauthorized(listener: () => void): void {
  listeners.add(listener);
}

export const backend: Backend = window.go
  ? wailsBackend()
  : httpBackend({ onUnauthorized: () => listeners.forEach((listener) => listener()) });

export {
  type Backend, type Drop, Fault, type LibraryApi, type NotesApi, type OnEnd, type RunsApi, type SettingsApi, type SourcesApi, type TablesApi, type SharingApi, type ThreadsApi,
  type Unsubscribe,
} from './backend';
export * from './events';
export * from './types';
