import { describe, expect, it } from 'vitest';
import { type Outlined, sectionAt, sectionsOf } from './sections';

const entry = (title: string, dest: string | unknown[] | null, items: never[] = []) => ({ title, dest, items });
const document = (outline: unknown): Outlined => ({
  getOutline: async () => outline as never,
  getDestination: async (name) => (name === 'water' ? [{ num: 7 }] : null),
  getPageIndex: async ({ num }: { num: number }) => num + 1,
});

describe('sectionsOf', () => {
  it('names the pages of headings and leaves out those that point nowhere', async () => {
    const outline = [entry('Fire', [2]), entry('Water', 'water'), entry('Lost', 'gone'), entry(' ', [3])];
    expect(await sectionsOf(document(outline))).toEqual([{ title: 'Fire', page: 3 }, { title: 'Water', page: 9 }]);
  });

  it('goes below a lone title', async () => {
    const outline = [{ ...entry('Policy', [0]), items: [entry('Fire', [2])] }];
    expect(await sectionsOf(document(outline))).toEqual([{ title: 'Fire', page: 3 }]);
  });

  it('gives nothing for a document without contents', async () => {
    expect(await sectionsOf(document(null))).toEqual([]);
  });
});

describe('sectionAt', () => {
  it('gives the last section that has begun', () => {
    const sections = [{ title: 'Fire', page: 3 }, { title: 'Water', page: 9 }];
    expect([2, 3, 8, 30].map((page) => sectionAt(sections, page)?.title)).toEqual([undefined, 'Fire', 'Fire', 'Water']);
  });
});
