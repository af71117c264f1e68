/** The text around a passage, as it was read, with the quote in it; and its page, where there are pages. */
import { Fault, type SourcesApi } from '../api/backend';
import type { Locator, Range, SourceInfo } from '../api/types';
import { slicePoints } from '../lib/codepoints';
import { placeOfNote, type Note } from '../lib/footnotes';
import type { Quote } from '../lib/pdf/match';
import type { Pages } from '../lib/pdf/open';
import { placeOfWords } from '../lib/select';
import { notebookTexts } from '../lib/texts-notebooks';
import type { Stretch } from '../lib/view';

export type PassagePort = Pick<SourcesApi, 'source' | 'sourceText' | 'sourceFile' | 'passage'>;
/** Opens the bytes of a document of pages. */
export type OpenPages = (bytes: ArrayBuffer) => Promise<Pages>;

/** A place in a source: its passage, and the parts of the passage that are to be lit. */
export interface Place {
  source: string;
  passage: string;
  at: Locator;
  /** Offsets of the passage's text. */
  lit: Range[];
}

const around = 3000;
const step = 6000;
const context = 60;
const nowhere: Locator = { page: 0, line: 0, heading: '', start: 0, end: 0 };

const withPdf: OpenPages = async (bytes) => (await import('../lib/pdf/open')).openPages(bytes);

export class PassageStore {
  stretch = $state.raw<Stretch | null>(null);
  info = $state.raw<SourceInfo | null>(null);
  /** The document's pages, once they can be drawn; null for a source without any. */
  pages = $state.raw<Pages | null>(null);
  /** Why pages that should be there are not; "" otherwise. */
  unseen = $state('');
  /** What the reader wants to see where there are pages. */
  wanted = $state<'page' | 'text'>('page');
  at = $state.raw<Locator>(nowhere);
  /** What carries the claim, and the passage it stands in; offsets of the whole text. */
  marks = $state.raw<Range[]>([]);
  soft = $state.raw<Range | null>(null);
  fault = $state.raw<Fault | null>(null);
  /** Counts what has been opened; the view scrolls to the quote when it changes. */
  opened = $state(0);

