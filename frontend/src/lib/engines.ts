import { engineLabels } from '../api/generated';

/** Search engines, and what else is searched, by the names people know. */
const names: Record<string, string> = {
  ...engineLabels, invidious: 'Invidious', gutenberg: 'Project Gutenberg', library: 'Your files', you: 'You',
};

export const engineName = (name: string): string => names[name] ?? name;
