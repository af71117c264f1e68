/** Words of a page as a highlight of the PDF format, in the page's own points. Pure. */
import type { Hit, Quote } from './match';
import { cornersOf, type Run } from './places';

/** Words to be highlighted, where they begin, and what they prove. */
export interface Highlight {
  /** From 1. */
  page: number;
  quotes: Quote[];
  text: string;
}

/** What the writer of the document takes for a highlight. */
export interface PdfHighlight {
  annotationType: 9;
  pageIndex: number;
  color: [number, number, number];
  opacity: number;
  rotation: 0;
  rect: number[];
  quadPoints: number[];
  outlines: number[][];
  date: Date;
  popup: { rect: number[]; contents: string };
}

/** The yellow of proof, as on the page. */
const yellow: [number, number, number] = [255, 226, 122];
/** A highlight over the hits, with what the words prove as its comment. */
export function highlightOf(runs: readonly Run[], hits: readonly Hit[], pageIndex: number, text: string): PdfHighlight {
  const corners = hits.flatMap((hit) => {
    const run = runs[hit.piece];
    return run ? [cornersOf(run, hit)] : [];
  });
  const xs = corners.flat().map(([x]) => x);
  const ys = corners.flat().map(([, y]) => y);
  const rect = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
  return {
    annotationType: 9, pageIndex, color: yellow, opacity: 1, rotation: 0, rect, date: new Date(), popup: { rect, contents: text },
    quadPoints: corners.flatMap(([topLeft, topRight, bottomRight, bottomLeft]) => [...topLeft, ...topRight, ...bottomLeft, ...bottomRight]),
    outlines: corners.map((four) => four.flat()),
  };
}
