/** Where a floating box goes: under its anchor, above it when there is more room. */
export interface Anchor {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

export interface Placed {
  left: number;
  /** Exactly one of top and bottom is set; both are distances from the window's edge. */
  top: number | null;
  bottom: number | null;
  maxHeight: number;
}

const gap = 6;
const edge = 8;

export function place(anchor: Anchor, width: number, height: number, view: { width: number; height: number }, end = false): Placed {
  const wanted = end ? anchor.right - width : anchor.left;
  const left = Math.max(edge, Math.min(wanted, view.width - width - edge));
  const below = view.height - anchor.bottom - gap - edge;
  const above = anchor.top - gap - edge;
  if (height <= below || below >= above) return { left, top: anchor.bottom + gap, bottom: null, maxHeight: below };
  return { left, top: null, bottom: view.height - anchor.top + gap, maxHeight: above };
}

/** Svelte action: keeps a fixed box at its anchor. Positions go through the style object (CSP). */
export function floatAt(box: HTMLElement, options: { anchor: HTMLElement; end?: boolean }): { destroy: () => void } {
  const put = (): void => {
    const view = { width: window.innerWidth, height: window.innerHeight };
    const at = place(options.anchor.getBoundingClientRect(), box.offsetWidth, box.scrollHeight, view, options.end);
    box.style.left = `${at.left}px`;
    box.style.top = at.top === null ? 'auto' : `${at.top}px`;
    box.style.bottom = at.bottom === null ? 'auto' : `${at.bottom}px`;
    box.style.maxHeight = `${Math.max(at.maxHeight, 120)}px`;
  };
  put();
  window.addEventListener('resize', put);
  window.addEventListener('scroll', put, true);
  return {
    destroy: () => {
      window.removeEventListener('resize', put);
      window.removeEventListener('scroll', put, true);
    },
  };
}
