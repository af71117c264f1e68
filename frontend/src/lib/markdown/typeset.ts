/**
 * Sets formulas. What sets them is fetched from the program's own files when the
 * first formula comes near; after that a formula is set in the same frame in
 * which its text is drawn, so nothing flickers. One that cannot be set stays as
 * its source, and says so. The set formula is built from elements, never from
 * markup, and cannot link, load or run anything.
 */
import type { KatexOptions } from 'katex';

interface Setter {
  render: (tex: string, into: HTMLElement, options: KatexOptions) => void;
}

const options: KatexOptions = { throwOnError: true, trust: false, strict: 'ignore', maxSize: 20, maxExpand: 300, output: 'htmlAndMathml' };
const most = 400;

let setter: Setter | null = null;
let coming: Promise<void> | undefined;
const done = new Map<string, Node | null>();

/** Fetches what sets formulas, once. */
export function loadMath(): Promise<void> {
  coming ??= import('./katex').then((loaded) => {
    setter = loaded.katex;
  });
  return coming;
}

/** Sets all formulas below an element that are not set yet. */
export function typeset(root: ParentNode): void {
  const waiting = [...root.querySelectorAll<HTMLElement>('[data-math]:not(.set):not(.unset)')];
  if (waiting.length === 0) return;
  if (setter) return waiting.forEach(set);
  void loadMath().then(() => waiting.filter((element) => element.isConnected).forEach(set), () => waiting.forEach(leave));
}

function set(element: HTMLElement): void {
  if (element.classList.contains('set')) return; // it was waited for twice
  const tex = element.textContent ?? '';
  const display = element.dataset.math === 'block';
  const formula = formulaOf(tex, display);
  if (!formula) return leave(element);
  element.replaceChildren(formula.cloneNode(true));
  element.classList.add('set');
}

function formulaOf(tex: string, display: boolean): Node | null {
  const key = `${display ? 'b' : 'i'}${tex}`;
  const known = done.get(key);
  if (known !== undefined) return known;
  if (done.size > most) done.clear();
  const made = make(tex, display);
  done.set(key, made);
  return made;
}

function make(tex: string, display: boolean): Node | null {
  const stage = document.createElement('span');
  try {
    setter?.render(tex, stage, { ...options, displayMode: display });
  } catch {
    return null; // not a formula that can be set: its source stays
  }
  return stage.firstChild;
}

/** The source stays; the reader is told what it is. */
function leave(element: HTMLElement): void {
  element.classList.add('unset');
  element.title = 'This formula cannot be set; this is its source.';
}
