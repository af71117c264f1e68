/**
 * What the program tells while it works: events of runs, of the library, of jobs.
 * Each is numbered from 1 without a gap; a client skips kinds it does not know.
 */
import type { RunEventBodies } from './generated';

export type { JobEvent, LeadCard, LibraryEvent, LibraryEventBodies, RunEvent, RunEventBodies as EventBodies, Stage, ToolState } from './generated';

export type EventKind = keyof RunEventBodies;

/** Kinds that end a run. Exactly one of them is a run's last event. */
export const terminalKinds: readonly string[] = ['finished', 'failed', 'stopped'];
