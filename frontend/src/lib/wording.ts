/** How the answer screen puts facts into words. */
import type { Diff, LedgerEntry, Locator, SourceCard, SourceInfo, Verdict } from '../api/types';
import { engineName } from './engines';
import { placeOfNote, type Note } from './footnotes';
import { baseName, bytes, count, folderOf, plural } from './format';
import { answerTexts } from './texts-answer';
import { currentStage, isOwn, type RunView } from './view';

/** Sign after a badge's number; a verdict is never told by colour alone. */
export const signs: Record<Verdict, string> = { unchecked: '', quoted: '', supported: '', partly: '~', 'not-found': '?', contradicted: '≠' };

export const verdictWords: Record<Verdict, string> = {
  unchecked: 'Being checked', quoted: 'Quoted word for word', supported: 'Supported', partly: 'Partly supported', 'not-found': 'Not found in the passage',
  contradicted: 'Contradicts the sentence',
};

const spoken: Record<Verdict, string> = {
  unchecked: 'Being checked.', quoted: 'Quoted word for word.', supported: 'Supported.', partly: 'Partly supported.', 'not-found': 'Not found in the passage.',
  contradicted: 'Contradicted by the passage.',
};

/** "page 14", "Slide 4", "Sheet 'Costs' B2:D9", "line 31" or "". */
export function placeIn(at: Locator | undefined): string {
  if (at?.place) return at.place;
  if (at?.page) return `page ${at.page}`;
  return at?.line ? `line ${at.line}` : '';
}

/** "p. 14", "Slide 4", "line 31" or "". */
export function shortPlace(at: Locator | undefined): string {
  return at?.page && !at.place ? `p. ${at.page}` : placeIn(at);
}

/** "page 14 of 38", "line 31" or "". */
export function placeOf(at: Locator | undefined, pages = 0): string {
  return [placeIn(at), at?.page && !at.place && pages ? `of ${count(pages)}` : ''].filter(Boolean).join(' ');
}

/** How the text that is shown relates to the file or page of today. */
export function asRead(shown: { info: SourceInfo | null; stretch: { stale: boolean } | null; unseen: string }, own: boolean): string {
  const { info, stretch, unseen } = shown;
  const read = info?.read_at ? day(info.read_at) : '';
  if (stretch?.stale) return `The ${own ? 'file' : 'page'} has changed since ${read || 'it was read'}. This is the text that was read.`;
  if (unseen) return `${unseen} This is the text that was read.`;
  return read ? `As read on ${read}.${own ? ' The file has not changed since.' : ''}` : '';
}

/** "Section 4, Water" from a heading path; a sheet, which the place names, is left out. */
export function headingIn(at: Locator | undefined): string {
  return (at?.heading ?? '').split(' > ').filter(Boolean).slice(at?.place?.startsWith('Sheet ') ? 1 : 0).join(', ');
}

/** Where a source comes from: folders of a file, host and month of a page. */
export function origin(source: SourceCard): string {
  if (isOwn(source)) return folderOf(source.path ?? '', []) || 'Your file';
  if (source.kind === 'pasted') return 'With the question';
  return [source.domain || 'Computed', source.published ? month(source.published) : ''].filter(Boolean).join(' · ');
}

/** The name a source goes by: file name or page title. */
export function nameOf(source: SourceCard): string {
  return isOwn(source) ? baseName(source.path ?? '') || source.title : source.title || source.domain || '';
}

/** Short name for a chip: folder of a file, host of a page. */
export function shortOrigin(source: SourceCard): string {
  return isOwn(source) ? origin(source).split(' › ').at(-1) ?? '' : source.domain || (source.kind === 'pasted' ? origin(source) : '');
}

/** "Mar 2026". */
export function month(date: string): string {
  return format(date, { month: 'short', year: 'numeric' });
}

/** "21 Nov 2026". */
export function day(date: string): string {
  return format(date, { day: 'numeric', month: 'short', year: 'numeric' });
}

function format(date: string, options: Intl.DateTimeFormatOptions): string {
  const at = new Date(date);
  return Number.isNaN(at.getTime()) ? '' : new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' }).format(at);
}

/** "Also in Costs.xlsx and 2 more files", "Copied at example.org", "" when nowhere else. */
export function alsoIn(source: SourceCard): string {
  const [first, ...more] = source.also_in ?? [];
  if (!first) return '';
  if (/^https?:/.test(first)) return `Copied at ${new URL(first).host}${more.length ? ` and ${plural(more.length, 'more address', 'more addresses')}` : ''}`;
  return `Also in ${baseName(first)}${more.length ? ` and ${plural(more.length, 'more file')}` : ''}`;
}

