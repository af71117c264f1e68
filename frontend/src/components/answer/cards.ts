/** What a source card says at a moment: its quote, its doubt, how far reading has come. */
import type { SourceCard, Verdict } from '../../api/types';
import { numbersOf, worse, type Note } from '../../lib/footnotes';
import { plural } from '../../lib/format';
import type { LeadView, RunView } from '../../lib/view';

/** A source with the notes that rest on it. */
export interface Card {
  source: SourceCard;
  /** The number it wears. */
  number: number;
  notes: Note[];
  /** The note whose quote is shown: the lit one, else the most doubtful. */
  shown: Note | undefined;
  lit: boolean;
  verdict: Verdict;
  /** A line under the quote, "" for none. */
  meta: string;
  /** Something about the source that the reader should know. */
  flag: string;
}

/** The cards of a view in the order in which the text names them; what it does not name comes last, by number. */
export function cardsOf(view: RunView, notes: readonly Note[], lit: number | null): Card[] {
  const numbers = numbersOf(notes, view.sources);
  const place = (source: SourceCard): number => numbers.get(source.n) ?? 0;
  return [...view.sources].sort((a, b) => place(a) - place(b)).map((source) => {
    const own = notes.filter((note) => note.source === source);
    const chosen = own.find((note) => note.k === lit);
    const verdict = chosen?.verdict ?? own.reduce<Verdict>((worst, note) => worse(worst, note.verdict), 'unchecked');
    const shown = chosen ?? own.find((note) => note.verdict === verdict);
    return { source, number: place(source), notes: own, shown, lit: chosen !== undefined, verdict, meta: metaOf(own, chosen, shown), flag: flagOf(source) };
  });
}

/** Whether a source stands beside an ended answer that does not name it: it wears no number there. */
export const alsoFound = (view: RunView, card: Card): boolean => view.status === 'finished' && card.notes.length === 0;

/** Whether the sources that wear no number begin with a card; where none wears one, what stands above all of them says so. */
export const alsoBegins = (view: RunView, cards: readonly Card[], i: number): boolean =>
  view.outcome !== 'no-evidence' && alsoFound(view, cards[i]!) && (i === 0 || !alsoFound(view, cards[i - 1]!));

function metaOf(own: Note[], chosen: Note | undefined, shown: Note | undefined): string {
  if (shown && shown.verdict !== 'contradicted' && shown.cited?.why) return shown.cited.why;
  const supported = own.filter((note) => note.verdict === 'supported').length;
  return chosen && supported > 1 ? `Supports ${plural(supported, 'sentence')}` : '';
}

const flags: Record<string, string> = {
  instructions: 'Contains instructions, ignored', 'partly-read': 'Only part of it was read', garbled: 'Some of its text is garbled',
  snippet: 'Only the search result was read', 'snippet-only': 'Only the search result was read', stale: 'Changed since it was read',
  truncated: 'The end is missing',
};

function flagOf(source: SourceCard): string {
  const known = (source.flags ?? []).map((flag) => flags[flag]).find(Boolean);
  if (known) return known;
  return source.coverage > 0 && source.coverage < 0.995 ? `${Math.round(source.coverage * 100)} % of it was read` : '';
}

/** Pages that have no number (yet): being read, not in time, blocked. */
export function pendingOf(view: RunView): LeadView[] {
  const numbered = new Set(view.sources.map((source) => source.id));
  return view.leads.filter((lead) => lead.engine !== 'library' && lead.state !== 'found' && !numbered.has(lead.source));
}

/** Pages in the order they came; those of one site that were not read for one reason are one line with their count. */
export function pendingLines(view: RunView): { lead: LeadView; pages: number }[] {
  const lines = new Map<string, { lead: LeadView; pages: number }>();
  for (const lead of pendingOf(view)) {
    const name = lead.state === 'unread' ? [lead.domain || lead.address, lead.code, lead.reason].join('\n') : lead.source;
    const line = lines.get(name);
    if (line) line.pages++;
    else lines.set(name, { lead, pages: 1 });
  }
  return [...lines.values()];
}

/** State of a page in words. */
export function leadWords(lead: LeadView, running: boolean): string {
  if (lead.state === 'read') return 'Read';
  if (lead.state === 'reading') return running ? 'Reading' : 'Not in time';
  if (lead.code === 'timeout') return 'Not in time';
  return { blocked: 'Blocked', captcha: 'Blocked', paywall: 'Paywall', robots: 'Not allowed', 'too-large': 'Too large', 'not-text': 'No text' }[lead.code] ?? 'Not read';
}

/** What stands beside the word Notes. */
export function notesHead(view: RunView): string {
  if (view.status !== 'running') return String(new Set(view.footnotes.map((note) => note.marker)).size || view.sources.length);
  const pages = view.leads.filter((lead) => lead.engine !== 'library' && lead.state !== 'found');
  const read = pages.filter((lead) => lead.state === 'read').length;
  const found = view.searches.reduce((sum, search) => sum + search.count, 0);
  const parts = [found && !view.text ? `${found} found` : '', pages.length ? `${read} of ${pages.length} read` : ''];
  return parts.filter(Boolean).join(', ');
}
