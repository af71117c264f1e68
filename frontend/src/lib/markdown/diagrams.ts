/** Puts drawings in the place of the sources of diagrams, and keeps the source at hand. */
import { draw, drawn } from './diagram';
import type { Drawing } from './picture';

const said = 'This diagram cannot be drawn; this is its source.';

/** Draws the diagrams below an element, but for the block that is still being written. */
export function drawDiagrams(root: ParentNode, open: Element | null): void {
  for (const pre of root.querySelectorAll<HTMLElement>('pre[data-lang="mermaid"]:not(.seen)')) {
    if (pre === open || pre.closest('figure')) continue;
    pre.classList.add('seen');
    const source = pre.textContent ?? '';
    const known = drawn(source);
    if (known !== undefined) show(pre, known);
    else void draw(source).then((drawing) => pre.isConnected && show(pre, drawing));
  }
}

function show(pre: HTMLElement, drawing: Drawing | null): void {
  const figure = document.createElement('figure');
  figure.className = 'diagram';
  pre.replaceWith(figure);
  if (!drawing) return figure.append(pre, caption(said));
  const picture = document.createElement('img');
  picture.src = drawing.picture;
  picture.width = drawing.width;
  picture.height = drawing.height;
  picture.alt = 'Diagram; its source is below.';
  picture.draggable = false;
  const source = document.createElement('details');
  const head = document.createElement('summary');
  head.textContent = 'Source of the diagram';
  source.append(head, pre);
  figure.append(picture, source);
}

function caption(text: string): HTMLElement {
  const element = document.createElement('figcaption');
  element.textContent = text;
  return element;
}
