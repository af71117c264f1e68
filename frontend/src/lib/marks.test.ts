import { describe, expect, it } from 'vitest';
import { markedLine } from './marks';

describe('a line that is cut at its end', () => {
  const line = (text: string, word: string): string => {
    const at = text.indexOf(word);
    return markedLine(text, at < 0 ? [] : [[at, at + word.length]]).map((part) => (part.hit ? `[${part.text}]` : part.text)).join('');
  };

  it('begins a little before what was found in it', () => {
    expect(line('each month by standing order. The deposit of £1,325 is held', 'deposit')).toBe('… order. The [deposit] of £1,325 is held');
    expect(line('pneumonoultramicroscopicdeposit', 'deposit')).toBe('…[deposit]');
  });

  it('is whole where that stands near its beginning, or nothing is marked', () => {
    expect(line('The deposit of £1,325 is held', 'deposit')).toBe('The [deposit] of £1,325 is held');
    expect(line('each month by standing order, on the first', 'deposit')).toBe('each month by standing order, on the first');
  });
});
