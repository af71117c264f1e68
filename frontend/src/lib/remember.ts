/**
 * What this browser keeps between visits. A web view keeps it per user, so each
 * key carries the name of the data folder: two folders never see each other's
 * drafts. Losing any of it costs comfort only.
 */

/** The data folder that this page shows; "" when the page was not told. */
const home = (): string => document.documentElement.dataset.home ?? '';

const named = (key: string): string => `footnote.${home()}.${key}`;

/** Reads a kept value; null when there is none or storage is closed. */
export function remembered(key: string): string | null {
  try {
    return localStorage.getItem(named(key));
  } catch {
    return null;
  }
}

/** Keeps a value, or with null lets it go. */
export function remember(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(named(key));
    else localStorage.setItem(named(key), value);
  } catch {
    // Storage is closed to us; the value holds until the page is left.
  }
}
