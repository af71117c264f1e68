/** Where found words stand on a drawn page. */
import type { Hit } from './match';
import { cornersOf, type Run } from './places';

/** A box on the page, in percent of its sides, so that it stays right at every size. */
export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
  /** The whole quote, at its first box; "" at the others. */
  text: string;
}

interface Rect {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** A page as it is drawn: its size, and where on it a point stands. */
export interface View {
  width: number;
  height: number;
  convertToViewportPoint(x: number, y: number): number[];
}

/** The boxes of a quote over a page; pieces of one line become one box. */
export function boxesOf(view: View, runs: readonly Run[], hits: readonly Hit[], text: string): Box[] {
  const rects = hits.flatMap((hit) => {
    const run = runs[hit.piece];
    return run ? [rectOf(view, run, hit)] : [];
  });
  return joined(rects.filter((rect) => rect.right > rect.left)).map((rect, i) => ({
    left: (100 * rect.left) / view.width,
    top: (100 * rect.top) / view.height,
    width: (100 * (rect.right - rect.left)) / view.width,
    height: (100 * (rect.bottom - rect.top)) / view.height,
    text: i === 0 ? text : '',
  }));
}

function rectOf(view: View, run: Run, hit: Hit): Rect {
  const corners = cornersOf(run, hit).map(([x, y]) => view.convertToViewportPoint(x, y));
  const xs = corners.map(([x = 0]) => x);
  const ys = corners.map(([, y = 0]) => y);
  return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) };
}

/** Joins rectangles that follow each other on one line. */
function joined(rects: readonly Rect[]): Rect[] {
  const lines: Rect[] = [];
  for (const rect of rects) {
    const last = lines.at(-1);
    const height = rect.bottom - rect.top;
    const level = last && Math.abs(last.top - rect.top) < height / 2 && Math.abs(last.bottom - rect.bottom) < height / 2;
    if (last && level && rect.left >= last.left && rect.left - last.right < height * 2) {
      last.right = Math.max(last.right, rect.right);
      last.top = Math.min(last.top, rect.top);
      last.bottom = Math.max(last.bottom, rect.bottom);
    } else {
      lines.push({ left: rect.left, top: rect.top, right: rect.right, bottom: rect.bottom });
    }
  }
  return lines;
}
