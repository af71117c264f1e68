/**
 * Puts verdicts onto the drawn text. The HTML of a block carries only the places
 * of badges and claims, so a verdict changes classes and never redraws a word.
 */
import type { Verdict } from '../../api/types';
import { verdictsOfClaims, type Note } from '../../lib/footnotes';
import { isOwn } from '../../lib/view';
import { badgeLabel, signs } from '../../lib/wording';

const verdicts: Verdict[] = ['unchecked', 'quoted', 'supported', 'partly', 'not-found', 'contradicted'];

/** What is lit in the text. */
export interface Lit {
  /** Badge whose card is lit, or null. */
  badge: number | null;
  /** Claim under the pointer; "" for none. */
  claim: string;
  /** Id of the open peek and the badge it speaks of. */
  peek: { k: number; id: string } | null;
}

/** Brings badges and claims under `root` into the state of the notes. */
export function decorate(root: HTMLElement, notes: readonly Note[], lit: Lit): void {
  for (const badge of root.querySelectorAll<HTMLElement>('button.fn')) {
    const note = notes[Number(badge.dataset.k)];
    if (note) decorateBadge(badge, note, lit);
  }
  const worst = verdictsOfClaims(notes);
  for (const claim of root.querySelectorAll<HTMLElement>('[data-c]')) {
    setVerdict(claim, worst.get(claim.dataset.c ?? '') ?? 'unchecked');
    claim.classList.toggle('lit', lit.claim !== '' && claim.dataset.c === lit.claim);
  }
}

function decorateBadge(badge: HTMLElement, note: Note, lit: Lit): void {
  setVerdict(badge, note.verdict);
  badge.classList.toggle('own', note.source !== undefined && isOwn(note.source));
  badge.classList.toggle('two', note.shown > 9);
  badge.classList.toggle('act', lit.badge === note.k);
  const text = `${note.shown}${signs[note.verdict]}`;
  if (badge.textContent !== text) badge.textContent = text;
  badge.setAttribute('aria-label', badgeLabel(note));
  if (lit.peek?.k === note.k) badge.setAttribute('aria-describedby', lit.peek.id);
  else badge.removeAttribute('aria-describedby');
}

function setVerdict(element: HTMLElement, verdict: Verdict): void {
  for (const other of verdicts) element.classList.toggle(other, other === verdict);
}
