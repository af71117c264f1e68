/**
 * Block tokens → HTML. Text is escaped here, piece by piece; nothing of the
 * source reaches the page as markup. Citation markers become buttons that share
 * a no-break span with the word before them, claims become spans, both found by
 * their place in the source and never by searching the HTML.
 */
import type { Token, Tokens } from 'marked';
import type { MarkerToken } from './lex';
import type { MathToken } from './math';
import { readLink, saysHost } from './link';

/** A stretch of the source, in UTF-16 units, with a name that does not change. */
export interface Claim {
  id: string;
  start: number;
  end: number;
}

/** A marker as it was drawn: the k-th of the answer, for source n, at a unit offset. */
export interface Mark {
  k: number;
  n: number;
  at: number;
}

/** What a block is drawn with. */
export interface Context {
  /** The block's source and the offset at which it starts in the whole text. */
  source: string;
  base: number;
  claims: readonly Claim[];
  /** Whether a source of that number exists; other markers stay text. */
  known: (n: number) => boolean;
  /** Number of the first marker of this block. */
  firstMark: number;
}

/** Draws one block. Gives the HTML, not yet sanitised, and its markers in order. */
export function renderBlock(token: Token, context: Context): { html: string; marks: Mark[] } {
  const drawer = new Drawer(context);
  return { html: drawer.block(token), marks: drawer.marks };
}

