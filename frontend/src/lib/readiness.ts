/** What stands ready for a first question: the web, the files, a model. Pure. */
import type { Engine, LibraryStatus, ModelTest, ModelsView } from '../api/types';
import { engineName } from './engines';
import { chatInUse } from './models';
import { texts } from './texts';

export type ReadyAction = 'engines' | 'folder' | 'library' | 'look-again' | 'models' | 'privacy' | 'sample' | 'try-web';

export interface Column {
  id: 'web' | 'files' | 'model';
  title: string;
  dot: 'ok' | 'off' | 'run' | 'warn';
  text: string;
  actions: { id: ReadyAction; label: string }[];
}

export interface Facts {
  models: ModelsView | null;
  engines: Engine[] | null;
  library: LibraryStatus | null;
  online: boolean;
  /** privacy.scope */
  scope: string;
  /** web.enabled */
  web: boolean;
  /** Folders can be dropped and read in place. */
  desktop: boolean;
  /** What came of asking `webToTry`; null where it need not be tried, undefined before. */
  tried?: ModelTest | 'running' | null;
}

const t = texts.ready;
const action = (id: ReadyAction, label: string) => ({ id, label });
const column = (id: Column['id'], dot: Column['dot'], text: string, ...actions: Column['actions']): Column =>
  ({ id, title: t[id], dot, text, actions });

const clock = (at: string): string => new Date(at).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });

const asked = (facts: Facts): Engine[] => (facts.engines ?? []).filter((e) => e.enabled && e.state === 'ready');

/** The engine that shows whether the web answers; "" when it is not to be asked. */
export const webToTry = (facts: Facts): string => (facts.scope === 'local-only' || !facts.web || !facts.online ? '' : (asked(facts).find((e) => e.consent)?.name ?? ''));

/** Whether the web is out of reach, as the system says or as trying it has shown. */
export const noNetwork = ({ online, tried }: Pick<Facts, 'online' | 'tried'>): boolean =>
  !online || (typeof tried === 'object' && tried?.ok === false && tried.error?.code === 'offline');

/** Why the web does not answer; files do, where there are any. */
const without = (why: string, { library }: Facts): string => (library?.totals.files ? `${why} ${t.filesAnswer}` : why);

function webColumn(facts: Facts): Column {
  const choose = action('engines', t.chooseEngines);
  if (facts.scope === 'local-only') return column('web', 'off', t.webLocalOnly, action('privacy', t.privacy));
  if (!facts.web) return column('web', 'off', without(t.webOff, facts), choose);
  if (noNetwork(facts)) return column('web', 'off', without(t.webOffline, facts), ...(facts.online ? [action('try-web', t.tryAgain)] : []));
  if (!facts.engines) return column('web', 'run', t.looking);
  const ready = asked(facts);
  if (ready.length === 0) return blockedColumn(facts, choose);
  if (facts.tried === 'running' || facts.tried === undefined) return column('web', 'run', t.webTrying);
  if (facts.tried && !facts.tried.ok) return column('web', 'warn', t.webSilent(engineName(ready[0]?.name ?? '')), action('try-web', t.tryAgain), choose);
  if (ready.every((e) => !e.needs_key && e.name !== 'searxng')) return column('web', 'ok', t.webKeyless, choose);
  const first = engineName(ready[0]?.name ?? '');
  return column('web', 'ok', ready.length > 1 ? t.webReadyMany(first, ready.length - 1) : t.webReady(first), choose);
}

function blockedColumn(facts: Facts, choose: Column['actions'][number]): Column {
  const paused = facts.engines?.find((e) => e.state === 'suspended' && e.suspended_until);
  const text = paused?.suspended_until ? t.webBlocked(engineName(paused.name), clock(paused.suspended_until)) : without(t.webNone, facts);
  return column('web', paused ? 'warn' : 'off', text, choose);
}

/** Whether nothing of the reader's own is in the library beside the sample library. */
export const onlySample = (library: LibraryStatus | null): boolean => !!library?.roots.length && library.roots.every((root) => root.sample);

function filesColumn({ library, desktop }: Facts): Column {
  const folder = action('folder', desktop ? t.chooseFolder : t.nameFolder);
  const open = action('library', t.openLibrary);
  const totals = library?.totals;
  if (!totals) return column('files', 'run', t.looking);
  if (totals.files === 0) return column('files', 'off', desktop ? t.filesNone : t.filesNoneCopy, folder, action('sample', t.trySample));
  if (totals.waiting > 0) return column('files', 'run', t.filesReading(totals.files - totals.waiting, totals.files), open);
  if (totals.failed > 0) return column('files', 'warn', t.filesFailed(totals.failed, totals.ready + totals.partial, totals.chunks), open);
  return column('files', 'ok', t.filesReady(totals.files, totals.chunks), open, ...(onlySample(library) ? [folder] : []));
}

function modelColumn({ models }: Facts): Column {
  const again = action('look-again', t.lookAgain);
  const choose = action('models', t.chooseModel);
  if (!models) return column('model', 'run', texts.status.looking);
  const used = chatInUse(models);
  if (used.state === 'missing') return column('model', 'warn', t.modelDown(used.label), again, choose);
  if (used.state === 'usable') {
    return column('model', 'ok', used.local ? t.modelLocal(used.label) : t.modelCloud(used.label, used.provider), choose);
  }
  if (used.why === 'off') return column('model', 'off', t.modelOff, choose);
  return column('model', 'off', t.modelNone, again, action('models', t.setUp));
}

/** The three columns, always in the same order. */
export const readiness = (facts: Facts): Column[] => [webColumn(facts), filesColumn(facts), modelColumn(facts)];

/** The one thing in the way of answers, when there is one. A model is not needed to answer. */
export const missing = (facts: Facts): Column | null =>
  readiness(facts).find((c) => c.dot === 'warn' || (c.id === 'web' && c.dot === 'off')) ?? null;
