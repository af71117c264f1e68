/** An answer as text for the clipboard. */
import type { RunView } from './view';
import type { Note } from './footnotes';
import { nameOf, placeIn } from './wording';

/** The answer as plain text, markers kept as [n]. */
export function plainAnswer(view: RunView): string {
  return view.text
    .replace(/^#{1,6}[ \t]+/gm, '')
    .replace(/(\*\*|__)(?=\S)([^\n]*?\S)\1/g, '$2')
    .trim();
}

/** The answer as Markdown: question, text, and each source with where it stands and what it says. */
export function markdownAnswer(view: RunView, notes: readonly Note[]): string {
  const list = [...view.sources].sort((a, b) => a.n - b.n).filter((source) => notes.some((note) => note.n === source.n));
  const lines = list.map((source) => {
    const where = [nameOf(source), placeIn(source.locator)].filter(Boolean).join(', ');
    const address = source.url ? ` <${source.url}>` : '';
    const quote = notes.find((note) => note.n === source.n && note.cited?.quote?.text)?.cited?.quote?.text;
    return `[${source.n}] ${where}${address}${quote ? `: “${quote.replace(/\s+/g, ' ').trim()}”` : ''}`;
  });
  return [`# ${view.question}`, view.text.trim(), ...(lines.length ? ['---', lines.join('  \n')] : [])].join('\n\n') + '\n';
}

/** Puts text on the clipboard; gives whether that worked. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** For web views that refuse the clipboard interface. */
function copyBySelection(text: string): boolean {
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'sr';
  document.body.append(field);
  field.select();
  const done = document.execCommand('copy');
  field.remove();
  return done;
}
