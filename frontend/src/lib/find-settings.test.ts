import { describe, expect, it } from 'vitest';
import { findSettings } from './find-settings';

const keys = (query: string): string[] => findSettings(query).flatMap((part) => part.fields.map((field) => field.key));

describe('settings are found', () => {
  it('by words of their own, in any order and any part', () => {
    expect(keys('dark')).toEqual(['ui.theme']);
    expect(keys('size text')).toEqual(['ui.text_size']);
    expect(keys('folders watch')).toEqual(['library.watch']);
  });
  it('by what can be chosen', () => expect(keys('cosine')).toEqual(['rank.measure']));
  it('by their part, with all of it', () => expect(keys('privacy')).toContain('store.private_default'));
  it('where a part has more than fields', () => expect(findSettings('Ollama').map((found) => found.part)).toContain('models'));
  it('not without words', () => expect(findSettings('  ')).toEqual([]));
});
