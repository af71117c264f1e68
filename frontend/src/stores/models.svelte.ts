/** Models and search engines: what is there, what it does, whether it works. */
import { backend, type Engine, type EngineTest, Fault, type ModelsView, type ModelTest, type Roles, type SettingsApi } from '../api';
import { texts } from '../lib/texts';
import { chatChoices, chatInUse, type InUse, type ModelChoice } from '../lib/models';

/** How far the fetching of a model has come. */
export interface Pull {
  model: string;
  job: string;
  status: string;
  /** Bytes of the part that is being fetched. */
  done: number;
  total: number;
  ended: { ok: boolean; text: string } | null;
}

export class ModelsStore {
  view = $state.raw<ModelsView | null>(null);
  engines = $state.raw<Engine[] | null>(null);
  looking = $state(false);
  tests = $state.raw<Record<string, ModelTest | 'running'>>({});
  engineTests = $state.raw<Record<string, EngineTest | 'running'>>({});
  fault = $state.raw<Fault | null>(null);
  /** The last fetching of each provider. */
  pulls = $state.raw<Record<string, Pull>>({});

  readonly #api: SettingsApi;

  constructor(api: SettingsApi) {
    this.#api = api;
  }

  get choices(): ModelChoice[] {
    return this.view ? chatChoices(this.view) : [];
  }

  get inUse(): InUse {
    return this.view ? chatInUse(this.view) : { state: 'none', why: 'not-found' };
  }

  async load(): Promise<void> {
    this.looking = true;
    try {
      this.view = await this.#api.models();
      this.fault = null;
    } catch (error) {
      this.fault = Fault.of(error);
    }
    this.looking = false;
  }

  async loadEngines(): Promise<void> {
    try {
      this.engines = await this.#api.engines();
    } catch (error) {
      this.fault = Fault.of(error);
    }
  }

  async setRoles(roles: Partial<Roles>): Promise<void> {
    const before = this.view;
    if (this.view) this.view = { ...this.view, roles: { ...this.view.roles, ...roles } };
    try {
      await this.#api.setRoles(roles);
      await this.load();
    } catch (error) {
      this.view = before;
      this.fault = Fault.of(error);
    }
  }

  async test(model: string): Promise<void> {
    this.tests = { ...this.tests, [model]: 'running' };
    const result = await this.#api.testModel(model).catch((error: unknown) => failedTest(error));
    this.tests = { ...this.tests, [model]: result };
  }

  /** Asks a provider of the net which models it has. */
  async list(provider: string): Promise<void> {
    try {
      const listed = await this.#api.listModels(provider);
      if (this.view) this.view = { ...this.view, providers: this.view.providers.map((p) => (p.id === provider ? { ...listed, custom: p.custom } : p)) };
    } catch (error) {
      this.fault = Fault.of(error);
    }
  }

  /** Asks a server that was just named for its models; gives how many can chat, or why it does not answer. */
  async ask(provider: string): Promise<{ models: number } | { fault: Pick<Fault, 'message' | 'hint'> }> {
    try {
      await this.load();
      const listed = await this.#api.listModels(provider);
      if (this.view) this.view = { ...this.view, providers: this.view.providers.map((p) => (p.id === provider ? { ...listed, custom: p.custom } : p)) };
      return listed.reachable ? { models: listed.chatModels.length } : { fault: listed.error ?? { message: texts.models.notRunning(listed.origin), hint: '' } };
    } catch (error) {
      return { fault: Fault.of(error) };
    }
  }

  /** Has a provider fetch a model. */
  async pull(provider: string, model: string): Promise<void> {
    const set = (change: Partial<Pull>): void => {
      const before = this.pulls[provider] ?? { model, job: '', status: '', done: 0, total: 0, ended: null };
      this.pulls = { ...this.pulls, [provider]: { ...before, ...change } };
    };
    set({ model, job: '', status: '', done: 0, total: 0, ended: null });
    try {
      const job = await this.#api.pullModel(`${provider}/${model}`, (event) => {
        if (event.kind === 'pulling') set(event.body);
        else if (event.kind === 'failed') set({ ended: { ok: false, text: `${event.body.message} ${event.body.hint}`.trim() } });
        else {
          set({ ended: { ok: true, text: texts.models.pulled(model) } });
          void this.load();
        }
      });
      set({ job });
    } catch (error) {
      const { message, hint } = Fault.of(error);
      set({ ended: { ok: false, text: `${message} ${hint}`.trim() } });
    }
  }

  async stopPull(provider: string): Promise<void> {
    const pull = this.pulls[provider];
    if (!pull?.job) return;
    await this.#api.stopJob(pull.job).catch(() => {}); // it had just ended by itself
    this.pulls = { ...this.pulls, [provider]: { ...pull, ended: { ok: false, text: texts.models.pullStopped } } };
  }

  async testEngine(name: string): Promise<void> {
    this.engineTests = { ...this.engineTests, [name]: 'running' };
    const result = await this.#api.testEngine(name).catch((error: unknown) => failedTest(error));
    this.engineTests = { ...this.engineTests, [name]: result };
    await this.loadEngines();
  }
}

function failedTest(error: unknown): ModelTest {
  const { code, message, hint, details } = Fault.of(error);
  return { ok: false, ms: 0, window: 0, tools: false, schema: false, count: 0, error: { code, message, hint, details } };
}

export const models = new ModelsStore(backend);
