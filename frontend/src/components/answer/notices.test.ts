import { describe, expect, test } from 'vitest';
import type { Notice } from '../../api/types';
import { calmKey, calmWords, loudOf, noticeWords } from './notices';

const offline: Notice = { code: 'offline', level: 'warn', message: 'You are offline; only your files were searched.' };
const chosen: Notice = { code: 'offline', level: 'info', message: '“Local only” is on, so the web was not asked.' };
const extractive: Notice = { code: 'extractive', level: 'info', message: 'Extracted from the sources; no model was used.' };
const partly: Notice = { code: 'partly-read', level: 'warn', message: 'Warranty.pdf was read in part.' };

describe('the calm line', () => {
  test('no network and no model are one line with a step for each', () => {
    const words = calmWords([offline, partly, extractive])!;
    expect(words.fact).toBe('No network and no model.');
    expect(words.reason).toBe('These sentences are quoted from your files.');
    expect(words.steps.map((step) => step.step)).toEqual(['again', 'models']);
    expect(calmWords([chosen, extractive])!.fact).toContain('“Local only” is on');
  });

  test('one alone keeps its own words, none is no line', () => {
    expect(calmWords([extractive])!.fact).toBe('Extracted from the sources; no model was used.');
    expect(calmWords([partly])).toBeNull();
  });

  test('a reason that is news is said along', () => {
    const down = { ...extractive, message: `${extractive.message} Ollama does not answer at 127.0.0.1:11434.` };
    expect(calmWords([offline, down])!.reason).toBe('These sentences are quoted from your files. Ollama does not answer at 127.0.0.1:11434.');
    expect(calmKey([down])).not.toBe(calmKey([extractive]));
  });

  test('the key is the same in any order, and what is loud stays', () => {
    expect(calmKey([offline, extractive])).toBe(calmKey([extractive, partly, offline]));
    expect(calmKey([partly])).toBe('');
    expect(loudOf([offline, partly, extractive, { code: 'no-evidence', level: 'warn', message: '' }])).toEqual([partly]);
  });
});

test('an answer graded in haste offers to be asked again', () => {
  const hasty: Notice = { code: 'graded-by-words', level: 'info', message: 'This computer was too busy. Ask again when it is calmer.' };
  expect(loudOf([hasty])).toEqual([hasty]);
  expect(noticeWords(hasty)).toMatchObject({ step: 'again', label: 'Ask again', fact: 'This computer was too busy.', tone: 'info' });
});
