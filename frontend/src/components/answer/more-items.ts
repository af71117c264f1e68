/** What stands under More at the end of an answer. */
import type { Rhythm } from '../../lib/fresh';
import { texts } from '../../lib/texts';
import { answerTexts } from '../../lib/texts-answer';
import type { MenuItem } from '../../ui/Menu.svelte';

export type MoreAct = 'markdown' | 'note' | 'branch' | 'rename' | 'pin' | 'remove' | `fresh-${Rhythm}`;

export interface MoreFacts {
  text: boolean;
  /** How the answer is kept fresh; undefined where it cannot be. */
  fresh?: { rhythm: Rhythm | ''; files: boolean };
  pinned: boolean;
}

const rhythms: Rhythm[] = ['off', 'change', 'day', 'week'];

/** The items of the menu: about the answer, about keeping it fresh, about its thread. */
export function moreItems({ text, fresh, pinned }: MoreFacts): MenuItem[] {
  const item = (id: MoreAct, label: string, more: Partial<MenuItem> = {}): MenuItem => ({ id, label, ...more });
  const kept = fresh ? rhythms.filter((id) => id !== 'change' || fresh.files) : [];
  const t = answerTexts.diff;
  return [
    ...(text ? [item('markdown', t.asMarkdown, { detail: '⇧C' }), item('note', t.asNote)] : []),
    item('branch', t.branch),
    ...kept.map((id, i) => item(`fresh-${id}`, answerTexts.fresh.items[id], {
      ...(i === 0 ? { head: answerTexts.fresh.label } : {}), ...(fresh?.rhythm === id ? { detail: answerTexts.fresh.chosen, kept: true } : {}),
    })),
    ...threadItems(pinned),
  ];
}

/** What is done to a thread, wherever it is offered. */
export function threadItems(pinned: boolean): (MenuItem & { id: MoreAct })[] {
  return [
    { id: 'rename', label: texts.nav.rename, head: answerTexts.diff.thread },
    { id: 'pin', label: pinned ? texts.nav.unpin : texts.nav.pin },
    { id: 'remove', label: texts.nav.remove, bad: true },
  ];
}
