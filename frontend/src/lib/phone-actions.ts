/** Svelte action: moves an element into the bar of a phone. */
export function phoneActions(element: HTMLElement): { destroy: () => void } {
  document.getElementById('phone-actions')?.replaceChildren(element);
  return { destroy: () => element.remove() };
}