/** Who found a source, as a sentence. */
export function foundBy(engine: string): string {
  if (engine === 'you') return 'You named it.';
  return engine ? `Found by ${engine === 'library' ? 'the library' : engineName(engine)}.` : '';
}

/** What a screen reader says of a badge. */
export function badgeLabel(note: Note): string {
  const place = note.source ? [nameOf(note.source), placeIn(placeOfNote(note))].filter(Boolean).join(', ') : '';
  const whose = note.source && isOwn(note.source) ? ', your file' : '';
  return `Footnote ${note.shown}: ${place}${whose}. ${spoken[note.verdict]}`;
}

/** "3 of your files, 2 web pages, 1 search result": what has a footnote. A result that was not read is no page. */
export function restsOn(view: RunView): string {
  const cited = new Set(view.footnotes.map((footnote) => footnote.marker));
  const sources = view.sources.filter((source) => cited.has(source.n));
  const own = sources.filter(isOwn).length;
  const pasted = sources.filter((source) => source.kind === 'pasted').length;
  const results = sources.filter(isSnippet).length;
  const web = sources.length - own - pasted - results;
  const parts = [own ? plural(own, 'of your files', 'of your files') : '', pasted ? 'pasted text' : '', web ? plural(web, 'web page') : '', results ? plural(results, 'search result') : ''];
  return parts.filter(Boolean).join(', ');
}

/** Whether only what a search engine shows of a source was read. */
export const isSnippet = (source: SourceCard): boolean => (source.flags ?? []).some((flag) => flag === 'snippet' || flag === 'snippet-only');

const letters = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ').trim();

/** Where a question without an answer was looked for, and by what other words than its own: "Searched your files and 2 engines for “tower”. The web was not asked." */
export function searchedWords(view: RunView): string {
  const t = answerTexts.nothing;
  if (view.seq === 0) return ''; // what was searched is told by its events alone
  const asked = enginesAsked(view);
  const engines = enginesAsked(view, (search) => search.state === 'answered');
  const own = view.plan?.shelf ?? view.searches.some((search) => search.engine === 'library');
  if (!own && asked === 0) return t.nowhere;
  if (!own && engines === 0) return t.silent(asked);
  const where = [own ? t.files : '', engines ? t.engines(engines) : ''].filter(Boolean).join(' and ');
  const queries = (view.plan?.queries ?? []).filter((query) => letters(query) !== letters(view.question)).slice(0, 2).map((query) => `“${query}”`).join(' and ');
  const unheard = asked === 0 ? t.noWeb : asked > engines ? t.silent(asked - engines) : '';
  return [t.searched(where, queries), unheard].filter(Boolean).join(' ');
}

/** How many engines of the web were asked, or did as is asked of their searches. */
export function enginesAsked(view: RunView, which: (search: RunView['searches'][number]) => boolean = () => true): number {
  return new Set(view.searches.filter((search) => search.engine !== 'library' && which(search)).map((search) => search.engine)).size;
}

