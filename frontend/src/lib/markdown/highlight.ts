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

/** Colours one code block in place; its text does not change. Gives whether it did. */
export async function highlight(pre: HTMLElement): Promise<boolean> {
  const asked = (pre.dataset.lang ?? '').toLowerCase();
  const lang = aliases[asked] ?? asked;
  const grammar = Object.hasOwn(grammars, lang) ? grammars[lang] : undefined;
  const code = pre.firstElementChild;
  const text = code?.textContent ?? '';
  if (!grammar || !code || text.length > longest) return false;
  const shiki = await (ready ??= highlighter());
  if (!shiki.getLoadedLanguages().includes(lang)) await shiki.loadLanguage((await grammar()) as never);
  if (code.textContent !== text) return false;
  code.replaceChildren(...lines(shiki.codeToTokens(text, { lang, theme }).tokens));
  return true;
}

function lines(tokens: ThemedToken[][]): Node[] {
  return tokens.flatMap((line, i) => [...(i ? [document.createTextNode('\n')] : []), ...line.map(span)]);
}

function span(token: ThemedToken): Node {
  const role = /--code-token-([\w-]+)/.exec(token.color ?? '')?.[1];
  if (!role) return document.createTextNode(token.content);
  const element = document.createElement('span');
  element.className = `code-${role}`;
  element.textContent = token.content;
  return element;
}
