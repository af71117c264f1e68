/** Which badge of the text stands for which citation, and which words it vouches for. */
import type { Locator, SourceCard, Verdict } from '../api/types';
import { unitsOf } from './codepoints';
import type { Claim, Mark } from './markdown/stream';
import type { Highlight } from './pdf/highlight';
import type { FootnoteView, RunView } from './view';

/** One badge in the text with all that it stands for. */
export interface Note {
  /** Position among the badges of the answer, from 0. */
  k: number;
  /** The number of its source, as the answer was written. */
  n: number;
  /** The number it wears: sources count in the order in which the text names them. */
  shown: number;
  /** Where its marker stands in the text. */
  at: number;
  verdict: Verdict;
  source: SourceCard | undefined;
  /** The citation behind it; null until the marker has been bound. */
  cited: FootnoteView | null;
  /** Passage it opens; "" when the source has none. */
  passage: string;
  /** Name of its claim in the text; "" when there is none. */
  claim: string;
}

/** Where the words of a note stand: its quote once it has been checked, else its source's passage. */
export function placeOfNote(note: Note | undefined): Locator | undefined {
  return note?.cited?.at ?? note?.source?.passages.find(({ id }) => id === note.passage)?.locator ?? note?.source?.locator;
}

/** From best to worst: how much doubt a verdict raises. */
const doubt: Record<Verdict, number> = { unchecked: 0, quoted: 1, supported: 1, partly: 2, 'not-found': 3, contradicted: 4 };

/** The worse of two verdicts. */
export function worse(a: Verdict, b: Verdict): Verdict {
  return doubt[b] > doubt[a] ? b : a;
}

/** The claims of a view as places in its text, each once, in order. */
export function claimsOf(view: RunView): Claim[] {
  const at = unitsOf(view.text);
  const claims = new Map<string, Claim>();
  for (const { claim } of view.footnotes) {
    const start = at(claim.start);
    const end = at(claim.end);
    if (end > start) claims.set(claimId(claim), { id: claimId(claim), start, end });
  }
  return [...claims.values()].sort((a, b) => a.start - b.start);
}

/** The numbers that sources wear: in the order in which the text names them, the others behind them. */
export function numbersOf(named: readonly { n: number }[], sources: readonly SourceCard[]): Map<number, number> {
  const rest = sources.map((source) => source.n).sort((a, b) => a - b);
  const numbers = new Map<number, number>();
  for (const n of [...named.map((mark) => mark.n), ...rest]) if (!numbers.has(n)) numbers.set(n, numbers.size + 1);
  return numbers;
}

/** Binds the drawn markers to the citations of the view. */
export function notesOf(view: RunView, marks: readonly Mark[]): Note[] {
  const numbers = numbersOf(marks, view.sources);
  const at = unitsOf(view.text);
  const free = view.footnotes.map((footnote) => ({ footnote, start: at(footnote.claim.start), used: false }));
  return marks.map((mark) => {
    const fitting = free.filter((f) => f.footnote.marker === mark.n && f.start <= mark.at);
    const nearest = Math.max(...fitting.map((f) => f.start));
    const near = fitting.filter((f) => f.start === nearest);
    const found = near.find((f) => !f.used) ?? near[0];
    if (found) found.used = true;
    return asNote(mark, numbers.get(mark.n) ?? mark.n, found?.footnote ?? null, view);
  });
}

/** What the notes of an answer prove with a source, as highlights of its pages. Notes without words there have none. */
export function highlightsOf(view: RunView, notes: readonly Note[], source: string): Highlight[] {
  const all = notes.flatMap((note): Highlight[] => {
    const { cited } = note;
    const page = placeOfNote(note)?.page ?? 0;
    if (note.source?.id !== source || !cited?.quote?.text || page < 1 || note.verdict === 'not-found') return [];
    const { start, text } = cited.quote;
    const at = unitsOf(text);
    const lit = cited.highlight.map((range) => text.slice(at(range.start - start), at(range.end - start))).filter(Boolean);
    return [{ page, quotes: (lit.length ? lit : [text]).map((words) => ({ text: words, before: '' })), text: claimText(view, note) }];
  });
  return all.filter((one, i) => all.findIndex((other) => JSON.stringify(other) === JSON.stringify(one)) === i);
}

function asNote(mark: Mark, shown: number, cited: FootnoteView | null, view: RunView): Note {
  const source = view.sources.find((card) => card.n === mark.n);
  return {
    k: mark.k, n: mark.n, shown, at: mark.at, source, cited,
    verdict: cited && view.checked ? cited.verdict : 'unchecked',
    passage: cited?.passage || source?.passages[0]?.id || '',
    claim: cited ? claimId(cited.claim) : '',
  };
}

function claimId(claim: { start: number; end: number }): string {
  return `${claim.start}-${claim.end}`;
}

/** The worst verdict of each claim: it decides how the words are underlined. */
export function verdictsOfClaims(notes: readonly Note[]): Map<string, Verdict> {
  const verdicts = new Map<string, Verdict>();
  for (const note of notes) {
    if (note.claim) verdicts.set(note.claim, worse(verdicts.get(note.claim) ?? 'unchecked', note.verdict));
  }
  return verdicts;
}

/** The words of a note's claim, without the markers in it. */
export function claimText(view: RunView, note: Note): string {
  if (!note.cited) return '';
  const at = unitsOf(view.text);
  const words = view.text.slice(at(note.cited.claim.start), at(note.cited.claim.end));
  return words.replace(/\s*\[\d{1,3}\]/g, '').replace(/[*_`]{1,3}/g, '').trim();
}
