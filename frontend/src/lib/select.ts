/** Where words that were selected on a page stand in the text that was read. */

export interface Found {
  /** Code points of the text, end exclusive. */
  start: number;
  end: number;
}

/**
 * Finds words in a text, whatever blanks stand between their letters; of several
 * places the one that has most of what stands `before` them. Null: not there.
 */
export function placeOfWords(text: string, words: string, before: string): Found | null {
  const chars = [...text];
  const at: number[] = [];
  const solid: string[] = [];
  chars.forEach((char, i) => {
    if (/\s/.test(char)) return;
    at.push(i);
    solid.push(char);
  });
  const squeeze = (some: string): string[] => [...some].filter((char) => !/\s/.test(char));
  const [wanted, lead] = [squeeze(words), squeeze(before)];
  if (wanted.length === 0) return null;
  let best: { from: number; shared: number } | null = null;
  for (let i = 0; i + wanted.length <= solid.length; i++) {
    if (!wanted.every((char, k) => solid[i + k] === char)) continue;
    let shared = 0;
    while (shared < lead.length && shared < i && solid[i - 1 - shared] === lead[lead.length - 1 - shared]) shared++;
    if (!best || shared > best.shared) best = { from: i, shared };
  }
  return best && { start: at[best.from]!, end: at[best.from + wanted.length - 1]! + 1 };
}
