/** The table of contents of a document, flattened to its upper level. */

/** A heading and the page it begins on, from 1. */
export interface Section {
  title: string;
  page: number;
}

interface Entry {
  title: string;
  dest: string | unknown[] | null;
  items: Entry[];
}

/** What is asked of a document. */
export interface Outlined {
  getOutline(): Promise<Entry[] | null>;
  getDestination(name: string): Promise<unknown[] | null>;
  getPageIndex(reference: never): Promise<number>;
}

const most = 60;

/** The sections of a document in order. A lone title gives way to what is below it. */
export async function sectionsOf(document: Outlined): Promise<Section[]> {
  let entries = (await document.getOutline().catch(() => null)) ?? [];
  if (entries.length === 1 && entries[0]?.items.length) entries = entries[0].items;
  const found = await Promise.all(entries.slice(0, most).map((entry) => sectionOf(document, entry)));
  return found.filter((section) => section !== null);
}

async function sectionOf(document: Outlined, entry: Entry): Promise<Section | null> {
  try {
    const target = typeof entry.dest === 'string' ? await document.getDestination(entry.dest) : entry.dest;
    const place = target?.[0];
    const title = entry.title.trim();
    if (!title || place === undefined || place === null) return null;
    return { title, page: 1 + (typeof place === 'number' ? place : await document.getPageIndex(place as never)) };
  } catch {
    return null; // a heading that points nowhere
  }
}

/** The section that a page is in. */
export function sectionAt(sections: readonly Section[], page: number): Section | undefined {
  return sections.findLast((section) => section.page <= page);
}
