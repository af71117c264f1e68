/** The sum of a ranking, computed again from the numbers that are shown. Pure. */
import type { Candidate, Scores, Weights } from '../api/types';

/** The four parts of a score, in the order they are shown. */
export const parts: readonly (keyof Weights & keyof Scores)[] = ['semantic', 'keyword', 'freshness', 'authority'];

/** The weighted sum of the scores that exist; the weights of those are scaled to 1. Null when none exists. */
export function composite(scores: Scores, weights: Weights): number | null {
  let sum = 0;
  let weight = 0;
  for (const part of parts) {
    const score = scores[part];
    if (score === null) continue;
    sum += weights[part] * score;
    weight += weights[part];
  }
  return weight > 0 ? sum / weight : null;
}

/** How many candidates have the sum that their parts make. */
export function agreeing(candidates: readonly Candidate[], weights: Weights): number {
  return candidates.filter(({ scores }) => {
    const again = composite(scores, weights);
    return again === null ? scores.composite === null : Math.abs(again - (scores.composite ?? -1)) < 0.0005;
  }).length;
}

/** Whether four weights may be used: none negative, together 1. */
export function sound(weights: Weights): boolean {
  const sum = parts.reduce((total, part) => total + weights[part], 0);
  return parts.every((part) => weights[part] >= 0 && weights[part] <= 1) && Math.abs(sum - 1) <= 0.001;
}

/** Where each passage of a ranking stood before; 0 when it was not chosen. */
export function moves(before: readonly { passage: string; n: number }[], after: readonly { passage: string; n: number }[]): Map<string, number> {
  const places = new Map(before.map(({ passage, n }) => [passage, n]));
  return new Map(after.map(({ passage }) => [passage, places.get(passage) ?? 0]));
}
