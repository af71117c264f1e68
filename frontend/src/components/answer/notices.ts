/** Notices of a run as lines: the fact, the reason, the next step. */
import type { Component } from 'svelte';
import CircleAlert from '@lucide/svelte/icons/circle-alert';
import Info from '@lucide/svelte/icons/info';
import Shield from '@lucide/svelte/icons/shield';
import Quote from '@lucide/svelte/icons/quote';
import WifiOff from '@lucide/svelte/icons/wifi-off';
import type { Notice } from '../../api/types';
import { answerTexts } from '../../lib/texts-answer';

/** What a notice offers to do. */
export type NoticeStep = 'models' | 'engines' | 'library' | 'again' | 'search' | 'consent' | 'none';

interface Said {
  icon: Component;
  step: NoticeStep;
  label: string;
}

const none: Said = { icon: Info, step: 'none', label: '' };
const known: Record<string, Said> = {
  extractive: { icon: Quote, step: 'models', label: 'Choose a model' },
  'no-search': { icon: Info, step: 'search', label: 'Search now' },
  'search-skipped': { icon: Info, step: 'search', label: 'Search now' },
  'search-blocked': { icon: CircleAlert, step: 'engines', label: 'Engines' },
  'search-partial': { icon: CircleAlert, step: 'engines', label: 'Engines' },
  'search-timeout': { icon: CircleAlert, step: 'again', label: 'Try again' },
  offline: { icon: WifiOff, step: 'again', label: 'Try again' },
  'local-only': { icon: WifiOff, step: 'again', label: 'Try again' },
  'mode-degraded': { icon: CircleAlert, step: 'models', label: 'Choose a model' },
  'partly-read': { icon: CircleAlert, step: 'library', label: 'Show the file' },
  'index-rebuilding': { icon: Info, step: 'library', label: 'Library' },
  'confirm-needed': { icon: Shield, step: 'consent', label: answerTexts.consent.show },
  'graded-by-words': { icon: Info, step: 'again', label: 'Ask again' },
  'stale-cache': { icon: Info, step: 'again', label: 'Ask again' },
};

/** A notice split into its fact and its reason. */
export interface NoticeWords extends Said {
  fact: string;
  reason: string;
  tone: 'info' | 'warn';
  /** Whom the step is about: the provider to be allowed. */
  whom: string;
}

/** Puts a notice into words. */
export function noticeWords(notice: Notice): NoticeWords {
  const said = known[notice.code] ?? (notice.level === 'warn' ? { ...none, icon: CircleAlert } : none);
  const message = said.step === 'consent' ? notice.message.replace(/ Allow it once: footnote models allow \S+\.?$/, '') : notice.message;
  return { ...said, ...splitFact(message), whom: /^allow-cloud:(.+)$/.exec(notice.action ?? '')?.[1] ?? '', tone: notice.level === 'warn' ? 'warn' : 'info' };
}

const calmCodes = new Set(['offline', 'local-only', 'extractive']);
const calmOf = (notices: readonly Notice[]): Notice[] => notices.filter((notice) => calmCodes.has(notice.code));

/** What a calm line is about; "" when there is none. Equal lines are said once. */
export const calmKey = (notices: readonly Notice[]): string => calmOf(notices).map((notice) => notice.message).sort().join('\n');

/** How an answer was made without network and model: a line for both, with a step for each. */
export interface CalmWords {
  icon: Component;
  fact: string;
  reason: string;
  steps: { step: NoticeStep; label: string }[];
}

/** The calm line of an answer; null when network and model were there. */
export function calmWords(notices: readonly Notice[]): CalmWords | null {
  const words = calmOf(notices).map(noticeWords);
  const [first, second] = words;
  if (!first) return null;
  const steps = words.map(({ step, label }) => ({ step, label }));
  if (!second) return { icon: first.icon, fact: first.fact, reason: first.reason, steps };
  const chosen = calmOf(notices).some((notice) => notice.message.startsWith('“Local only”'));
  const reason = [answerTexts.calm.quoted, ...words.map((each) => each.reason)].filter(Boolean).join(' ');
  return { icon: WifiOff, fact: chosen ? answerTexts.calm.chosen : answerTexts.calm.away, reason, steps };
}

/** The notices that stand in lines of their own. */
export const loudOf = (notices: readonly Notice[]): Notice[] => notices.filter((notice) => !calmCodes.has(notice.code) && !saidElsewhere.has(notice.code));

/** The first sentence of a message, and the rest. */
export function splitFact(message: string): { fact: string; reason: string } {
  const end = /[.!?](?=\s|$)/.exec(message);
  const cut = end ? end.index + 1 : message.length;
  return { fact: message.slice(0, cut), reason: message.slice(cut).trim() };
}

const mended: Record<string, string> = { 'model-auth': 'Enter it again', 'model-quota': 'Choose another model', 'model-missing': 'Choose another model' };

/** What would let a question that failed be answered next time. */
export const mending = (code: string | undefined): string[] => [mended[code ?? ''] ?? ''].filter(Boolean);

/** Codes that are already said in another place of the answer. */
export const saidElsewhere = new Set(['no-evidence', 'early-response']);
