/** Words of a page as a highlight of the PDF format, in the page's own points. Pure. */
import type { Hit, Quote } from './match';

/** Words to be highlighted, where they begin, and what they prove. */
export interface Highlight {
  /** From 1. */
  page: number;
  quotes: Quote[];
  text: string;
}

/** A piece of text where it stands: its matrix, and its length along the line. */
export interface Run {
  str: string;
  dir: string;
  transform: number[];
  width: number;
  height: number;
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
/** How far letters reach above and below their line, of their size. */
const above = 0.85;
const below = 0.22;

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

type Point = [x: number, y: number];

/** The corners of a hit, from the upper left on with the clock, as its letters stand. */
function cornersOf(run: Run, { start, end }: Hit): [Point, Point, Point, Point] {
  const [a = 1, b = 0, c = 0, d = 1, x = 0, y = 0] = run.transform;
  const along = unit(a, b);
  const up = unit(c, d);
  const length = Math.max(run.str.length, 1);
  const [from, to] = run.dir === 'rtl' ? [1 - end / length, 1 - start / length] : [start / length, end / length];
  const at = (share: number, height: number): Point => [
    x + along[0] * share * run.width + up[0] * height * run.height, y + along[1] * share * run.width + up[1] * height * run.height,
  ];
  return [at(from, above), at(to, above), at(to, -below), at(from, -below)];
}

function unit(x: number, y: number): Point {
  const size = Math.hypot(x, y) || 1;
  return [x / size, y / size];
}
