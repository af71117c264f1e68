/** A backend for tests: replays a log up to a point, then sends what it is told to send. */
import type { Backend, OnEnd } from '../../api/backend';
import type { RunEvent } from '../../api/events';
import type { FreshWish, Run, SearchResult, SourceText, Standing } from '../../api/types';

interface Follower {
  run: string;
  after: number;
  onEvent: (event: RunEvent) => void;
  onEnd: OnEnd;
  open: boolean;
}

/** A search that found nothing. */
export const nothingFound: Omit<SearchResult, 'total'> = { items: [], more: false, took_ms: 1, understood: { words: '', phrases: [], without: [], types: [], folders: [] }, behind: null };

export class FakeBackend {
  readonly desktop = false;
  readonly calls: string[] = [];
  followers: Follower[] = [];
  /** What has happened so far; a follow replays it. */
  log: RunEvent[] = [];
  runs: Run[] = [];
  text: SourceText = { text: '', start: 0, end: 0, total: 0, highlight: [], page: 0, line: 0, heading: '', digest: '', stale: false, blocks: [] };

  follow(run: string, after: number, onEvent: (event: RunEvent) => void, onEnd: OnEnd): () => void {
    const follower: Follower = { run, after, onEvent, onEnd, open: true };
    this.followers.push(follower);
    this.calls.push(`follow ${run} after ${after}`);
    for (const event of this.log.filter((e) => e.seq > after)) if (follower.open) onEvent(event);
    if (follower.open && this.ended) onEnd(null);
    return () => (follower.open = false);
  }

  get ended(): boolean {
    return ['finished', 'failed', 'stopped'].includes(this.log.at(-1)?.kind ?? '');
  }

  /** Something happens: it is journalled and sent to all who follow. */
  emit(...events: RunEvent[]): void {
    for (const event of events) {
      this.log.push(event);
      for (const follower of this.followers.filter((f) => f.open)) follower.onEvent(event);
    }
    if (this.ended) for (const follower of this.followers.filter((f) => f.open)) follower.onEnd(null);
  }

  thread = async (id: string) => ({ id, title: 'A thread', type: 'chat', created: '', updated: '', pinned: false, running: false, runs: this.runs, fresh: this.fresh, unseen: this.fresh.some((s) => s.unseen) });
  threads = async () => ({ items: [], next: null });
  ask = async () => (this.calls.push('ask'), { run: 'run_next000000', thread: 'thr_0000000001' });
  retry = async (run: string, change: object) => (this.calls.push(`retry ${run} ${JSON.stringify(change)}`), { run: 'run_again00000', thread: 'thr_0000000001' });
  refresh = async (run: string) => (this.calls.push(`refresh ${run}`), { run: 'run_again00000', thread: 'thr_0000000001' });
  fresh: Standing[] = [];
  keepFresh = async (run: string, wish: FreshWish): Promise<Standing> => (this.calls.push(`keep ${run} ${JSON.stringify(wish)}`), { run, thread: 'thr_0000000001', ...wish, failures: 0, paused: false, unseen: false, checking: false });
  dropFresh = async (run: string) => void this.calls.push(`drop ${run}`);
  seenThread = async (id: string) => void this.calls.push(`seen ${id}`);
  libraryEvents = () => () => {};
  warm = async (model: string) => void this.calls.push(`warm ${model}`);
  stop = async () => void this.calls.push('stop');
  answerNow = async () => void this.calls.push('answer-now');
  clarify = async (run: string, reply: string) => void this.calls.push(`clarify ${run} ${reply}`);
  lackingScripts = async () => [];
  saveNote = async (id: string, run: string) => (this.calls.push(`note ${id} ${run}`), { name: 'Answer.md', path: '/notes/Answer.md', there: false });
  branchThread = async (id: string, run: string) => (this.calls.push(`branch ${id} ${run}`), 'thr_branched000');
  plan = async (run: string, dimensions: string[], hold: boolean) => void this.calls.push(`plan ${run} ${dimensions.length} ${hold}`);
  trace = async (run: string) => ({ run, spans: [], ranking: null });
  ledger = async () => [];
  source = async (id: string) => ({ id, kind: 'file' as const, title: '', published: null, digest: '', media_type: '', read_at: '2026-11-21T10:00:00.000Z', flags: [] });
  sourceText = async (id: string, at: object) => (this.calls.push(`text ${id} ${JSON.stringify(at)}`), this.text);
  openSource = async (id: string) => void this.calls.push(`open ${id}`);
  openExternal = async (url: string) => void this.calls.push(`link ${url}`);
  previewImage = () => '';
  exportThread = async () => {};

  get api(): Backend {
    return this as unknown as Backend;
  }
}

/** The stored run that a complete log describes. */
export function storedRun(log: RunEvent[], id = log[0]!.run): Run {
  const last = log.at(-1)!;
  const started = log[0]!.body as { question: string };
  const run = { id, thread: 'thr_0000000001', status: last.kind, started: log[0]!.at, ended: last.at, question: { question: started.question, focus: 'all', mode: 'balanced', offline: false } } as unknown as Run;
  if (last.kind === 'finished') return { ...run, answer: last.body.answer };
  if (last.kind === 'failed') return { ...run, partial: last.body.partial, failure: last.body };
  return last.kind === 'stopped' ? { ...run, partial: last.body.partial } : run;
}
