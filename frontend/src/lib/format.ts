/** Numbers and names as people read them. */

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

export const count = (n: number): string => whole.format(n);

/** "1 file", "3,310 files". */
export const plural = (n: number, one: string, many = `${one}s`): string => `${count(n)} ${n === 1 ? one : many}`;

/** Bytes in decimal units, as file managers show them. */
export function bytes(n: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  let at = 0;
  let value = n;
  while (value >= 1000 && at < units.length - 1) {
    value /= 1000;
    at += 1;
  }
  return `${at === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[at]}`;
}

/** "about 2 minutes", "about 40 seconds". */
export function about(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1000));
  if (seconds < 90) return `about ${plural(seconds, 'second')}`;
  if (seconds < 5400) return `about ${plural(Math.round(seconds / 60), 'minute')}`;
  return `about ${plural(Math.round(seconds / 3600), 'hour')}`;
}

const separators = /[\\/]+/;

/** The last part of a path, on any system. */
export const baseName = (path: string): string => path.split(separators).filter(Boolean).at(-1) ?? path;

/** The name of a file beside its title; "" where the title says as much. */
export function nameBeside(title: string, path: string): string {
  const name = baseName(path);
  return name === title || name.replace(/\.[^.]+$/, '') === title ? '' : name;
}

/** A folder of the library, or all files that stand in none, to be chosen together. */
export interface Whole {
  id: string;
  label: string;
  folder: boolean;
  paths: string[];
}

/** What of the library can be chosen as a whole: each folder, and the single files together. */
export function wholesOf(roots: readonly { path: string; folder?: boolean }[], singles: (n: number) => string): Whole[] {
  const folders = roots.filter((root) => root.folder !== false).map(({ path }): Whole => ({ id: path, label: baseName(path), folder: true, paths: [path] }));
  const files = roots.filter((root) => root.folder === false).map(({ path }) => path);
  const [first] = files;
  if (!first) return folders;
  return [...folders, { id: 'single files', label: files.length === 1 ? baseName(first) : singles(files.length), folder: false, paths: files }];
}

const copied = /^[0-9a-f]{16}$/;

/** The folders between a root and a file: "House › Boiler". */
export function folderOf(path: string, roots: string[]): string {
  const root = roots.filter((r) => path.startsWith(r)).sort((a, b) => b.length - a.length)[0];
  const inside = (root ? path.slice(root.length) : path).split(separators).filter(Boolean).slice(0, -1);
  // What was uploaded lies in folders that are named by digest, which say nothing.
  const named = inside.filter((part, i) => !(copied.test(part) && (i > 0 ? inside[i - 1] : baseName(root ?? '')) === 'uploads'));
  return (root ? named : named.slice(-2)).join(' › ');
}

/** Where each of several files lies, for those whose name one from elsewhere has too; "" for the others. */
export function apart(files: readonly { title: string; path: string }[]): string[] {
  const folders = files.map(({ path }) => folderOf(path, []));
  return files.map(({ title }, f) => (files.some((other, o) => other.title === title && folders[o] !== folders[f]) ? folders[f]! : ''));
}

/** Characters as people count them: code points. */
export const length = (text: string): number => [...text].length;