/** Text as HTML; entities that the text spells out are kept. */
export function escapeText(text: string): string {
  return text.replace(/&(?!(?:#\d{1,7}|#[xX][a-fA-F0-9]{1,6}|\w{1,32});)/g, '&amp;').replace(/[<>"']/g, escapeChar);
}

/** Text as HTML, to the letter. */
export function escapeExact(text: string): string {
  return text.replace(/[&<>"']/g, escapeChar);
}

function escapeChar(char: string): string {
  return entities[char] ?? char;
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const shortEnough = 24;

class Drawer {
  readonly marks: Mark[] = [];
  readonly #context: Context;
  #cursor = 0;

  constructor(context: Context) {
    this.#context = context;
  }

  block(token: Token): string {
    switch (token.type) {
      case 'paragraph': return `<p>${this.#inline(token.tokens ?? [])}</p>`;
      case 'text': return this.#inline(token.tokens ?? [token]);
      case 'heading': return this.#heading(token as Tokens.Heading);
      case 'list': return this.#list(token as Tokens.List);
      case 'blockquote': return `<blockquote>${this.#blocks(token.tokens ?? [])}</blockquote>`;
      case 'code': return this.#code(token as Tokens.Code);
      case 'table': return this.#table(token as Tokens.Table);
      case 'math': return this.#formula(token as MathToken, 'div');
      case 'hr': return '<hr>';
      case 'checkbox': return (token as Tokens.Checkbox).checked ? '☑ ' : '☐ ';
      case 'space': return '';
      default: return `<p>${this.#text(token.raw)}</p>`;
    }
  }

  #blocks(tokens: Token[]): string {
    return tokens.map((token) => this.block(token)).join('');
  }

  #heading(token: Tokens.Heading): string {
    const level = Math.min(Math.max(token.depth, 3), 6);
    return `<h${level}${token.depth < 3 ? ' class="part"' : ''}>${this.#inline(token.tokens)}</h${level}>`;
  }

  #list(token: Tokens.List): string {
    const items = token.items.map((item) => `<li>${this.#item(item)}</li>`).join('');
    if (!token.ordered) return `<ul>${items}</ul>`;
    const start = Number(token.start) || 1;
    return `<ol${start === 1 ? '' : ` start="${start}"`}>${items}</ol>`;
  }

  #item(item: Tokens.ListItem): string {
    return this.#blocks(item.tokens);
  }

  #code(token: Tokens.Code): string {
    this.#skip(token.raw);
    const lang = /^[\w+#.-]{1,24}$/.test(token.lang ?? '') ? ` data-lang="${token.lang}"` : '';
    return `<pre tabindex="0"${lang}><code>${escapeExact(token.text)}</code></pre>`;
  }

  #table(token: Tokens.Table): string {
    const cells = (row: Tokens.TableCell[], tag: string) =>
      row.map((cell) => `<${tag}${align(cell.align)}>${this.#inline(cell.tokens)}</${tag}>`).join('');
    const head = `<tr>${cells(token.header, 'th')}</tr>`;
    const body = token.rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('');
    return `<div class="table" role="region" aria-label="Table" tabindex="0"><table><thead>${head}</thead><tbody>${body}</tbody></table></div>`;
  }

  #inline(given: Token[]): string {
    const tokens = [...given];
    let html = '';
    for (let i = 0; i < tokens.length; i++) {
      const token = tokens[i]!;
      const badges = this.#isBadge(token) ? 0 : this.#badgesAfter(tokens, i + 1);
      if (badges === 0) {
        html += this.#isBadge(token) ? this.#badge(token as MarkerToken) : this.#span(token);
        continue;
      }
      const after = i + 1 + badges;
      const stop = stopOf(tokens[after]);
      if (stop) tokens[after] = { ...tokens[after], raw: tokens[after]!.raw.slice(stop.length) } as Token;
      html += this.#withBadges(token, tokens.slice(i + 1, after), stop);
      i += badges;
    }
    return html;
  }

  /** How many tokens from `from` on are badges (with blanks between them). */
  #badgesAfter(tokens: Token[], from: number): number {
    let count = 0;
    for (let i = from; i < tokens.length; i++) {
      if (this.#isBadge(tokens[i]!)) count = i - from + 1;
      else if (tokens[i]!.type !== 'text' || tokens[i]!.raw.trim() !== '') break;
    }
    return count;
  }

  #isBadge(token: Token): boolean {
    return token.type === 'marker' && this.#context.known((token as MarkerToken).n);
  }

  /** Keeps the last word, the stop after it and the badges on one line; a badge stands after the stop. */
  #withBadges(token: Token, badges: Token[], stop: string): string {
    if (token.type === 'text' && !('tokens' in token && token.tokens)) {
      const kept = token.raw.trimEnd();
      const word = /\S+$/.exec(kept)?.[0] ?? '';
      const head = this.#text(kept.slice(0, kept.length - word.length));
      return `${head}<span class="nb">${this.#text(word)}${this.#stopped(badges, stop)}</span>`;
    }
    if (token.type === 'strong' || token.type === 'em' || token.type === 'del') {
      const after = stop ? [{ type: 'text', raw: stop, text: stop }] : [];
      return this.#wrap(token.type, this.#inline([...(token.tokens ?? []), ...badges, ...after]));
    }
    const before = this.#span(token);
    if (token.raw.length > shortEnough) return `${before}\u2060${this.#stopped(badges, stop)}`;
    return `<span class="nb">${before}${this.#stopped(badges, stop)}</span>`;
  }

  /** The stop, which the source has after the badges, and then the badges. */
  #stopped(badges: Token[], stop: string): string {
    const drawn = this.#badges(badges);
    return `${this.#text(stop)}${drawn}`;
  }

  #badges(tokens: Token[]): string {
    return tokens.filter((token) => token.type === 'marker').map((token) => this.#badge(token as MarkerToken)).join('');
  }

  #badge(token: MarkerToken): string {
    const at = this.#context.base + this.#skip(token.raw);
    const k = this.#context.firstMark + this.marks.length;
    this.marks.push({ k, n: token.n, at });
    return `<button type="button" class="fn" data-marker="${token.n}" data-k="${k}">${token.n}</button>`;
  }

  #span(token: Token): string {
    switch (token.type) {
      case 'strong':
      case 'em':
      case 'del': return this.#wrap(token.type, this.#inline(token.tokens ?? []));
      case 'codespan': return this.#codespan(token as Tokens.Codespan);
      case 'math': return this.#formula(token as MathToken, 'span');
      case 'br': return '<br>';
      case 'link': return this.#link(token as Tokens.Link);
      case 'image': return this.#image(token as Tokens.Image);
      case 'html': return this.#tag(token.raw);
      case 'escape': return this.#claimed(escapeExact((token as Tokens.Escape).text), this.#skip(token.raw), token.raw.length);
      case 'checkbox': return (token as Tokens.Checkbox).checked ? '☑ ' : '☐ ';
      case 'text': return 'tokens' in token && token.tokens ? this.#inline(token.tokens) : this.#text(token.raw);
      default: return this.#text(token.raw);
    }
  }

  #wrap(tag: string, html: string): string {
    return `<${tag}>${html}</${tag}>`;
  }

  #tag(raw: string): string {
    this.#skip(raw);
    return /^<br\s*\/?>$/i.test(raw) ? '<br>' : '';
  }

  #codespan(token: Tokens.Codespan): string {
    const at = this.#skip(token.raw);
    return this.#claimed(`<code>${escapeExact(token.text)}</code>`, at, token.raw.length);
  }

  /** A formula as its source, in a place where it can be set. */
  #formula(token: MathToken, tag: 'div' | 'span'): string {
    const at = this.#skip(token.raw);
    const source = escapeExact(token.tex);
    if (tag === 'div') return `<div class="formula" data-math="block" role="group" aria-label="Formula" tabindex="0">${source}</div>`;
    return this.#claimed(`<span data-math="${token.display ? 'block' : 'inline'}">${source}</span>`, at, token.raw.length);
  }

  #link(token: Tokens.Link): string {
    const link = readLink(token.href);
    const label = this.#inline(token.tokens);
    return link ? anchor(link.href, label, saysHost(token.text, link) ? '' : link.host) : label;
  }

  #image(token: Tokens.Image): string {
    this.#skip(token.raw);
    const link = readLink(token.href);
    const label = escapeExact(token.text || 'Picture');
    return link && link.href.startsWith('http') ? anchor(link.href, label, link.host) : label;
  }

  /** Text of the source, cut where claims begin and end. */
  #text(raw: string): string {
    if (raw === '') return '';
    const at = this.#find(raw);
    if (at < 0 && raw.includes('\n')) {
      return raw.split('\n').map((line) => this.#text(line)).join('\n');
    }
    if (at < 0) return escapeText(raw);
    this.#cursor = at + raw.length;
    return this.#cut(raw, this.#context.base + at);
  }

  #cut(raw: string, start: number): string {
    let html = '';
    let from = 0;
    while (from < raw.length) {
      const claim = this.#claimAt(start + from);
      const next = claim ? claim.end : this.#nextClaim(start + from);
      const to = Math.min(raw.length, next - start);
      const text = escapeText(raw.slice(from, to));
      html += claim ? claimSpan(claim, text) : text;
      from = to;
    }
    return html;
  }

  #claimed(html: string, at: number, length: number): string {
    const claim = at < 0 ? undefined : this.#claimAt(this.#context.base + at + Math.floor(length / 2));
    return claim ? claimSpan(claim, html) : html;
  }

  #claimAt(offset: number): Claim | undefined {
    return this.#context.claims.find((claim) => claim.start <= offset && offset < claim.end);
  }

  #nextClaim(offset: number): number {
    return this.#context.claims.reduce((next, claim) => (claim.start > offset && claim.start < next ? claim.start : next), Infinity);
  }

  #find(raw: string): number {
    return this.#context.source.indexOf(raw, this.#cursor);
  }

  /** Moves past a piece of the source; gives where it stands, -1 when it is not there. */
  #skip(raw: string): number {
    const at = this.#find(raw);
    if (at >= 0) this.#cursor = at + raw.length;
    return at;
  }
}

const stops = /^(?:[。、，！？；：]+[”’»）」]*|(?:[.,;:!?…]+["”’»)]*|["”’»]+[.,;:!?…]*)(?=\s|$))/;

/** The punctuation that a text begins with. */
function stopOf(token: Token | undefined): string {
  if (token?.type !== 'text' || ('tokens' in token && token.tokens)) return '';
  return stops.exec(token.raw)?.[0] ?? '';
}

function claimSpan(claim: Claim, html: string): string {
  return `<span class="claim" data-c="${escapeExact(claim.id)}">${html}</span>`;
}

function anchor(href: string, label: string, host: string): string {
  const shown = host ? ` <span class="host">${escapeExact(host)}</span>` : '';
  return `<a href="${escapeExact(href)}" rel="noopener noreferrer" draggable="false">${label}${shown}</a>`;
}

function align(side: string | null): string {
  return side === 'right' || side === 'center' ? ` class="${side}"` : '';
}
