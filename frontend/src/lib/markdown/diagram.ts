/**
 * Draws diagrams. What draws them lives in a page of its own, in a hidden frame
 * that may load nothing but itself; this page only ever gets an address with the
 * drawing in it and shows it as a picture, in which nothing can run, link or
 * load. A diagram that cannot be drawn stays as its source, and says so.
 */
import type { Drawing } from './picture';

interface Reply {
  diagram: number;
  drawing?: Drawing;
}

const longest = 12_000;
const patience = 15_000;
const most = 60;

const drawings = new Map<string, Drawing | null>();
const waiting = new Map<number, (drawing: Drawing | null) => void>();
let frame: Promise<HTMLIFrameElement | null> | undefined;
let asked = 0;

/** The drawing of a source when it is already there; undefined while it is not. */
export const drawn = (source: string): Drawing | null | undefined => drawings.get(source);

/** Draws a diagram; null when it cannot be drawn. */
export async function draw(source: string): Promise<Drawing | null> {
  const known = drawings.get(source);
  if (known !== undefined) return known;
  const drawing = source.length > longest ? null : await ask(source);
  if (drawings.size > most) drawings.clear();
  drawings.set(source, drawing);
  return drawing;
}

async function ask(source: string): Promise<Drawing | null> {
  const page = await (frame ??= open());
  const target = page?.contentWindow;
  if (!target) return null;
  const diagram = ++asked;
  return new Promise((resolve) => {
    const answer = (drawing: Drawing | null): void => {
      clearTimeout(timer);
      waiting.delete(diagram);
      resolve(drawing);
    };
    const timer = setTimeout(() => answer(null), patience);
    waiting.set(diagram, answer);
    target.postMessage({ diagram, source }, '*');
  });
}

/** Opens the frame and waits until it says that it can draw. */
function open(): Promise<HTMLIFrameElement | null> {
  const page = document.createElement('iframe');
  page.src = '/diagram.html';
  page.title = 'Draws diagrams';
  page.className = 'draws';
  page.tabIndex = -1;
  page.setAttribute('aria-hidden', 'true');
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(null), patience);
    window.addEventListener('message', (event: MessageEvent<Reply | 'ready'>) => {
      if (event.source !== page.contentWindow) return;
      if (event.data === 'ready') {
        clearTimeout(timer);
        resolve(page);
      } else waiting.get(event.data.diagram)?.(sound(event.data.drawing));
    });
    document.body.append(page);
  });
}

/** What the frame sent, if it is a picture that carries all it shows. */
function sound(drawing: Drawing | undefined): Drawing | null {
  const whole = drawing && typeof drawing.picture === 'string' && drawing.picture.startsWith('data:image/svg+xml;');
  return whole && drawing.width > 0 && drawing.height > 0 ? drawing : null;
}
