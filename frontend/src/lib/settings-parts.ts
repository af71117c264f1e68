/** What the settings screens offer: one line a value, grouped as it is shown. */
import type { SettingValue } from '../api/types';
import { presetNames } from './presets';
import { texts } from './texts';

export type Field = { key: string; label: string; help: string } & (
  | { kind: 'switch' }
  | { kind: 'keys' }
  /** `optional`: empty is no value. */
  | { kind: 'number'; step?: number; unit?: string; optional?: true }
  | { kind: 'text'; placeholder?: string }
  | { kind: 'list'; placeholder?: string }
  | { kind: 'choice'; choices: [value: string, label: string][] }
);

export interface Section {
  title: string;
  fields: Field[];
}

export interface SettingsPart {
  lead: string;
  sections: Section[];
}

const auto: [string, string][] = [['auto', 'Automatic'], ['on', 'On'], ['off', 'Off']];

export const settingsParts = {
  web: {
    lead: '',
    sections: [
      {
        title: 'How the web is asked',
        fields: [
          { key: 'web.enabled', kind: 'switch', label: 'Search the web', help: 'Off: no engine is asked and no page is read.' },
          {
            key: 'web.keyless', kind: 'choice', label: 'Open engines', help: 'Engines that need no key.',
            choices: [['fallback', 'When no other can be used'], ['always', 'Always'], ['never', 'Never']],
          },
          { key: 'web.engines', kind: 'list', label: 'Order of engines', help: 'Names with commas; those that cannot be used are passed over.' },
          { key: 'web.searxng.url', kind: 'text', label: 'SearXNG address', help: 'Your own metasearch server.', placeholder: 'http://127.0.0.1:8888' },
          { key: 'web.read_pages', kind: 'number', label: 'Pages read for a question', help: 'In balanced mode.' },
          { key: 'web.timeout_ms', kind: 'number', label: 'Longest wait for engines', help: 'After this the answer goes on without them.', unit: 'ms' },
          { key: 'web.images', kind: 'switch', label: 'Preview pictures', help: 'Fetched by Footnote, made small and kept; the window itself fetches nothing.' },
          { key: 'web.browser', kind: 'switch', label: 'Pages that only scripts draw', help: 'Read with the browser on this computer, which gets no network of its own.' },
          { key: 'web.robots', kind: 'switch', label: 'Respect robots.txt', help: 'Pages that ask not to be read by programs are left alone.' },
        ],
      },
    ],
  },
  library: {
    lead: 'Files are read where they are, on this computer. What is not read cannot be found or cited.',
    sections: [
      {
        title: 'Reading',
        fields: [
          { key: 'library.watch', kind: 'switch', label: 'Watch folders', help: 'Changed files are read again by themselves.' },
          { key: 'library.paused', kind: 'switch', label: 'Pause reading', help: 'New and changed files wait until this is off again.' },
          { key: 'library.search_all', kind: 'switch', label: 'Search the whole library', help: 'When nothing is chosen for a question.' },
          { key: 'library.ocr', kind: 'choice', label: 'Read scans', help: 'Needs text recognition on this computer.', choices: [['auto', 'When available'], ['off', 'Never']] },
          { key: 'library.exclude', kind: 'list', label: 'Leave out', help: 'Names or patterns with commas, besides the built-in ones.' },
        ],
      },
    ],
  },
  answers: {
    lead: 'What a new question starts with. Each can be changed in the box.',
    sections: [
      {
        title: 'New questions',
        fields: [
          {
            key: 'ask.focus', kind: 'choice', label: 'Where to look', help: '',
            choices: Object.entries(texts.focus).map(([value, { label }]) => [value, label]),
          },
          { key: 'ask.mode', kind: 'choice', label: 'How much work', help: '', choices: [['speed', 'Speed'], ['balanced', 'Balanced'], ['agent', 'Agent'], ['deep', 'Deep research']] },
          { key: 'ask.web', kind: 'switch', label: 'Web', help: 'Whether the web is switched on in the box.' },
          { key: 'ask.language', kind: 'text', label: 'Language of answers', help: '“auto” is the language of the question.' },
        ],
      },
      {
        title: 'Answers',
        fields: [
          { key: 'ask.follow_ups', kind: 'number', label: 'Follow-up questions', help: '0 is none.' },
          { key: 'ask.history_turns', kind: 'number', label: 'Earlier turns given to the model', help: 'Older ones are left out.' },
          { key: 'ask.cache_minutes', kind: 'number', label: 'Reuse an answer', help: 'The same question within this time. 0 is never.', unit: 'minutes' },
          {
            key: 'cite.unsupported', kind: 'choice', label: 'Unproved sentences', help: 'When no passage supports a sentence.',
            choices: [['mark', 'Mark them'], ['withdraw', 'Withdraw the footnote']],
          },
          { key: 'cite.model_check', kind: 'switch', label: 'Let a local model look again at doubtful footnotes', help: 'Code judges every footnote either way.' },
          { key: 'ask.clarify', kind: 'switch', label: 'Questions back', help: 'An answer may ask you once what you mean.' },
          { key: 'models.temperature', kind: 'number', label: 'Temperature', help: 'How freely the model words things; at most 0.3.', step: 0.05 },
        ],
      },
      {
        title: 'Notes',
        fields: [
          { key: 'notes.folder', kind: 'text', label: 'Folder for notes', help: '“Save as note” writes an answer there as Markdown, with links to files of the same vault. No file is written over.', placeholder: '/home/you/Vault/Answers' },
        ],
      },
    ],
  },
  ranking: {
    lead: 'Which passages an answer may rest on, and in which order.',
    sections: [
      {
        title: 'Weights',
        fields: [
          {
            key: 'rank.preset', kind: 'choice', label: 'Weights used', help: 'Automatic chooses by the question.',
            choices: [['auto', 'Automatic'], ...Object.entries(presetNames)],
          },
          { key: 'rank.measure', kind: 'choice', label: 'Meaning is compared by', help: '', choices: [['cosine', 'Cosine'], ['dot', 'Dot product'], ['euclidean', 'Distance']] },
          { key: 'rank.fusion', kind: 'choice', label: 'Words and meaning are joined by', help: '', choices: [['weighted', 'Weights'], ['rrf', 'Ranks']] },
        ],
      },
      {
        title: 'Passages',
        fields: [
          { key: 'rank.max_passages', kind: 'number', label: 'Passages given to the model', help: 'At most.' },
          { key: 'rank.max_per_domain', kind: 'number', label: 'From one site', help: '0 is no limit.' },
          { key: 'rank.floor', kind: 'number', label: 'Lowest score', help: 'Passages below it are not evidence.', step: 0.01 },
          { key: 'rank.half_life_days', kind: 'number', label: 'Freshness halves after', help: '', unit: 'days' },
          { key: 'rank.prioritise', kind: 'choice', label: 'Let a model order the best five', help: 'Automatic leaves it out while the model is slow.', choices: auto },
          { key: 'rank.encoder', kind: 'choice', label: 'Compare by meaning, closely', help: 'The built-in encoder orders the best passages again.', choices: auto },
        ],
      },
    ],
  },
  budgets: {
    lead: 'Limits that end a question before it costs too much time or too many tokens.',
    sections: [
      {
        title: 'A question',
        fields: [
          { key: 'limits.question_chars', kind: 'number', label: 'Length of a question', help: '', unit: 'characters' },
          { key: 'limits.model_calls', kind: 'number', label: 'Calls of a model', help: '' },
          { key: 'limits.tokens', kind: 'number', label: 'Tokens', help: '0 is no limit.' },
          { key: 'limits.cost', kind: 'number', label: 'Money', help: '0 is no limit. Counted with the prices below, else with what a provider tells.', step: 0.01 },
          { key: 'limits.tool_calls', kind: 'number', label: 'Look-ups of a model', help: 'In agent mode.' },
          { key: 'agent.max_steps', kind: 'number', label: 'Steps in agent mode', help: 'From 1 to 25.' },
          { key: 'limits.runs_at_once', kind: 'number', label: 'Questions at once', help: 'Further ones wait.' },
        ],
      },
    ],
  },
  privacy: {
    lead: 'What may go out to others. The shield under an answer says what did for it, the ledger below what did in all.',
    sections: [
      {
        title: 'Where data may go',
        fields: [
          {
            key: 'privacy.scope', kind: 'choice', label: 'Scope', help: '“Local only” allows models on this computer and your files, nothing else.',
            choices: [['all', 'Web and any model'], ['no-cloud-models', 'Web, models here only'], ['local-only', 'Local only']],
          },
          { key: 'privacy.preview_before_cloud', kind: 'switch', label: 'Show before sending', help: 'Before passages of your files go to a model elsewhere for the first time.' },
          { key: 'privacy.redact', kind: 'switch', label: 'Leave out secrets', help: 'Passwords, keys and numbers of cards and accounts in passages are left out before a model elsewhere gets them.' },
          { key: 'privacy.keychain', kind: 'switch', label: 'Keep keys in the system’s key store', help: 'Off: in a file that only you can read.' },
          { key: 'store.private_default', kind: 'switch', label: 'Forget questions', help: 'New questions are not kept after the window is closed.' },
        ],
      },
    ],
  },
  appearance: {
    lead: '',
    sections: [
      {
        title: 'Theme and text',
        fields: [
          { key: 'ui.theme', kind: 'choice', label: 'Light or dark', help: '', choices: [['system', 'As the system'], ['light', 'Light'], ['dark', 'Dark']] },
          {
            key: 'ui.text_size', kind: 'choice', label: 'Text size', help: 'Of answers, documents and everything else in the window.',
            choices: [['normal', 'Normal'], ['large', 'Large, 112 %'], ['larger', 'Larger, 125 %'], ['largest', 'Largest, 150 %']],
          },
        ],
      },
    ],
  },
  anywhere: {
    lead: 'Ask and find while you work in another program.',
    sections: [
      {
        title: 'The box',
        fields: [
          { key: 'ui.hotkey', kind: 'keys', label: 'Keys that open it', help: 'They hold in every program while Footnote runs; the same keys hide it. Keys that do nothing here while you record belong to another program. The box is kept ready, which takes about 200 MB of memory.' },
        ],
      },
      {
        title: 'In the background',
        fields: [
          { key: 'ui.tray', kind: 'switch', label: 'Icon in the tray', help: 'With pause, private and quit. Closing the window then leaves Footnote running.' },
          { key: 'ui.autostart', kind: 'switch', label: 'Start with the computer', help: 'When you log in, without showing the window.' },
        ],
      },
    ],
  },
} satisfies Record<string, SettingsPart>;

/** Reads what was typed into the kind of value a field holds; undefined when it is none. */
export function readValue(field: Field, text: string): SettingValue | undefined {
  if (field.kind === 'number') {
    const number = Number(text.trim().replace(',', '.'));
    if (text.trim() === '') return field.optional ? null : undefined;
    return Number.isFinite(number) ? number : undefined;
  }
  if (field.kind === 'list') return text.split(',').map((item) => item.trim()).filter(Boolean);
  return text.trim();
}

/** Writes a value the way it is typed. */
export const writeValue = (value: SettingValue | undefined): string =>
  Array.isArray(value) ? value.join(', ') : value === null || value === undefined ? '' : String(value);