  /** The words to be lit, with what stands before them, to be found again on a page. */
  readonly quotes: Quote[] = $derived.by(() => this.#quotes());

  readonly #api: PassagePort;
  readonly #openPages: OpenPages;
  #source = '';
  #turn = 0;

  constructor(api: PassagePort, openPages: OpenPages = withPdf) {
    this.#api = api;
    this.#openPages = openPages;
  }

  /** Opens the passage behind a note. A stretch that is already here is used again. */
  async open(note: Note): Promise<void> {
    const { source, passage, cited } = note;
    if (!source) return;
    const at = placeOfNote(note) ?? nowhere;
    const quote = cited?.quote && cited.quote.end > cited.quote.start ? [cited.quote] : [];
    const lit = cited?.highlight.length ? cited.highlight : cited?.verdict === 'not-found' ? [] : quote;
    await this.#show({ source: source.id, passage, at, lit });
  }

  /** Opens a place, with parts of its passage lit. */
  async openPlace(place: Place): Promise<void> {
    await this.#show(place);
  }

  /** Opens a passage by id, with parts of its text lit. */
  async openPassage(id: string, words: readonly string[] = []): Promise<void> {
    const turn = ++this.#turn;
    try {
      const passage = await this.#api.passage(id);
      if (turn !== this.#turn) return;
      await this.#show({ source: passage.source, passage: id, at: passage.locator, lit: placesOf(passage.text, words) });
    } catch (error) {
      if (turn === this.#turn) this.fault = Fault.of(error);
    }
  }

  /** Fetches more text before (-1) or after (+1) what is shown. */
  async more(by: 1 | -1): Promise<void> {
    const shown = this.stretch;
    if (!shown) return;
    const range = by < 0
      ? { start: Math.max(0, shown.start - step), end: shown.start }
      : { start: shown.end, end: Math.min(shown.total, shown.end + step) };
    if (range.end <= range.start) return;
    const turn = this.#turn;
    const got = await this.#api.sourceText(this.#source, range);
    if (turn !== this.#turn || this.stretch !== shown) return;
    this.stretch = by < 0
      ? { ...shown, text: got.text + shown.text, start: got.start, blocks: [...(got.blocks ?? []), ...(shown.blocks ?? [])] }
      : { ...shown, text: shown.text + got.text, end: got.end, blocks: [...(shown.blocks ?? []), ...(got.blocks ?? [])] };
  }

  /** Where words of the document stand in its text, by what stands before them. Rejects with a Fault when they are not there. */
  async quote(words: string, before: string): Promise<{ text: string; source: string; locator: Locator }> {
    const shown = this.stretch;
    const near = shown && placeOfWords(shown.text, words, before);
    const whole = near || !shown ? null : await this.#api.sourceText(this.#source, { start: 0, end: shown.total });
    const [text, from, found] = near ? [shown.text, shown.start, near] : [whole?.text ?? '', whole?.start ?? 0, whole && placeOfWords(whole.text, words, before)];
    if (!found) throw new Fault({ code: 'not-found', message: notebookTexts.selected.lost, hint: notebookTexts.selected.lostHint });
    return { text: slicePoints(text, found.start, found.end), source: this.#source, locator: { ...nowhere, start: from + found.start, end: from + found.end } };
  }

  /** Lets go of what is held. */
  close(): void {
    this.#turn++;
    this.#source = '';
    this.pages?.close();
    Object.assign(this, { stretch: null, info: null, pages: null, unseen: '', fault: null });
  }

  async #show(place: Place): Promise<void> {
    const turn = ++this.#turn;
    const { at, lit } = place;
    this.at = at;
    this.marks = lit.map((range) => ({ start: at.start + range.start, end: at.start + range.end }));
    this.soft = at.end > at.start ? { start: at.start, end: at.end } : null;
    if (place.source === this.#source && this.#holds(at)) {
      this.opened++;
      return;
    }
    if (place.source !== this.#source) {
      this.close();
      this.#turn = turn;
    }
    this.#source = place.source;
    await this.#load(place, turn);
  }

  async #load({ source: id, passage, at }: Place, turn: number): Promise<void> {
    const where = at.end > at.start ? { start: Math.max(0, at.start - around), end: at.end + around } : { passage };
    try {
      const [text, info] = await Promise.all([this.#api.sourceText(id, where), this.info ?? this.#api.source(id).catch(() => null)]);
      if (turn !== this.#turn) return;
      this.stretch = text;
      this.info = info;
      this.fault = null;
      if (at.end <= at.start) this.marks = text.highlight ?? [];
      this.opened++;
    } catch (error) {
      if (turn === this.#turn) this.fault = Fault.of(error);
      return;
    }
    await this.#loadPages(id);
  }

  /** Pages show the file as it is now: only when that is what was read. */
  async #loadPages(id: string): Promise<void> {
    if (this.pages || this.info?.media_type !== 'application/pdf' || this.stretch?.stale) return;
    try {
      const pages = await this.#openPages(await this.#api.sourceFile(id));
      if (id !== this.#source) return pages.close();
      this.pages = pages;
    } catch (error) {
      if (id === this.#source) this.unseen = error instanceof Fault && error.code !== 'internal' ? error.message : 'Its pages cannot be drawn here.';
    }
  }

  #quotes(): Quote[] {
    const { stretch, marks, soft } = this;
    if (!stretch) return [];
    const slice = (start: number, end: number): string => slicePoints(stretch.text, start - stretch.start, end - stretch.start);
    return (marks.length ? marks : soft ? [soft] : [])
      .map(({ start, end }) => ({ text: slice(start, end), before: slice(Math.max(stretch.start, start - context), start) }));
  }

  #holds(at: Locator): boolean {
    return this.stretch !== null && at.end > at.start && at.start >= this.stretch.start && at.end <= this.stretch.end;
  }
}

/** Where words stand in a text, in code points. A word also lights longer ones that it begins. */
export function placesOf(text: string, words: readonly string[]): Range[] {
  const chars = [...text.toLowerCase()];
  const wanted = words.map((word) => [...word.toLowerCase()]).filter((word) => word.length > 1);
  const letter = (at: number): boolean => /[\p{L}\p{N}]/u.test(chars[at] ?? '');
  const found: Range[] = [];
  for (let i = 0; i < chars.length; i++) {
    if (letter(i - 1)) continue;
    const word = wanted.filter((w) => w.every((c, k) => chars[i + k] === c)).sort((a, b) => b.length - a.length)[0];
    if (!word) continue;
    let end = i + word.length;
    while (letter(end)) end++;
    found.push({ start: i, end });
    i = end - 1;
  }
  return found;
}
