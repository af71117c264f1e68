/** Questions being written: what each box keeps, over a restart too, until it has been asked. */
import type { Focus } from '../api';
import type { Work } from '../lib/commands';
import { hold, isHeld, remember, remembered, rememberSoon } from '../lib/remember';
import type { Attachment } from './composer.svelte';

/** What was chosen by hand. */
export interface Chosen {
  work?: Work;
  focus?: Focus;
  web?: boolean;
}

/** What goes along with the text. */
export interface Along {
  context: string;
  files: Attachment[];
  /** The question is about the files alone. */
  limited: boolean;
  chosen: Chosen;
}

export const home = 'home';
export const newTable = 'table';
/** More than this would take the storage from everything else: it holds until the page is left. */
const alongMax = 200_000;
const nothing: Along = { context: '', files: [], limited: false, chosen: {} };

const textKey = (place: string): string => `draft.${place}`;
const alongKey = (place: string): string => `draft.${place}.along`;
const scopeKey = (thread: string): string => `scope.${thread}`;

export function draftText(place: string): string {
  return remembered(textKey(place)) ?? '';
}

/** What stands there was kept out of the storage. */
export function isSecret(place: string): boolean {
  return isHeld(textKey(place));
}

/** Keeps a text; a `secret` one is never stored. */
export function keepText(place: string, text: string, secret: boolean): void {
  if (!text) remember(textKey(place), null);
  else (secret ? hold : rememberSoon)(textKey(place), text);
}

export function along(place: string): Along {
  const kept = parsed(remembered(alongKey(place))) as Partial<Along> | null;
  if (!kept) return nothing;
  const { context, limited, chosen } = kept;
  return { context: typeof context === 'string' ? context : '', files: attachments(kept.files), limited: limited === true, chosen: chosen ?? {} };
}

export function keepAlong(place: string, kept: Along, secret: boolean): void {
  const none = !kept.context && kept.files.length === 0 && Object.keys(kept.chosen).length === 0;
  const value = none ? null : JSON.stringify({ ...kept, files: kept.files.map(plain) });
  if (value && (secret || value.length > alongMax)) hold(alongKey(place), value);
  else remember(alongKey(place), value);
}

/** Takes what was written in one box into another, behind what stands there; gives what takes it back unless it was changed. A secret stays where it is. */
export function carryDraft(from: string, to: string): () => void {
  if (isSecret(from)) return () => {};
  const [text, own] = [draftText(from), draftText(to)];
  const [moved, mine] = [along(from), along(to)];
  if (!text && moved === nothing) return () => {};
  const secret = isSecret(to);
  const both = [own, text].filter(Boolean).join('\n');
  keepText(to, both, secret);
  keepAlong(to, joined(mine, moved), secret);
  return () => {
    if (draftText(to) !== both) return;
    keepText(to, own, secret);
    keepAlong(to, mine, secret);
  };
}

/** Lets go of what was kept for a thread that is no more. */
export function dropDraft(thread: string): void {
  for (const key of [textKey(thread), alongKey(thread), scopeKey(thread)]) remember(key, null);
}

/** What a conversation is limited to; nothing for most. */
export function scopeOf(thread: string): Attachment[] {
  return attachments(parsed(remembered(scopeKey(thread))));
}

/** The reader took away what the conversation was limited to. */
export function isFreed(thread: string): boolean {
  return remembered(scopeKey(thread)) === '[]';
}

/** An empty scope is kept as well: the reader took away what the conversation was limited to. */
export function keepScope(thread: string, files: Attachment[], secret: boolean): void {
  (secret ? hold : remember)(scopeKey(thread), JSON.stringify(files.map(plain)));
}

/** What a conversation is limited to holds for another version of it. */
export function shareScope(from: string, to: string): void {
  remember(scopeKey(to), remembered(scopeKey(from)));
}

function joined(one: Along, other: Along): Along {
  const files = [...one.files, ...other.files.filter(({ id }) => !one.files.some((file) => file.id === id))];
  return {
    context: [one.context, other.context].filter(Boolean).join('\n\n'), files, limited: one.limited && files.length === one.files.length,
    chosen: { ...one.chosen, ...other.chosen },
  };
}

/** How a file can be named again; whether it can be read is looked up anew. */
const plain = ({ id, name, folder, collection }: Attachment): Attachment => ({ id, name, ...(folder ? { folder } : {}), ...(collection ? { collection } : {}) });

function attachments(kept: unknown): Attachment[] {
  return Array.isArray(kept) ? kept.filter((one): one is Attachment => typeof one?.id === 'string' && typeof one?.name === 'string') : [];
}

function parsed(kept: string | null): unknown {
  try {
    return JSON.parse(kept ?? 'null');
  } catch {
    return null;
  }
}
