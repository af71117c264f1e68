import { describe, expect, it } from 'vitest';
import { placeOfWords } from './select';

describe('words that were selected', () => {
  const text = 'Über 😀 den Turm.\nDer Turm\nist hoch. Der Turm ist alt.';

  it('are found whatever blanks stand between them, in code points', () => {
    const found = placeOfWords(text, 'Turm ist hoch.', '');
    expect(found && [...text].slice(found.start, found.end).join('')).toBe('Turm\nist hoch.');
  });
  it('are found where what stands before them is the same', () => {
    const [first, last] = [placeOfWords(text, 'Der Turm', 'den Turm. '), placeOfWords(text, 'Der Turm', 'ist hoch. ')];
    expect(first!.start).toBeLessThan(last!.start);
    expect([...text].slice(last!.start, last!.end).join('')).toBe('Der Turm');
  });
  it('are not made up', () => {
    expect(placeOfWords(text, 'die Brücke', '')).toBeNull();
    expect(placeOfWords(text, '  ', '')).toBeNull();
  });
});
