/**
 * Colours for finished code blocks. The highlighter and its grammars are fetched
 * from the program's own files when the first block needs them; until then, and
 * for unknown languages, the code stays plain. Colours are classes: the page's
 * policy forbids inline styles.
 */
import type { HighlighterCore, ThemedToken } from 'shiki/core';

const grammars: Record<string, () => Promise<unknown>> = {
  bash: () => import('shiki/langs/bash.mjs'),
  c: () => import('shiki/langs/c.mjs'),
  css: () => import('shiki/langs/css.mjs'),
  go: () => import('shiki/langs/go.mjs'),
  html: () => import('shiki/langs/html.mjs'),
  java: () => import('shiki/langs/java.mjs'),
  javascript: () => import('shiki/langs/javascript.mjs'),
  json: () => import('shiki/langs/json.mjs'),
  python: () => import('shiki/langs/python.mjs'),
  rust: () => import('shiki/langs/rust.mjs'),
  sql: () => import('shiki/langs/sql.mjs'),
  typescript: () => import('shiki/langs/typescript.mjs'),
  yaml: () => import('shiki/langs/yaml.mjs'),
};

const aliases: Record<string, string> = {
  sh: 'bash', shell: 'bash', zsh: 'bash', console: 'bash', h: 'c', golang: 'go', js: 'javascript', jsx: 'javascript', mjs: 'javascript',
  py: 'python', rs: 'rust', ts: 'typescript', tsx: 'typescript', yml: 'yaml',
};

const longest = 20_000;
const theme = 'footnote';
let ready: Promise<HighlighterCore> | undefined;

async function highlighter(): Promise<HighlighterCore> {
  const [{ createHighlighterCore, createCssVariablesTheme }, { createJavaScriptRegexEngine }] = await Promise.all([
    import('shiki/core'), import('shiki/engine/javascript'),
  ]);
  const variables = createCssVariablesTheme({ name: theme, variablePrefix: '--code-', fontStyle: false });
  return createHighlighterCore({ themes: [variables], langs: [], engine: createJavaScriptRegexEngine({ forgiving: true }) });
}

/** A stretch of code, with the role that its colour tells; "" where it has none. */
export interface Token {
  text: string;
  role: string;
}

/** The language by the name that people, files and programs give it; "" when it is not known. */
export function languageOf(name: string): string {
  const asked = name.toLowerCase();
  const lang = Object.hasOwn(aliases, asked) ? (aliases[asked] ?? '') : asked;
  return Object.hasOwn(grammars, lang) ? lang : '';
}

/** The tokens of each line of a code; null when it is too long or its language is not known. */
export async function tokensOf(text: string, language: string): Promise<Token[][] | null> {
  const lang = languageOf(language);
  const grammar = grammars[lang];
  if (!grammar || text.length > longest) return null;
  const shiki = await (ready ??= highlighter());
  if (!shiki.getLoadedLanguages().includes(lang)) await shiki.loadLanguage((await grammar()) as never);
  return shiki.codeToTokens(text, { lang, theme }).tokens.map((line) => line.map(tokenOf));
}

/** Colours one code block in place; its text does not change. Gives whether it did. */
export async function highlight(pre: HTMLElement): Promise<boolean> {
  const code = pre.firstElementChild;
  const text = code?.textContent ?? '';
  const tokens = await tokensOf(text, pre.dataset.lang ?? '');
  if (!code || !tokens || code.textContent !== text) return false;
  code.replaceChildren(...lines(tokens));
  return true;
}

const tokenOf = ({ content, color }: ThemedToken): Token => ({ text: content, role: /--code-token-([\w-]+)/.exec(color ?? '')?.[1] ?? '' });

function lines(tokens: Token[][]): Node[] {
  return tokens.flatMap((line, i) => [...(i ? [document.createTextNode('\n')] : []), ...line.map(span)]);
}

function span({ text, role }: Token): Node {
  if (!role) return document.createTextNode(text);
  const element = document.createElement('span');
  element.className = `code-${role}`;
  element.textContent = text;
  return element;
}
