/** Where found words stand on a drawn page. */
import type { Hit } from './match';

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

/** The boxes of a quote over a sheet; pieces of one line become one box. */
export function boxesOf(sheet: HTMLElement, elements: readonly HTMLElement[], hits: readonly Hit[], text: string): Box[] {
  const whole = sheet.getBoundingClientRect();
  const rects = joined(hits.flatMap((hit) => rectsOf(elements[hit.piece], hit)));
  return rects.map((rect, i) => ({
    left: (100 * (rect.left - whole.left)) / whole.width,
    top: (100 * (rect.top - whole.top)) / whole.height,
    width: (100 * (rect.right - rect.left)) / whole.width,
    height: (100 * (rect.bottom - rect.top)) / whole.height,
    text: i === 0 ? text : '',
  }));
}

function rectsOf(element: HTMLElement | undefined, hit: Hit): Rect[] {
  const node = element?.firstChild;
  if (!node) return [];
  const range = document.createRange();
  const length = node.textContent?.length ?? 0;
  range.setStart(node, Math.min(hit.start, length));
  range.setEnd(node, Math.min(hit.end, length));
  return [...range.getClientRects()].filter((rect) => rect.width > 0);
}

/** Joins rectangles that follow each other on one line. */
export function joined(rects: readonly Rect[]): Rect[] {
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
