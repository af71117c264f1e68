/**
 * The objects spoken of with the program; events.ts has what is told while it works. Names and shapes are those of the
 * HTTP API and of the Go types. Times are RFC 3339 in UTC, text offsets count Unicode code points (end exclusive),
 * durations end in `_ms`.
 */

export type * from './types-answer';
export type * from './types-library';
export type * from './types-question';
export type * from './types-run';
export type * from './types-settings';
export type * from './types-source';
export type * from './types-thread';
