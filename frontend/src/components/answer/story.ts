/** How an answer came about, as a person would tell it: asked, found, left out, sent. */
import { engineName } from '../../lib/engines';
import { plural } from '../../lib/format';
import { answerTexts } from '../../lib/texts-answer';
import type { RunView } from '../../lib/view';
import { restsOn, sentWords } from '../../lib/wording';
import type { Trace } from '../../api/types';

export interface Told {
  title: string;
  lines: string[];
}

const t = answerTexts.story;
const mostNamed = 4;
const unique = <T>(items: readonly T[]): T[] => [...new Set(items)];
const listed = (names: string[]): string => (names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : (names[0] ?? ''));

function asked(view: RunView): string[] {
  const plan = view.plan;
  const understood = plan?.standalone && plan.standalone !== view.question ? t.understood(plan.standalone) : '';
  const who = unique(view.searches.map((search) => engineName(search.engine)));
  const what = unique((plan?.queries.length ? plan.queries : view.searches.map((search) => search.query)).filter(Boolean));
  const looked = who.length ? t.looked(listed(who), listed(what.map((query) => `“${query}”`))) : t.nowhere;
  return [understood, looked].filter(Boolean);
}

function found(view: RunView): string[] {
  const of = (own: boolean): number => view.searches.filter((search) => (search.engine === 'library') === own).reduce((sum, search) => sum + search.count, 0);
  const read = view.leads.filter((lead) => lead.engine !== 'library' && lead.state === 'read').length;
  const parts = [of(true) ? `${plural(of(true), 'passage')} in your files` : '', of(false) ? plural(of(false), 'search result') : '', read ? `${plural(read, 'page')} read` : ''].filter(Boolean);
  const rests = restsOn(view);
  return [parts.length ? `${listed(parts)}.` : t.foundNothing, rests ? t.rests(rests) : ''].filter(Boolean);
}

function leftOut(view: RunView, trace: Trace | null): string[] {
  const silent = view.searches.filter((search) => search.state !== 'answered').map((search) => t.silent(engineName(search.engine), search.error?.message ?? ''));
  const unread = view.leads.filter((lead) => lead.state === 'unread');
  const pages = unread.slice(0, mostNamed).map((lead) => t.unread(lead.domain || lead.title || lead.address, lead.reason));
  const out = (trace?.ranking?.candidates ?? []).filter((candidate) => !candidate.chosen);
  const repeats = out.filter((candidate) => candidate.alike?.length).length;
  const lines = [
    ...unique(silent), ...unique(pages), unread.length > mostNamed ? t.unreadMore(unread.length - mostNamed) : '',
    repeats ? t.repeats(repeats) : '', out.length > repeats ? t.weaker(out.length - repeats) : '',
  ].filter(Boolean);
  return lines.length ? lines : [t.nothingOut];
}

function sent(view: RunView, machine: string): string[] {
  const words = sentWords(view, machine);
  return words ? [`${words}.`] : [];
}

/** The four parts of the story; a part of which nothing is known is left out. */
export function storyOf(view: RunView, trace: Trace | null, machine: string): Told[] {
  const parts: Told[] = [
    { title: t.asked, lines: asked(view) }, { title: t.found, lines: found(view) },
    { title: t.out, lines: leftOut(view, trace) }, { title: t.sent, lines: sent(view, machine) },
  ];
  return parts.filter((part) => part.lines.length > 0);
}
