/**
 * What this browser keeps between visits. A web view keeps it per user, so each
 * key carries the name of the data folder: two folders never see each other's
 * drafts. Losing any of it costs comfort only.
 */

/** The data folder that this page shows; "" when the page was not told. */
const home = (): string => globalThis.document?.documentElement.dataset.home ?? '';

const named = (key: string): string => `footnote.${home()}.${key}`;

/** What must not be stored, or could not be: it holds until the page is left. */
const held = new Map<string, string>();

/** What is stored when the keys rest: storing takes longer than typing a letter. */
const soon = new Map<string, string>();
const restMs = 300;
let rest: ReturnType<typeof setTimeout> | undefined;

/** Reads a kept value; null when there is none or storage is closed. */
export function remembered(key: string): string | null {
  const now = held.get(named(key)) ?? soon.get(named(key));
  if (now !== undefined) return now;
  try {
    return localStorage.getItem(named(key));
  } catch {
    return null;
  }
}

/** Keeps a value, or with null lets it go. */
export function remember(key: string, value: string | null): void {
  held.delete(named(key));
  soon.delete(named(key));
  put(named(key), value);
}

/** Keeps a value that changes with every key. */
export function rememberSoon(key: string, value: string): void {
  held.delete(named(key));
  soon.set(named(key), value);
  rest ??= setTimeout(storeNow, restMs);
}

/** Stores what waits for that. */
export function storeNow(): void {
  clearTimeout(rest);
  rest = undefined;
  for (const [name, value] of soon) put(name, value);
  soon.clear();
}
if (typeof window !== 'undefined') for (const leaving of ['blur', 'pagehide']) window.addEventListener(leaving, storeNow);

function put(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(name);
    else localStorage.setItem(name, value);
  } catch {
    if (value === null) return;
    put(name, null);
    held.set(name, value); // storage is closed to us, or full
  }
}

/** Keeps a value until the page is left, and stores nothing of it. */
export function hold(key: string, value: string): void {
  remember(key, null);
  held.set(named(key), value);
}

/** The value is not stored. */
export function isHeld(key: string): boolean {
  return held.has(named(key));
}
