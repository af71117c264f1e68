import { render } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import PassageCode from './PassageCode.svelte';

describe('PassageCode', () => {
  it('has the code alone as its text, so that no line number is copied with it', () => {
    const { container } = render(PassageCode, { code: [{ text: 'func a()\n\n', marked: false }, { text: '  b()', marked: true }], line: 9, language: '', label: 'Code 1' });
    const range = document.createRange();
    range.selectNodeContents(container.querySelector('.lines')!);
    expect(range.toString().trim()).toBe('func a()\n\n  b()');
    expect([...container.querySelectorAll('.line')].map((line) => line.getAttribute('data-n'))).toEqual(['9', '10', '11']);
  });
});
