/** Long lists draw only the rows in view: what of an element is seen, and which rows that is. */

/** The stretch of an element that its scroller shows, in pixels from the element's top; `top` is negative while the element begins below. */
export interface View {
  top: number;
  height: number;
}

/** Rows `first` to `last` (exclusive) are drawn; blank space stands for the others. */
export interface Drawn {
  first: number;
  last: number;
  before: number;
  after: number;
}

/** A row that is taller than the others, by as much. */
export interface Tall {
  index: number;
  by: number;
}

/** Rows drawn beyond each edge, so that scrolling and Tab always find one. */
const spare = 6;

/** Which of `count` rows of one height are drawn for a view. */
export function rowsIn(view: View, row: number, count: number, tall: Tall | null = null): Drawn {
  const extra = (upTo: number): number => (tall && tall.index < upTo && tall.index < count ? tall.by : 0);
  const at = (y: number): number => {
    const plain = Math.floor(y / row);
    return tall && plain > tall.index ? Math.max(tall.index, Math.floor((y - tall.by) / row)) : plain;
  };
  const first = Math.min(Math.max(0, at(view.top) - spare), Math.max(0, count - 1));
  const last = Math.min(count, Math.max(first, at(view.top + view.height) + 1 + spare));
  return {
    first, last,
    before: first * row + extra(first),
    after: (count - last) * row + extra(count) - extra(last),
  };
}

function scrollerOf(element: HTMLElement): HTMLElement {
  for (let up = element.parentElement; up; up = up.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(up).overflowY)) return up;
  }
  return document.documentElement;
}

/** Tells what of an element is in view, now and whenever that changes. */
export function viewed(element: HTMLElement, onview: (view: View) => void): { destroy: () => void } {
  const scroller = scrollerOf(element);
  const tell = (): void => onview({
    top: scroller.getBoundingClientRect().top - element.getBoundingClientRect().top,
    height: scroller.clientHeight || window.innerHeight,
  });
  let asked = 0;
  const soon = (): void => {
    asked ||= requestAnimationFrame(() => {
      asked = 0;
      tell();
    });
  };
  const sizes = typeof ResizeObserver === 'undefined' ? null : new ResizeObserver(soon);
  sizes?.observe(scroller);
  scroller.addEventListener('scroll', soon, { passive: true });
  tell();
  return {
    destroy: () => {
      cancelAnimationFrame(asked);
      sizes?.disconnect();
      scroller.removeEventListener('scroll', soon);
    },
  };
}
