/**
 * The table of routes as the page calls it. `Routes` is generated from the Go services: what a route needs in its path,
 * asks in its query, takes as its body and gives is known for each, over both transports.
 */
import type { OnEnd, Unsubscribe } from './backend';
import type { Page, Routes } from './generated';

export type Route = keyof Routes;

type Names<R extends string> = R extends `${string}{${infer N}}${infer Rest}` ? N | Names<Rest> : never;
type InPath<R extends Route> = [Names<R>] extends [never] ? unknown : { path: Record<Names<R>, string> };
type InQuery<R extends Route> = Routes[R] extends { asks: infer N extends string } ? { query?: { [K in N]?: Value } } : unknown;
type InBody<R extends Route> = Routes[R] extends { takes: infer T } ? (T extends Record<string, never> ? unknown : { body: T }) : unknown;

export type Value = string | number | boolean | undefined;
export type Sent<R extends Route> = InPath<R> & InQuery<R> & InBody<R> & { signal?: AbortSignal };
export type Gives<R extends Route> = Routes[R]['gives'];

/** What is sent, when nobody asks which route it is for. */
export interface AnySent {
  path?: Record<string, string>;
  query?: Record<string, Value>;
  body?: unknown;
  signal?: AbortSignal;
}

/** A stream of events as it is heard. */
export interface Listener<E> {
  /** The number of the last event that was seen; 0 = from the first. */
  after: number;
  /** Tells whether the event is the last one. */
  onEvent: (event: E) => boolean;
  onEnd: OnEnd;
}

export interface Transport {
  call<R extends Route>(route: R, sent: Sent<R>): Promise<Gives<R>>;
  /** Follows a stream in order, none lost or repeated; reconnects by itself. */
  follow<E extends { seq: number }>(route: Route, path: Record<string, string>, listener: Listener<E>): Unsubscribe;
}

/** The parameters that say something, as text. */
export const saying = (query: Record<string, Value> = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined && value !== '').map(([name, value]) => [name, String(value)]));

/** Lists may come bare or as a page; both are read. */
export const itemsOf = <T>(list: T[] | Page<T> | null): T[] => (Array.isArray(list) ? list : (list?.items ?? []));
