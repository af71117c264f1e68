import type { Ask, CompleteQuestion } from './types';

/** Fills in the defaults of a question, so that both adapters send the same object. */
export function complete(ask: Ask): CompleteQuestion {
  return {
    focus: 'all',
    mode: 'balanced',
    web: true,
    offline: false,
    preset: 'auto',
    language: 'auto',
    cache: true,
    ...ask,
    scope: { files: [], folders: [], collections: [], ...ask.scope },
    models: { chat: '', system: '', ...ask.models },
  };
}
