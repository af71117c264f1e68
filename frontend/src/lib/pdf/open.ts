/** Opens documents with pdf.js. Only ever imported when a page is to be shown. */
import './polyfill';
import * as pdfjs from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import PdfWorker from './worker?worker';
import type { View } from './boxes';
import { type Highlight, highlightOf } from './highlight';
import { findQuote, lettersOf } from './match';
import { type Run, widthsOf } from './places';
import { sectionsOf, type Section } from './sections';

/** A page drawn onto a canvas, with its text laid over it. */
export interface Drawn {
  /** Its text, in reading order. */
  runs: Run[];
  view: View;
}

/** A document of pages. Pages count from 1. */
export interface Pages {
  readonly count: number;
  /** Size of a page at scale 1, in CSS pixels. */
  size(page: number): Promise<{ width: number; height: number }>;
  /** The pieces of text of a page. */
  pieces(page: number): Promise<string[]>;
  /** Draws a page. A later call for the same canvas ends an earlier one. */
  draw(page: number, scale: number, canvas: HTMLCanvasElement, layer: HTMLElement): Promise<Drawn>;
  /** The table of contents, if the document has one. */
  sections(): Promise<Section[]>;
  /** What is printed as the number of each page; null where the document does not say. */
  labels(): Promise<string[] | null>;
  /** A copy of the document with these words highlighted, and how many of them were found on their pages or next to them; no bytes when none was. */
  highlighted(notes: readonly Highlight[]): Promise<{ bytes: Uint8Array; found: number }>;
  close(): void;
}

// Fonts, character maps and a picture decoder that some documents need; the build puts them there.
const parts = `${import.meta.env.BASE_URL}assets/pdf/`;
const mostPixels = 16_000_000;

/** Opens the bytes of a document; rejects when they are damaged or locked. */
export async function openPages(bytes: ArrayBuffer): Promise<Pages> {
  pdfjs.GlobalWorkerOptions.workerPort ??= new PdfWorker();
  const loading = pdfjs.getDocument({
    data: new Uint8Array(bytes), isEvalSupported: false, useWasm: false, enableXfa: false, stopAtErrors: false, verbosity: 0, fontExtraProperties: true,
    standardFontDataUrl: `${parts}fonts/`, cMapUrl: `${parts}cmaps/`, cMapPacked: true, wasmUrl: `${parts}decoders/`,
  });
  return new PdfPages(await loading.promise, () => void loading.destroy());
}

type Content = Awaited<ReturnType<PDFPageProxy['getTextContent']>>;

const piecesOf = ({ items }: Content): string[] => items.flatMap((item) => ('str' in item ? [item.str] : []));

/** The text of a page with the widths of its letters, as far as its fonts are loaded. */
function runsOf(page: PDFPageProxy, { items }: Content): Run[] {
  const known = new Map<string, Run['widths']>();
  return items.flatMap((item): Run[] => {
    if (!('str' in item)) return [];
    const { str, dir, transform, width, height, fontName } = item;
    if (!known.has(fontName)) known.set(fontName, page.commonObjs.has(fontName) ? widthsOf(page.commonObjs.get(fontName)) : undefined);
    const widths = known.get(fontName);
    return [{ str, dir, transform: transform as number[], width, height, ...(widths && { widths }) }];
  });
}

class PdfPages implements Pages {
  readonly count: number;
  readonly close: () => void;
  readonly #pdf: PDFDocumentProxy;
  readonly #drawing = new WeakMap<HTMLCanvasElement, { cancel(): void; promise: Promise<unknown> }>();

  constructor(pdf: PDFDocumentProxy, close: () => void) {
    this.#pdf = pdf;
    this.count = pdf.numPages;
    this.close = close;
  }

  async size(page: number): Promise<{ width: number; height: number }> {
    const { width, height } = (await this.#page(page)).getViewport({ scale: 1 });
    return { width, height };
  }

  async pieces(page: number): Promise<string[]> {
    return piecesOf(await (await this.#page(page)).getTextContent());
  }

  async draw(n: number, scale: number, canvas: HTMLCanvasElement, layer: HTMLElement): Promise<Drawn> {
    const page = await this.#page(n);
    const viewport = page.getViewport({ scale });
    const sharp = Math.min(window.devicePixelRatio || 1, Math.sqrt(mostPixels / (viewport.width * viewport.height)));
    const before = this.#drawing.get(canvas);
    before?.cancel();
    await before?.promise.catch(() => {}); // it says that it was ended
    canvas.width = Math.floor(viewport.width * sharp);
    canvas.height = Math.floor(viewport.height * sharp);
    const drawing = page.render({ canvas, viewport, transform: [sharp, 0, 0, sharp, 0, 0] });
    this.#drawing.set(canvas, drawing);
    layer.replaceChildren();
    layer.style.setProperty('--total-scale-factor', String(scale));
    const content = await page.getTextContent();
    const text = new pdfjs.TextLayer({ textContentSource: content, container: layer, viewport });
    await Promise.all([drawing.promise, text.render()]);
    return { runs: runsOf(page, content), view: viewport };
  }

  sections(): Promise<Section[]> {
    return sectionsOf(this.#pdf);
  }

  labels(): Promise<string[] | null> {
    return this.#pdf.getPageLabels();
  }

  async highlighted(notes: readonly Highlight[]): Promise<{ bytes: Uint8Array; found: number }> {
    const storage = this.#pdf.annotationStorage;
    const keys: string[] = [];
    let found = 0;
    try {
      for (const note of notes) {
        const at = await this.#find(note);
        if (!at) continue;
        found++;
        const key = `pdfjs_internal_editor_${keys.length}`;
        keys.push(key);
        storage.setValue(key, highlightOf(at.runs, at.hits, at.page - 1, note.text));
      }
      return { bytes: found > 0 ? await this.#pdf.saveDocument() : new Uint8Array(), found };
    } finally {
      for (const key of keys) storage.remove(key);
    }
  }

  /** The page on which the words of a note stand: where they begin, or next to it. */
  async #find({ page: first, quotes }: Highlight) {
    for (const page of [first, first + 1, first - 1]) {
      if (page < 1 || page > this.count) continue;
      const shown = await this.#page(page);
      const content = await shown.getTextContent();
      const letters = lettersOf(piecesOf(content));
      const hits = quotes.flatMap((quote) => findQuote(letters, quote));
      if (hits.length === 0) continue;
      await shown.getOperatorList(); // loads its fonts
      return { page, runs: runsOf(shown, content), hits };
    }
    return null;
  }

  #page(n: number): Promise<PDFPageProxy> {
    return this.#pdf.getPage(Math.min(Math.max(1, n), this.count));
  }
}
