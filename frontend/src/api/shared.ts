/** One stream for all who listen: it is opened for the first and left with the last. */
import type { Unsubscribe } from './backend';

export function shared<E>(open: (onEvent: (event: E) => void) => Unsubscribe): (onEvent: (event: E) => void) => Unsubscribe {
  const listeners = new Set<(event: E) => void>();
  let leave: Unsubscribe | undefined;
  return (onEvent) => {
    const mine = (event: E): void => onEvent(event); // who listens twice leaves twice
    listeners.add(mine);
    leave ??= open((event) => listeners.forEach((listener) => listener(event)));
    return () => {
      if (!listeners.delete(mine) || listeners.size > 0) return;
      leave?.();
      leave = undefined;
    };
  };
}
