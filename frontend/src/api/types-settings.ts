/** What the reader has set up: models, engines, settings, and how the program is. */
import type { Focus, Mode, Failure } from './types';

export interface ChatModel {
  /** The provider's own name. `provider/key` names it everywhere else. */
  key: string;
  name: string;
  /** Tokens; 0 when unknown. */
  window: number;
  tools: boolean;
  schema: boolean;
  bytes?: number;
}

export interface EmbeddingModel {
  key: string;
  name: string;
  dims: number;
}

export interface Provider {
  /** First half of provider/model. */
  id: string;
  name: string;
  /** Wire dialect: "ollama", "openai" … */
  kind: string;
  /** scheme://host:port */
  origin: string;
  configured: boolean;
  reachable: boolean;
  /** Runs on this computer or in its network. */
  local?: boolean;
  needs_key?: boolean;
  /** Named in the settings by the reader. */
  custom?: boolean;
  error?: Failure;
  chatModels: ChatModel[];
  embeddingModels: EmbeddingModel[];
}

export interface Roles {
  /** "auto", "none" or provider/model. */
  chat: string;
  system: string;
  rewrite: string;
  embedding: string;
  rerank: string;
  link_system_to_chat: boolean;
}

export interface ModelsView {
  providers: Provider[];
  roles: Roles;
  /** What "auto" stands for now: provider/model, "" when there is none. */
  resolved?: { chat: string; system: string };
}

export interface ModelTest {
  ok: boolean;
  ms: number;
  window: number;
  tools: boolean;
  schema: boolean;
  error?: Failure;
}

/** A system prompt of the reader's own, below the rules of citing. */
export interface Persona {
  id: string;
  name: string;
  text: string;
}

/** A domain or folder that comes first, last or never. */
export interface Lens {
  pattern: string;
  action: 'boost' | 'lower' | 'block';
  note: string;
}

export interface Engine {
  name: string;
  kinds: string[];
  needs_key: boolean;
  enabled: boolean;
  consent: boolean;
  /** "ready", "suspended", "no-key", "no-address", "no-consent", "off", "offline" … */
  state: string;
  suspended_until: string | null;
  reason: string;
}

export interface EngineTest {
  ok: boolean;
  ms: number;
  count: number;
  error?: Failure;
}

export type Origin = 'default' | 'file' | 'env' | 'flag';
export type SettingValue = string | number | boolean | string[] | null | Record<string, unknown>;

/** Settings by flat key, "section.key". */
export interface SettingsView {
  values: Record<string, SettingValue>;
  defaults: Record<string, SettingValue>;
  origin: Record<string, Origin>;
  /** Which keys are stored; values are never read back. */
  keys: Record<string, boolean>;
}

export interface Health {
  status: string;
  version: string;
  data?: unknown;
  index?: unknown;
  models?: unknown;
  engines?: unknown;
  disk?: unknown;
  uptime_ms: number;
  /** What this program can do; when absent, the window offers only the plainest. */
  modes?: Mode[];
  focuses?: Focus[];
  /** Whether a network is there, as far as the program knows. */
  online?: boolean;
}
