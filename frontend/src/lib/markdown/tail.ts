/**
 * What may be shown of a text that is still being written. Half a construct at
 * the end would be drawn as something else first and then jump, so it is held
 * back until it is whole, and open emphasis is closed for the time being.
 */
import remend from 'remend';
import { maskMath, withholdMath } from './math';

const halfMarker = /[ \t]*!?\[\^?\d{0,3}$/;
/** A badge stands after the full stop: until what follows is known, its place is not. */
const openMarker = /(?:[ \t]*\[\d{1,3}\])+[ \t]*$/;
const stopped = /[.,;:!?…。、，！？；：]["”’»)]*$/;
const halfTag = /<[a-zA-Z/!][^<>\n]{0,200}$/;
const halfLineStart = /(^|\n)[ \t]*(?:[-=*_+#>|~`]{1,6}|\d{1,9}[.)]?)[ \t]*$/;
const tableHead = /(^|\n)[ \t]*\|[^\n]*(?:\n[ \t|:-]*)?$/;
const fence = /^ {0,3}(`{3,}|~{3,})/gm;
const longest = 4000;

/** The end of a growing text made fit to be drawn: half constructs go, open ones are closed. */
export function settle(text: string): string {
  if (insideFence(text)) return text;
  const kept = withhold(withholdMath(text));
  const blank = kept.lastIndexOf('\n\n');
  const last = kept.slice(Math.max(blank < 0 ? 0 : blank + 2, kept.length - longest));
  if (!/[*_~`[]/.test(last)) return kept;
  return kept.slice(0, kept.length - last.length) + closeAround(last);
}

function withhold(text: string): string {
  return text
    .replace(tableHead, '$1')
    .replace(halfLineStart, '$1')
    .replace(halfTag, '')
    .replace(halfMarker, '')
    .replace(openMarker, (markers, at: number, all: string) => (stopped.test(all.slice(Math.max(0, at - 4), at)) ? markers : ''));
}

/** Closes what is open, without taking the signs of a formula for emphasis. */
function closeAround(text: string): string {
  const masked = maskMath(text);
  if (masked === text) return close(text);
  const closed = close(masked);
  return closed.startsWith(masked) ? text + closed.slice(masked.length) : text;
}

function close(text: string): string {
  return remend(text, {
    linkMode: 'text-only', htmlTags: false, setextHeadings: false, comparisonOperators: false,
    singleTilde: false, katex: false, inlineKatex: false, images: false,
  });
}

function insideFence(text: string): boolean {
  let open = '';
  for (const match of text.matchAll(fence)) {
    const run = match[1] ?? '';
    if (!open) open = run;
    else if (run[0] === open[0] && run.length >= open.length) open = '';
  }
  return open !== '';
}
