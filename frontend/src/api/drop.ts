import type { Drop, Unsubscribe } from './backend';

const carriesFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false;

/** Files, or an address: whatever a web view would leave the page for. */
const leadsAway = (event: DragEvent): boolean => {
  const types = event.dataTransfer?.types ?? [];
  return types.length === 0 || types.includes('Files') || types.includes('text/uri-list');
};

const readFile = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, reject) => entry.file(resolve, reject));

const readFolder = (reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> =>
  new Promise((resolve, reject) => reader.readEntries(resolve, reject));

async function filesOf(entry: FileSystemEntry): Promise<File[]> {
  if (entry.isFile) return [await readFile(entry as FileSystemFileEntry)];
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const files: File[] = [];
  // Browsers give at most 100 entries a call; an empty list is the end.
  for (let batch = await readFolder(reader); batch.length > 0; batch = await readFolder(reader)) {
    for (const inner of batch) files.push(...(await filesOf(inner)));
  }
  return files;
}

/** The files of a drop, folders walked. The entries must be taken before the first await. */
async function droppedFiles(transfer: DataTransfer): Promise<File[]> {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.() ?? null);
  const known = entries.filter((entry) => entry !== null);
  if (known.length === 0) return [...transfer.files];
  return (await Promise.all(known.map(filesOf))).flat();
}

/** Tells whether files are dragged over the window. Leaving an inner element does not count. */
export function hoverOf(onHover: (over: boolean) => void): Unsubscribe {
  const stop = new AbortController();
  let depth = 0;
  const listen = (type: string, handle: (event: DragEvent) => void): void =>
    window.addEventListener(type, (e) => carriesFiles(e as DragEvent) && handle(e as DragEvent), { signal: stop.signal });
  listen('dragenter', () => ++depth === 1 && onHover(true));
  listen('dragleave', () => --depth <= 0 && ((depth = 0), onHover(false)));
  // Where nobody takes it, a web view opens what is dropped in place of the page.
  for (const type of ['dragenter', 'dragover', 'drop']) {
    window.addEventListener(type, (event) => leadsAway(event as DragEvent) && event.preventDefault(), { capture: true, signal: stop.signal });
  }
  listen('drop', () => ((depth = 0), onHover(false)));
  return () => stop.abort();
}

/** Files dropped anywhere on the page. */
export function browserDrops(onDrop: (drop: Drop) => void, onHover: (over: boolean) => void): Unsubscribe {
  const leave = hoverOf(onHover);
  const handle = (event: DragEvent): void => {
    if (!carriesFiles(event) || !event.dataTransfer) return;
    event.preventDefault();
    void droppedFiles(event.dataTransfer).then((files) => onDrop({ paths: [], files }));
  };
  window.addEventListener('drop', handle);
  return () => {
    leave();
    window.removeEventListener('drop', handle);
  };
}
