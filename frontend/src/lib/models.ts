/** Names and choices of models, from what the program reports. Pure. */
import type { ModelsView, Provider } from '../api/types';

export interface ModelChoice {
  /** provider/model */
  id: string;
  label: string;
  provider: Provider;
}

const localHost = /^https?:\/\/(127\.|localhost|\[::1\])/;

export const isLocal = (provider: Provider): boolean => provider.local ?? localHost.test(provider.origin);

/** "127.0.0.1:11434" */
export const hostOf = (provider: Provider): string => provider.origin.replace(/^https?:\/\//, '').replace(/\/.*$/, '');

/** Providers in the order in which they matter to the reader: the one that writes, those set up by hand, the others. */
export function inOrder(providers: Provider[], chat: string): Provider[] {
  const rank = (p: Provider): number => (chat.startsWith(`${p.id}/`) ? 0 : p.custom ? 1 : 2);
  return [...providers].sort((a, b) => rank(a) - rank(b));
}

/** Every model that could write an answer now. */
export const chatChoices = (view: ModelsView): ModelChoice[] =>
  view.providers
    .filter((provider) => provider.reachable)
    .flatMap((provider) =>
      provider.chatModels.map((model) => ({ id: `${provider.id}/${model.key}`, label: model.name || model.key, provider })),
    );

/** What a role stands for now. */
export type InUse =
  | { state: 'none'; why: 'off' | 'not-found' }
  | { state: 'missing'; label: string }
  | { state: 'usable'; label: string; local: boolean; provider: string };

const afterSlash = (id: string): string => id.slice(id.indexOf('/') + 1);

function named(view: ModelsView, id: string): InUse {
  const choice = chatChoices(view).find((c) => c.id === id);
  if (!choice) return { state: 'missing', label: afterSlash(id) };
  return { state: 'usable', label: choice.label, local: isLocal(choice.provider), provider: choice.provider.name };
}

/** The model that writes answers, or why there is none. */
export function chatInUse(view: ModelsView): InUse {
  const { chat } = view.roles;
  if (chat === 'none') return { state: 'none', why: 'off' };
  if (chat !== 'auto' && chat !== '') return named(view, chat);
  const id = view.resolved.chat;
  return id ? named(view, id) : { state: 'none', why: 'not-found' };
}
