/** Cuts a text at its marked ranges (code points), for display. Overlaps and bad ranges are tolerated. */
export function marked(text: string, marks: [number, number][]): { text: string; hit: boolean }[] {
  const chars = [...text];
  const parts: { text: string; hit: boolean }[] = [];
  let at = 0;
  for (const [start, end] of [...marks].sort((a, b) => a[0] - b[0])) {
    const from = Math.max(at, start);
    const to = Math.min(chars.length, end);
    if (to <= from) continue;
    if (from > at) parts.push({ text: chars.slice(at, from).join(''), hit: false });
    parts.push({ text: chars.slice(from, to).join(''), hit: true });
    at = to;
  }
  if (at < chars.length) parts.push({ text: chars.slice(at).join(''), hit: false });
  return parts;
}

/** So many characters stand before the first marked word of a line. */
const lead = 16;

/** The same for a line that is cut at its end: it begins a little before the first mark, so that one is seen. */
export function markedLine(text: string, marks: [number, number][]): { text: string; hit: boolean }[] {
  const parts = marked(text, marks);
  const [first] = parts;
  if (!first || first.hit || parts.length === 1) return parts;
  const before = [...first.text];
  if (before.length <= lead) return parts;
  const near = before.slice(-lead).join('');
  return [{ text: `…${near.slice(near.search(/\s|$/))}`, hit: false }, ...parts.slice(1)];
}

/** The words that are marked in a text, each once. */
export function markedWords(text: string, marks: [number, number][]): string[] {
  return [...new Set(marked(text, marks).flatMap((part) => (part.hit ? part.text.toLowerCase().split(/[^\p{L}\p{N}]+/u) : [])))].filter(Boolean);
}
