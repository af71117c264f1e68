/** Slash commands, and what focuses and modes are called. Pure. */
import type { Focus, Mode, SubMode } from '../api/types';
import { texts } from './texts';

/** What the reader chooses; due diligence is a way of deep research. */
export type Work = 'balanced' | 'speed' | 'agent' | 'deep' | 'due-diligence';

export interface Command {
  /** As typed, without the slash. */
  name: string;
  detail: string;
  group: keyof typeof texts.slash.groups;
  /** A mode, a focus, the name of a collection that is written into the question, or a screen that is opened. */
  sets: { work: Work } | { focus: Focus } | { collection: string } | { screen: 'table' };
}

const work = (name: string, group: Command['group'], value: Work): Command => ({
  name, group, detail: texts.mode[value].detail, sets: { work: value },
});
const focus = (name: string, value: Focus): Command => ({
  name, group: 'where', detail: texts.focus[value].detail, sets: { focus: value },
});

const commands: readonly Command[] = [
  work('deep-research', 'research', 'deep'),
  work('due-diligence', 'research', 'due-diligence'),
  { name: 'table', group: 'research', detail: texts.slash.table, sets: { screen: 'table' } },
  work('speed', 'work', 'speed'),
  work('agent', 'work', 'agent'),
  focus('web', 'web'),
  focus('files', 'local'),
  focus('academic', 'academic'),
  focus('compute', 'compute'),
  focus('video', 'video'),
  focus('community', 'community'),
  focus('writing', 'writing'),
  focus('all', 'all'),
];

/** Which modes and focuses this program offers. */
export interface Offer {
  modes: readonly Mode[];
  focuses: readonly Focus[];
}

/** Without word from the program, only what every version can do is offered. */
export const plainOffer: Offer = { modes: ['speed', 'balanced'], focuses: ['all', 'web', 'local'] };

export const modeOf = (value: Work): { mode: Mode; submode?: SubMode } =>
  value === 'due-diligence' ? { mode: 'deep', submode: 'due-diligence' } : { mode: value };

const offered = (offer: Offer) => (command: Command): boolean =>
  'work' in command.sets ? offer.modes.includes(modeOf(command.sets.work).mode) : 'screen' in command.sets || 'focus' in command.sets && offer.focuses.includes(command.sets.focus);

/** The text of a slash command being typed, or null when there is none. */
export function slashQuery(text: string): string | null {
  const match = /^\/([\p{L}-]*)$/u.exec(text);
  return match ? (match[1] ?? '') : null;
}

/** Commands that match what was typed after the slash: those that begin with it first. */
export function findCommands(query: string, offer: Offer): Command[] {
  const wanted = query.toLowerCase();
  const matching = commands.filter(offered(offer)).filter((c) => c.name.includes(wanted));
  if (wanted === '') return matching;
  return matching.sort((a, b) => Number(b.name.startsWith(wanted)) - Number(a.name.startsWith(wanted)));
}

const atEnd = /(?:^|\s)@([\p{L}\p{N}_-]*)$/u;

/** The name of a collection being typed at the end of a text, or null when there is none. */
export function collectionQuery(text: string): string | null {
  return atEnd.exec(text)?.[1] ?? null;
}

/** A name as it is written after the @: one word. */
export const atName = (name: string): string => name.trim().replace(/\s+/g, '-');

/** Collections whose name has what was typed after the @: those that begin with it first. */
export function findCollections(query: string, collections: readonly { name: string; texts: number }[]): Command[] {
  const wanted = query.toLowerCase();
  const found = collections.map(({ name, texts: n }): Command => ({
    name: atName(name), group: 'collections', detail: texts.collections.texts(n), sets: { collection: atName(name) },
  })).filter((command) => command.name.toLowerCase().includes(wanted));
  return found.sort((a, b) => Number(b.name.toLowerCase().startsWith(wanted)) - Number(a.name.toLowerCase().startsWith(wanted)));
}

/** The text with the name that was being typed at its end written out. */
export const withCollection = (text: string, name: string): string => `${text.replace(/@[\p{L}\p{N}_-]*$/u, '')}@${name} `;

/** Choices of the work menu. */
export const works = (offer: Offer): Work[] =>
  (['speed', 'balanced', 'agent', 'deep', 'due-diligence'] as const).filter((w) => offer.modes.includes(modeOf(w).mode));

/** Whether a focus asks the web: `chosen` where the reader has a say of their own in it. */
export function webOf(focus: Focus): 'always' | 'never' | 'chosen' {
  if (focus === 'all') return 'chosen';
  return ['local', 'compute', 'writing'].includes(focus) ? 'never' : 'always';
}

/** Choices of the focus menu, in the order of their names in the API. */
export const focuses = (offer: Offer): Focus[] =>
  (['all', 'web', 'local', 'academic', 'video', 'community', 'compute', 'writing'] as const).filter((f) => offer.focuses.includes(f));
