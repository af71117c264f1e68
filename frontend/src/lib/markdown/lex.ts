/**
 * The dialect of an answer: GitHub-flavoured Markdown with citation markers as
 * tokens of their own and without the constructs that would let later text
 * change earlier text (reference definitions, underlined headings) or carry
 * markup (HTML blocks). What is left out is shown as the text it is.
 */
import { Marked, type Token, type Tokens } from 'marked';
import { maskMath, mathExtensions } from './math';

/** A citation marker `[n]` in the text. */
export interface MarkerToken extends Tokens.Generic {
  type: 'marker';
  raw: string;
  n: number;
}

const marker = /^\[(\d{1,3})\](?!\()/;
const tag = /^<(?:!--[\s\S]*?-->|\/?[a-zA-Z][\w:-]*(?:\s[^<>]*?)?\/?>)/;

const dialect = new Marked({ gfm: true, breaks: false });
dialect.use({
  hooks: { emStrongMask: maskMath },
  extensions: [
    ...mathExtensions,
    {
      name: 'marker',
      level: 'inline',
      start: (source: string) => {
        const at = source.search(/\[\d/);
        return at < 0 ? undefined : at;
      },
      tokenizer(source: string) {
        const match = this.lexer.state.inLink ? null : marker.exec(source);
        if (!match) return undefined;
        return { type: 'marker', raw: match[0], n: Number(match[1]) };
      },
    },
  ],
  tokenizer: {
    def: () => undefined,
    lheading: () => undefined,
    html: () => undefined,
    tag(source: string) {
      const match = tag.exec(source);
      if (!match) return undefined;
      const raw = match[0];
      return { type: 'html', raw, text: raw, block: false, inLink: false, inRawBlock: false };
    },
  },
});

/** Splits Markdown into block tokens; their `raw` parts make up the source. */
export function lex(source: string): Token[] {
  return dialect.lexer(source);
}

/** Makes line ends uniform without moving any offset. */
export function normalise(source: string): string {
  return source.includes('\r') ? source.replace(/\r\n/g, ' \n').replace(/\r/g, '\n') : source;
}
