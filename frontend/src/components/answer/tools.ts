/** What a model looked up on its own, in words. */
import { baseName } from '../../lib/format';
import type { ToolView } from '../../lib/view';

interface Said {
  doing: string;
  done: string;
  /** What it was called with, as it is shown. */
  with: (input: Record<string, unknown>) => string;
}

const quoted = (input: Record<string, unknown>): string => {
  const text = firstText(input, 'query', 'q', 'queries', 'title', 'question');
  return text ? `“${text}”` : '';
};

const known: Record<string, Said> = {
  web_search: { doing: 'Searching the web', done: 'Searched the web', with: quoted },
  file_search: { doing: 'Searching your files', done: 'Searched your files', with: quoted },
  wikipedia_search: { doing: 'Looking in Wikipedia', done: 'Looked in Wikipedia', with: quoted },
  image_search: { doing: 'Looking for pictures', done: 'Looked for pictures', with: quoted },
  youtube_transcript: { doing: 'Reading a transcript', done: 'Read a transcript', with: (input) => addressIn(input) },
  url_summarization: { doing: 'Reading a page', done: 'Read a page', with: (input) => addressIn(input) },
  pdf_loader: { doing: 'Reading a document', done: 'Read a document', with: (input) => addressIn(input) },
  ask_clarification: { doing: 'Asking you', done: 'Asked you', with: quoted },
};

/** One call of a tool as a line. */
export interface ToolWords {
  name: string;
  detail: string;
  state: 'now' | 'done' | 'failed';
}

/** Puts a call into words: what was done, with what, what came of it. */
export function toolWords(tool: ToolView): ToolWords {
  const said = known[tool.name] ?? { doing: tool.name, done: tool.name, with: quoted };
  const state = tool.state === 'done' ? 'done' : tool.state === 'requested' || tool.state === 'running' || tool.state === 'warned' ? 'now' : 'failed';
  const outcome = tool.state === 'refused' ? tool.output || 'Not allowed' : tool.state === 'blocked' ? tool.output || 'The same again, so it was left out' : tool.output;
  return { name: state === 'now' ? said.doing : said.done, detail: [said.with(tool.input), outcome].filter(Boolean).join(' · '), state };
}

function addressIn(input: Record<string, unknown>): string {
  const address = firstText(input, 'url', 'address', 'path');
  return URL.canParse(address) ? new URL(address).host : baseName(address);
}

function firstText(input: Record<string, unknown>, ...keys: string[]): string {
  for (const key of keys) {
    const value = input[key];
    const text = Array.isArray(value) ? value[0] : value;
    if (typeof text === 'string' && text.trim()) return text.trim();
  }
  return '';
}
