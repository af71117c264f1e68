/** What is asked, and how the answer is to come about. */
export type Focus = 'all' | 'web' | 'local' | 'academic' | 'video' | 'community' | 'compute' | 'writing';
export type Mode = 'speed' | 'balanced' | 'agent' | 'deep';

/** Restricts the local side; all empty means the whole library. */
export interface Scope {
  files: string[];
  folders: string[];
  collections: string[];
}

/** Names of models: "" = the setting, "none" = no model, else provider/model. */
export interface Models {
  chat: string;
  system: string;
}

export interface Weights {
  semantic: number;
  keyword: number;
  freshness: number;
  authority: number;
}

/** A question with everything that belongs to it; body of POST /api/runs. */
export interface Question {
  question: string;
  thread?: string;
  /** Longer pasted text. */
  context?: string;
  focus: Focus;
  mode: Mode;
  submode?: string;
  web: boolean;
  offline: boolean;
  scope: Scope;
  preset: string;
  weights?: Weights;
  k?: number;
  models: Models;
  instructions?: string;
  personas?: string[];
  engines?: string[];
  language: string;
  cache: boolean;
  /** Kept in memory only; absent: as the settings say. */
  private?: boolean;
  /** An earlier run of the thread: it and all later ones leave the thread. */
  replaces?: string;
}

/** What a caller has to say; the rest takes its default. */
export type Ask = Pick<Question, 'question'> & Partial<Question>;

/** A run that has begun. */
export interface Asked {
  run: string;
  thread: string;
}