/** "5.1 s", "48 s", "2:05". */
export function seconds(ms: number): string {
  if (ms < 59_950) return `${(Math.max(0, ms) / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`;
  const whole = Math.round(ms / 1000);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

/** What is being waited for, by stage. */
const waitingFor: Record<string, string> = {
  plan: 'the model', gather: 'search engines', read: 'web pages', select: 'the ranking', compose: 'the model',
  check: 'the check', images: 'pictures', finish: 'the model',
};

const silence = 10_000;

/** The live words of a run that goes on; after ten silent seconds they say what is awaited. */
export function liveLabel(view: RunView, now: number): string {
  const stage = currentStage(view);
  if (!stage) return 'Starting…';
  const silent = now - view.heard;
  if (silent < silence) return stage.label;
  return `Waiting for ${waitingFor[stage.stage] ?? 'the next step'}, ${Math.floor(silent / 1000)} s`;
}

/** "2 of 5 pages read", while that says something. */
export function pagesRead(view: RunView): string {
  const pages = view.leads.filter((lead) => lead.engine !== 'library' && lead.state !== 'found');
  const read = pages.filter((lead) => lead.state === 'read').length;
  return pages.length ? `${read} of ${plural(pages.length, 'page')} read` : '';
}

/** How a run ended: "Answered in 5.1 s". */
export function endedLabel(view: RunView): string {
  const took = view.answer?.latency_ms ?? Math.max(0, view.ended - view.began);
  const time = took > 0 ? ` ${view.status === 'finished' ? 'in' : 'after'} ${seconds(took)}` : '';
  if (view.status === 'failed') return `Not finished${time ? `, failed${time}` : ''}`;
  if (view.status === 'stopped') return `Stopped${time}`;
  if (view.outcome === 'no-evidence') return `Nothing found${time.replace(' in ', ' after ')}`;
  if (view.outcome === 'computed') return `${view.sources.length ? 'Counted' : 'Worked out'}${time}`;
  if (view.outcome === 'extracted') return `Quoted${time}`;
  return view.cached ? 'Answered from the last time' : `Answered${time}`;
}

/** "Nothing has changed", "3 changes": what came of checking an earlier answer. */
export function diffWords(diff: Diff): string {
  const changes = [diff.claims, diff.links, diff.passages, diff.sources].reduce((sum, list) => sum + (list?.length ?? 0), 0);
  return changes === 0 ? answerTexts.diff.sameShort : answerTexts.diff.changedShort(changes);
}

/** One sentence for the screen reader when a run has ended. */
export function readyWords(view: RunView, notes: readonly Note[]): string {
  if (view.status !== 'finished') return '';
  const counts = countVerdicts(notes);
  const doubts = [
    counts.partly ? `${counts.partly} partly supported` : '', counts['not-found'] ? `${counts['not-found']} not found` : '',
    counts.contradicted ? `${counts.contradicted} contradicted` : '',
  ];
  if (view.outcome === 'no-evidence') return answerTexts.nothing.fact;
  return ['Answer ready', view.answer?.diff ? diffWords(view.answer.diff) : '', notes.length ? plural(notes.length, 'footnote') : '', ...doubts].filter(Boolean).join(', ');
}

/** "86 % sure that it answers": what a quoted answer is worth; "" where nothing was weighed. */
export function sureWords(view: RunView): string {
  const { grade, confidence } = view.answer ?? {};
  if (confidence === null || confidence === undefined) return '';
  const percent = `${Math.round(100 * confidence)} %`;
  return grade === 'answers' ? `${percent} sure that it answers` : `${percent} sure that ${grade === 'none' ? 'the closest one answers' : 'they answer'}`;
}

/** How many badges carry each verdict. */
export function countVerdicts(notes: readonly Note[]): Record<Verdict, number> {
  const counts: Record<Verdict, number> = { unchecked: 0, quoted: 0, supported: 0, partly: 0, 'not-found': 0, contradicted: 0 };
  for (const note of notes) counts[note.verdict]++;
  return counts;
}

const thisComputer = /^(?:127(?:\.\d+){3}|localhost|\[?::1\]?)(?::\d+)?$/;

/** What a host was asked for, in words. */
export const purposeWords = (purpose: string): string => answerTexts.purposes[purpose] ?? purpose;

/** Whether a host is this computer. */
export function isHere(host: string): boolean {
  return thisComputer.test(host);
}

/** What went beyond this computer, by the bytes that were counted. */
export function leftHere(view: RunView): LedgerEntry[] {
  return view.ledger.filter((entry) => !isHere(entry.host) && entry.bytes_out > 0);
}

/** "3 hosts, 1.6 KB sent, no file text", or that nothing left; "" while that is not known. */
export function sentWords(view: RunView, machine: string): string {
  const away = leftHere(view);
  if (away.length === 0) return view.ledger.length || view.answer ? answerTexts.inspect.nothingLeft(machine) : '';
  const hosts = new Set(away.map((entry) => entry.host)).size;
  const out = away.reduce((sum, entry) => sum + entry.bytes_out, 0);
  const own = new Set(view.sources.filter(isOwn).flatMap((source) => source.passages.map((passage) => passage.id)));
  const sent = new Set(away.flatMap((entry) => entry.sent ?? []).filter((id) => own.has(id))).size;
  return `${plural(hosts, 'host')}, ${bytes(out)} sent, ${sent ? `${plural(sent, 'passage')} of your files` : 'no file text'}`;
}

const onSingle = 'Answer relies on single source';

/** The warnings of a report in words; that an answer has one source alone is no fault of it. */
export function cautions(warnings: string[]): { single: boolean; lines: string[] } {
  const lines = warnings.filter((warning) => warning !== onSingle).map((warning) => answerTexts.warnings[warning] ?? warning);
  return { single: warnings.includes(onSingle), lines };
}

/** "2.4k"; "≈" when it is an estimate. */
export function tokens(total: number, estimated = false): string {
  const amount = total < 100 ? String(total) : `${(total / 1000).toFixed(total < 10_000 ? 1 : 0)}k`;
  return estimated ? `≈${amount}` : amount;
}
