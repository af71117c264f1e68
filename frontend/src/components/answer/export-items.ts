import { answerTexts } from '../../lib/texts-answer';
import type { MenuItem } from '../../ui/Menu.svelte';

const t = answerTexts.export;
const heads: Partial<Record<string, string>> = { md: t.read, bibtex: t.cite, json: t.keep };

/** The formats a thread can be taken away in, as items of a menu. */
export const exportItems: MenuItem[] = Object.entries(t.formats).map(([id, [label, detail]]) => ({ id, label, detail, ...(heads[id] ? { head: heads[id] } : {}) }));
