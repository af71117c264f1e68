/** An answer as text for the clipboard. */
import type { SourceCard } from '../api/types';
import type { RunView } from './view';
import { numbersOf, type Note } from './footnotes';
import { nameOf, placeIn } from './wording';

/** Blanks that may stand before a marker. */
const blanks = 2;

/** The text with its markers as they are shown: sources count in the order of appearance. */
function numbered(view: RunView, notes: readonly Note[]): string {
  let text = '';
  let from = 0;
  for (const { at, n, shown } of notes) {
    const marker = `[${n}]`;
    const start = view.text.indexOf(marker, Math.max(at, from));
    if (start < 0 || start > at + blanks) continue; // the text grew since it was drawn
    text += `${view.text.slice(from, start)}[${shown}]`;
    from = start + marker.length;
  }
  return text + view.text.slice(from);
}

const code = /(```[^]*?(?:```|$)|`[^`\n]+`)/;

/** Markdown without its marks. What keeps signs from being markup goes too, but where a number in brackets would become a footnote. */
const bare = (markdown: string): string =>
  markdown
    .replace(/^#{1,6}[ \t]+/gm, '')
    .replace(/(\*\*|__)(?=\S)([^\n]*?\S)\1/g, '$2')
    .replace(/\\(?!\[\^?\d)([!-/:-@[-`{-~])/g, '$1');

/** The answer as plain text, markers as [n]; code stands as it is. */
export function plainAnswer(view: RunView, notes: readonly Note[]): string {
  return numbered(view, notes)
    .split(code)
    .map((part, i) => (i % 2 ? part : bare(part)))
    .join('')
    .trim();
}

/** That the answer is cut off, as a paragraph; none where it is whole. */
const cutOff = (view: RunView): string[] => view.notices.filter((notice) => notice.code === 'cut-off').map((notice) => notice.message);

/** What the text names, by the numbers that are shown. */
function cited(view: RunView, notes: readonly Note[]): { source: SourceCard; shown: number }[] {
  const numbers = numbersOf(notes, view.sources);
  const named = view.sources.filter((source) => notes.some((note) => note.n === source.n));
  return named.map((source) => ({ source, shown: numbers.get(source.n) ?? source.n })).sort((a, b) => a.shown - b.shown);
}

/** What an answer cites, for paper: each source by its number, with every sentence of it that is cited. */
export function printedSources(view: RunView, notes: readonly Note[]): { shown: number; where: string; url: string; quotes: string[] }[] {
  return cited(view, notes).map(({ source, shown }) => {
    const quotes = notes.filter((note) => note.n === source.n).map((note) => note.cited?.quote?.text.replace(/\s+/g, ' ').trim() ?? '');
    return { shown, where: [nameOf(source), placeIn(source.locator)].filter(Boolean).join(', '), url: source.url ?? '', quotes: [...new Set(quotes)].filter(Boolean) };
  });
}

/** A source as a line: its name, where in it, and its address in the web. */
const lineOf = (source: SourceCard): string => [[nameOf(source), placeIn(source.locator)].filter(Boolean).join(', '), source.url ? `<${source.url}>` : ''].filter(Boolean).join(' ');

/** The answer as plain text with a list of what it cites. */
export function listedAnswer(view: RunView, notes: readonly Note[]): string {
  const lines = cited(view, notes).map(({ source, shown }) => `[${shown}] ${lineOf(source)}`);
  return [plainAnswer(view, notes), ...cutOff(view), ...(lines.length ? [lines.join('\n')] : [])].join('\n\n') + '\n';
}

/** Text processors do not know "auto": they are told which way it was drawn. */
function keepDirections(drawn: Element, copy: Element): void {
  const copies = copy.querySelectorAll('[dir]');
  drawn.querySelectorAll('[dir]').forEach((element, i) => {
    const way = getComputedStyle(element).direction;
    copies[i]?.setAttribute('dir', way === 'rtl' ? 'rtl' : 'ltr');
  });
}

/** The answer as it is drawn, for a text processor: footnotes as raised numbers, the list of what it cites below. */
export function richAnswer(drawn: Element, view: RunView, notes: readonly Note[]): string {
  const copy = drawn.cloneNode(true) as Element;
  keepDirections(drawn, copy);
  for (const badge of copy.querySelectorAll<HTMLElement>('button.fn')) {
    const raised = document.createElement('sup');
    raised.textContent = `[${notes[Number(badge.dataset.k)]?.shown ?? badge.dataset.marker ?? ''}]`;
    badge.replaceWith(raised);
  }
  for (const element of copy.querySelectorAll('button, svg')) element.remove();
  for (const element of copy.querySelectorAll('*')) for (const { name } of [...element.attributes]) if (name !== 'href' && name !== 'dir') element.removeAttribute(name);
  const list = document.createElement('div');
  for (const said of cutOff(view)) list.appendChild(document.createElement('p')).textContent = said;
  for (const { source, shown } of cited(view, notes)) {
    const line = list.appendChild(document.createElement('p'));
    line.textContent = `[${shown}] ${[nameOf(source), placeIn(source.locator)].filter(Boolean).join(', ')} `;
    if (source.url) Object.assign(line.appendChild(document.createElement('a')), { href: source.url, textContent: source.url });
  }
  return copy.innerHTML + list.innerHTML;
}

/** The answer as Markdown: question, text, and each source with where it stands and what it says. */
export function markdownAnswer(view: RunView, notes: readonly Note[]): string {
  const lines = cited(view, notes).map(({ source, shown }) => {
    const where = [nameOf(source), placeIn(source.locator)].filter(Boolean).join(', ');
    const address = source.url ? ` <${source.url}>` : '';
    const quote = notes.find((note) => note.n === source.n && note.cited?.quote?.text)?.cited?.quote?.text;
    return `[${shown}] ${where}${address}${quote ? `: “${quote.replace(/\s+/g, ' ').trim()}”` : ''}`;
  });
  return [`# ${view.question}`, numbered(view, notes).trim(), ...cutOff(view), ...(lines.length ? ['---', lines.join('  \n')] : [])].join('\n\n') + '\n';
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

/** Puts rich text on the clipboard, with plain text beside it; where that is refused, the plain text alone. */
export async function copyRich(html: string, text: string): Promise<boolean> {
  try {
    const part = (type: string, of: string): Blob => new Blob([of], { type });
    await navigator.clipboard.write([new ClipboardItem({ 'text/html': part('text/html', html), 'text/plain': part('text/plain', text) })]);
    return true;
  } catch {
    return copyText(text);
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
