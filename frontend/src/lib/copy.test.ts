import { describe, expect, it } from 'vitest';
import { richAnswer } from './copy';
import type { RunView } from './view';

describe('an answer for a text processor', () => {
  it('keeps the way that each paragraph runs, and nothing else of its markup', () => {
    const drawn = document.body.appendChild(document.createElement('div'));
    drawn.innerHTML = '<p dir="auto" class="x" style="direction: rtl">\u0627\u0644\u062c\u0633\u0631</p><p dir="auto">The bridge.</p>';
    const view = { notices: [], sources: [] } as unknown as RunView;
    expect(richAnswer(drawn, view, [])).toBe('<p dir="rtl">\u0627\u0644\u062c\u0633\u0631</p><p dir="ltr">The bridge.</p>');
  });
});
