import type { SettingsView, SettingValue } from './types';

type Tree = { [key: string]: unknown };

const isTree = (value: unknown): value is Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Turns nested settings into flat "section.key" ones; flat ones stay as they are. */
export function flatten(tree: unknown, prefix = ''): Record<string, SettingValue> {
  if (!isTree(tree)) return {};
  return Object.entries(tree).reduce<Record<string, SettingValue>>((flat, [key, value]) => {
    const name = prefix ? `${prefix}.${key}` : key;
    return isTree(value) ? { ...flat, ...flatten(value, name) } : { ...flat, [name]: value as SettingValue };
  }, {});
}

/** The settings with flat keys, whichever form the program sent. */
export function flatSettings(view: SettingsView): SettingsView {
  return {
    values: flatten(view.values),
    defaults: flatten(view.defaults),
    origin: view.origin ?? {},
    keys: view.keys ?? {},
  };
}
