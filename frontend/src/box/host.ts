/** What the program does for the page of the box, beside answering it. */
import { bound } from '../api/wails';

/** The box goes. With `back` the focus returns to the window that had it. */
export const leave = (back: boolean): Promise<void> => bound('Leave', back);

/** The box goes, and the main window shows a place. */
export const openPlace = (hash: string): Promise<void> => bound('Open', `/${hash}`);

/** Tells when what stands on the page is on the screen. */
export function painted(): void {
  requestAnimationFrame(() => requestAnimationFrame(() => void bound('Painted')));
}

/** Calls back each time the box comes up. */
export const onShown = (shown: () => void): (() => void) | undefined => window.runtime?.EventsOn('footnote:shown', shown);
