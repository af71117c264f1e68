/**
 * Markdown has inputs that cost any parser seconds. No answer looks like them,
 * so a text with one of them is shown as the plain text it is.
 */

const longestLine = 20_000;
const longestChunk = 60_000;
const mostSpecialsInRun = 600;
const mostSpecials = 6_000;
/** More columns than any table of an answer has. */
const wide = /(?:\|[^|\n]*){300}/;
const longestText = 400_000;
const nested = /(?:^|\n)[ \t]*(?:(?:[>*+-]|\d{1,9}[.)])[ \t]*){40}/;
const special = /[[\]*_~`<>\\&!$]/g;
const newRun = /\n(?=[ \t]*(?:[>|*+-]|\d{1,9}[.)]))/;

/** Looks at a growing text; once it is found heavy it stays so. */
export class Guard {
  #seen = 0;
  #heavy = false;

  /** Whether the text is too costly to parse. `text` must begin with what was given before. */
  heavy(text: string): boolean {
    if (this.#heavy) return true;
    const from = Math.max(0, text.lastIndexOf('\n\n', this.#seen));
    this.#heavy = text.length > longestText || text.slice(from).split('\n\n').some(costly);
    this.#seen = text.length;
    return this.#heavy;
  }
}

function costly(chunk: string): boolean {
  if (chunk.length > longestChunk || nested.test(chunk) || wide.test(chunk)) return true;
  if (chunk.length > longestLine && chunk.split('\n').some((line) => line.length > longestLine)) return true;
  if (specials(chunk) > mostSpecials) return true;
  return chunk.length > mostSpecialsInRun && chunk.split(newRun).some((run) => specials(run) > mostSpecialsInRun);
}

function specials(text: string): number {
  return text.match(special)?.length ?? 0;
}
