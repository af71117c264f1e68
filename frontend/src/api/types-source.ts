/** Sources and passages as they were read. */
import type { Locator, Range, SourceKind } from './types-answer';

export interface SourceInfo {
  id: string;
  kind: SourceKind;
  title: string;
  url?: string;
  domain?: string;
  path?: string;
  published: string | null;
  digest: string;
  media_type: string;
  /** When it was read. */
  read_at: string;
  flags: string[];
  /** Pages of the document, 0 or absent when it has none. */
  pages?: number;
  coverage?: number;
}

/** A stretch of a source's text as it was read. Highlights are offsets of the whole text. */
export interface SourceText {
  text: string;
  start: number;
  end: number;
  total: number;
  highlight: Range[];
  page: number;
  heading: string;
  digest: string;
  /** The file or page has changed since it was read. */
  stale: boolean;
}

/** Which stretch of a source to show; `passage` or `citation` (run:marker index) win over offsets. */
export interface TextAt {
  start?: number;
  end?: number;
  passage?: string;
  citation?: string;
}

export interface PassageInfo {
  id: string;
  source: string;
  text: string;
  locator: Locator;
  chunk: number;
  /** Previous and next passage of the source; "" where there is none. */
  neighbours: [string, string];
}
