/** Svelte action: tells when something comes to the height of the eyes, a third from the top. */
export function inView(node: HTMLElement, seen: () => void): { update: (next: () => void) => void; destroy: () => void } | undefined {
  if (typeof IntersectionObserver === 'undefined') return undefined;
  let tell = seen;
  const observer = new IntersectionObserver((entries) => entries.at(-1)?.isIntersecting && tell(), { rootMargin: '-33% 0px -66% 0px' });
  observer.observe(node);
  return { update: (next) => (tell = next), destroy: () => observer.disconnect() };
}
