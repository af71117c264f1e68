/**
 * Follows a growing text only while the reader is at its end. Says when there is
 * more below than what is seen; nothing else ever scrolls by itself.
 */
export interface FollowOptions {
  growing: boolean;
  onmore: (more: boolean) => void;
}

const near = 48;

/** Svelte action for a scroller whose first child is the text. */
export function follow(scroller: HTMLElement, options: FollowOptions) {
  let { growing, onmore } = options;
  let atEnd = true;
  let height = 0;

  const look = (): void => {
    atEnd = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < near;
    onmore(growing && !atEnd);
  };
  const grown = (): void => {
    const more = scroller.scrollHeight > height;
    height = scroller.scrollHeight;
    if (growing && more && atEnd) scroller.scrollTop = height;
    else if (growing && more) onmore(scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight >= near);
  };
  const observer = new ResizeObserver(grown);
  if (scroller.firstElementChild) observer.observe(scroller.firstElementChild);
  scroller.addEventListener('scroll', look, { passive: true });
  return {
    update(next: FollowOptions) {
      const began = next.growing && !growing;
      ({ growing, onmore } = next);
      if (began || !growing) look();
    },
    destroy() {
      observer.disconnect();
      scroller.removeEventListener('scroll', look);
    },
  };
}
