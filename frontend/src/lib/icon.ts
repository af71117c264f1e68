/** Icons of rows that come and go by the hundred: each icon is drawn once, then copied. */
import { type Component, mount, unmount } from 'svelte';

const drawn = new Map<Component, Element>();

function copyOf(icon: Component): Element {
  let first = drawn.get(icon);
  if (!first) {
    const stage = document.createElement('div');
    const made = mount(icon, { target: stage });
    first = stage.firstElementChild!.cloneNode(true) as Element;
    drawn.set(icon, first);
    void unmount(made);
  }
  return first.cloneNode(true) as Element;
}

/** Puts an icon into an element. */
export function iconIn(element: HTMLElement, icon: Component): { update: (icon: Component) => void } {
  const put = (which: Component): void => element.replaceChildren(copyOf(which));
  put(icon);
  return { update: put };
}
