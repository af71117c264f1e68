/** What the reader may change. A change holds at once; a refused one changes nothing. */
import { backend, Fault, type Origin, type SettingsApi, type SettingsView, type SettingValue } from '../api';

const empty: SettingsView = { values: {}, defaults: {}, origin: {}, keys: {} };

export class Settings {
  view = $state.raw<SettingsView>(empty);
  loaded = $state(false);
  /** Why the last value given for a key was refused. */
  faults = $state.raw<Record<string, Fault>>({});

  readonly #api: SettingsApi;

  constructor(api: SettingsApi) {
    this.#api = api;
  }

  async load(): Promise<void> {
    try {
      this.view = await this.#api.settings();
      this.loaded = true;
    } catch {
      this.loaded = false; // the screens say that the program does not answer
    }
  }

  has(key: string): boolean {
    return key in this.view.values;
  }

  /** The value in force, else the fallback. */
  value<T extends SettingValue>(key: string, fallback: T): T {
    return (this.view.values[key] as T | undefined) ?? fallback;
  }

  /** Where a value comes from when it cannot be changed here; null when it can. */
  lock(key: string): Exclude<Origin, 'default' | 'file'> | null {
    const origin = this.view.origin[key];
    return origin === 'env' || origin === 'flag' ? origin : null;
  }

  changed(key: string): boolean {
    const { values, defaults } = this.view;
    return key in defaults && JSON.stringify(values[key]) !== JSON.stringify(defaults[key]);
  }

  /** Changes one value; false when it was refused, with the reason in `faults`. */
  async put(key: string, value: SettingValue): Promise<boolean> {
    return this.putAll({ [key]: value });
  }

  async putAll(changes: Record<string, SettingValue>): Promise<boolean> {
    const keys = Object.keys(changes);
    try {
      await this.#api.putSettings(changes);
    } catch (error) {
      const fault = Fault.of(error);
      const at = typeof fault.details.key === 'string' ? fault.details.key : keys[0];
      if (at) this.faults = { ...this.faults, [at]: fault };
      return false;
    }
    this.faults = Object.fromEntries(Object.entries(this.faults).filter(([key]) => !keys.includes(key)));
    this.view = { ...this.view, values: { ...this.view.values, ...changes } };
    return true;
  }

  setBack(keys: string[]): Promise<boolean> {
    const changes = keys.filter((key) => this.changed(key) && !this.lock(key));
    return this.putAll(Object.fromEntries(changes.map((key) => [key, this.view.defaults[key] ?? null])));
  }

  /** Stores a key, or removes it when the value is empty. It is never read back. */
  async setKey(name: string, value: string): Promise<Fault | null> {
    try {
      await (value === '' ? this.#api.removeKey(name) : this.#api.setKey(name, value));
      this.view = { ...this.view, keys: { ...this.view.keys, [name]: value !== '' } };
      return null;
    } catch (error) {
      return Fault.of(error);
    }
  }
}

export const settings = new Settings(backend);
