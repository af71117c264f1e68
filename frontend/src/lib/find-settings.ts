/** Settings by words of theirs, in every part. */
import { type Field, type SettingsPart, settingsParts } from './settings-parts';
import { texts } from './texts';

export interface FoundPart {
  part: keyof typeof texts.settings.parts;
  title: string;
  fields: Field[];
}

/** Every word must stand in the part, the heading, the setting, what is said of it, or what can be chosen. */
export function findSettings(query: string): FoundPart[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const has = (...texts: string[]): boolean => {
    const text = texts.join(' ').toLowerCase();
    return words.every((word) => text.includes(word));
  };
  return Object.entries(texts.settings.parts).flatMap(([part, title]) => {
    const declared: SettingsPart | undefined = (settingsParts as Record<string, SettingsPart>)[part];
    const fields = (declared?.sections ?? []).flatMap((section) => section.fields.filter((field) => has(title, section.title, ...wordsOf(field))));
    const about = has(title, declared?.lead ?? '', texts.settings.also[part] ?? '');
    return fields.length > 0 || about ? [{ part: part as FoundPart['part'], title, fields }] : [];
  });
}

const wordsOf = (field: Field): string[] => [field.label, field.help, ...(field.kind === 'choice' ? field.choices.map(([, label]) => label) : [])];
