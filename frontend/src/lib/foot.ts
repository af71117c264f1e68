/** Svelte action for the bar at the foot of a screen: toasts stand above it, over its middle. */
export function foot(bar: HTMLElement): { destroy: () => void } {
  const { style } = document.documentElement;
  const observer = new ResizeObserver(() => {
    const { left, width, top } = bar.getBoundingClientRect();
    if (width === 0) return clear();
    style.setProperty('--foot', `${window.innerHeight - top}px`);
    style.setProperty('--foot-middle', `${left + width / 2}px`);
  });
  const clear = (): void => ['--foot', '--foot-middle'].forEach((name) => style.removeProperty(name));
  observer.observe(bar);
  return {
    destroy() {
      observer.disconnect();
      clear();
    },
  };
}
