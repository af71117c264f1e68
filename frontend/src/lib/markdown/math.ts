/**
 * Formulas in a text: `\( \)` and `$ $` within a line, `\[ \]` and `$$ $$` by
 * themselves. A dollar is money unless what follows it is closed like a formula
 * and looks like one. Nothing that holds a citation marker is a formula.
 */
import type { TokenizerAndRendererExtension, Tokens } from 'marked';

/** A formula as it stands in the text. */
export interface MathToken extends Tokens.Generic {
  type: 'math';
  raw: string;
  tex: string;
  display: boolean;
}

const longest = 2000;
const displayed = /^(?:\$\$((?:(?!\n[ \t]*\n|\$\$)[\s\S]){1,2000})\$\$|\\\[((?:(?!\n[ \t]*\n|\\\])[\s\S]){1,2000})\\\])/;
const inline = /^\\\(((?:(?!\\\))[^\n]){1,2000})\\\)/;
const dollars = /^\$(?![\s$])((?:\\.|[^$\\\n]){1,200}?)(?<![\s\\])\$(?![\d$])/;
const marker = /\[\d{1,3}\]/;
const looksLikeIt = /[\\^_={}<>+*/]|^-?[A-Za-z]['\d]{0,2}$|^[A-Za-z]\([A-Za-z]\)$/;
const money = /^\d[\d.,]*(?:\s|\/|-|–)?[A-Za-z]{2,}/;

/** Reads a formula at the start of a text; null when there is none. */
export function readMath(source: string): MathToken | null {
  const big = displayed.exec(source);
  const tex = big ? (big[1] ?? big[2]) : (inline.exec(source)?.[1] ?? readDollars(source));
  if (!tex || tex.length > longest || tex.trim() === '' || marker.test(tex)) return null;
  const raw = big ? big[0] : source.startsWith('$') ? `$${tex}$` : `\\(${tex}\\)`;
  return { type: 'math', raw, tex: tex.trim(), display: big !== null };
}

function readDollars(source: string): string | undefined {
  const tex = dollars.exec(source)?.[1];
  return tex && looksLikeIt.test(tex) && !money.test(tex) ? tex : undefined;
}

/** Where the next formula may start; plain searches, for this is asked at every piece of a line. */
function nextStart(text: string, from = 0): number {
  const found = [text.indexOf('$', from), text.indexOf('\\(', from), text.indexOf('\\[', from)].filter((at) => at >= 0);
  return found.length ? Math.min(...found) : -1;
}

const startOf = (source: string): number | undefined => {
  const at = nextStart(source);
  return at < 0 ? undefined : at;
};

/** Formulas as tokens of the dialect: a block of their own, or within a line. */
export const mathExtensions: TokenizerAndRendererExtension[] = [
  {
    name: 'mathBlock',
    level: 'block',
    start: (source: string) => (source.includes('$$') || source.includes('\\[') ? source.match(/(?:^|\n) {0,3}(?:\$\$|\\\[)/)?.index : undefined),
    tokenizer(source: string) {
      const indent = /^ {0,3}(?=\$\$|\\\[)/.exec(source)?.[0];
      if (indent === undefined) return undefined;
      const math = readMath(source.slice(indent.length));
      if (!math?.display) return undefined;
      const end = /^[ \t]*(?:\n|$)/.exec(source.slice(indent.length + math.raw.length));
      return end ? { ...math, raw: indent + math.raw + end[0] } : undefined;
    },
  },
  {
    name: 'math',
    level: 'inline',
    start: startOf,
    tokenizer(source: string) {
      return readMath(source) ?? undefined;
    },
  },
];

/** Stands in for formulas where only their length matters: emphasis is not looked for inside them. */
export function maskMath(text: string): string {
  let out = '';
  let from = 0;
  for (let at = nextStart(text); at >= 0; at = nextStart(text, from)) {
    const math = readMath(text.slice(at, at + longest + 4));
    const length = math?.raw.length ?? 1;
    out += text.slice(from, at) + (math ? 'x'.repeat(length) : text.slice(at, at + length));
    from = at + length;
  }
  return out + text.slice(from);
}

const unclosed = /(?:^|\n) {0,3}(?:\$\$|\\\[)(?:(?!\n[ \t]*\n|\$\$|\\\])[\s\S])*$/;
const unclosedInline = /\\\((?:(?!\\\))[^\n])*$/;
const unclosedDollar = /(?<![\w$\\])\$(?:[\\A-Za-z({](?:\\.|[^$\\\n]){0,80})?$/;
const halfDelimiter = /\\$|\$$/;

/** A growing text without the formula that is still being written at its end. */
export function withholdMath(text: string): string {
  const last = text.lastIndexOf('\n\n') + 1;
  const tail = text.slice(last);
  if (!mayHoldMath(tail) && !tail.endsWith('\\')) return text;
  const masked = maskMath(tail).slice(-longest);
  const kept = masked.replace(unclosed, '').replace(unclosedInline, '').replace(unclosedDollar, '').replace(halfDelimiter, '');
  return text.slice(0, text.length - (masked.length - kept.length));
}

/** Whether a text may hold a formula, so that what sets it is worth fetching. */
export const mayHoldMath = (text: string): boolean => text.includes('\\(') || text.includes('\\[') || text.includes('$');
