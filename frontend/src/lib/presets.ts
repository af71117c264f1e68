/** Sets of weights: what people call them and where the settings keep them. */
import type { SettingValue, Weights } from '../api/types';
import { parts } from './recompute';

/** Sets of weights by the names people know. */
export const presetNames: Record<string, string> = {
  general: 'General', news: 'News', technical: 'Technical', academic: 'Academic', opinion: 'Opinion', video: 'Video', community: 'Discussions', writing: 'Writing',
};

/** Weights and the number of passages that go with them. */
export type Preset = Weights & { k: number };

const fields = [...parts, 'k'] as const;
const keyOf = (name: string, field: string): string => `rank.presets.${name}.${field}`;

/** The keys of a set in the settings. */
export const presetKeys = (name: string): string[] => fields.map((field) => keyOf(name, field));

/** A set as changes of the settings. */
export const presetValues = (name: string, preset: Preset): Record<string, SettingValue> =>
  Object.fromEntries(fields.map((field) => [keyOf(name, field), preset[field]]));

/** Reads a set out of the settings; null when it is not whole. */
export function presetOf(name: string, values: Record<string, SettingValue>): Preset | null {
  const read = Object.fromEntries(fields.map((field) => [field, values[keyOf(name, field)]]));
  return Object.values(read).every((value) => typeof value === 'number') ? (read as unknown as Preset) : null;
}
