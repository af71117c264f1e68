/** What the reader wishes of answers: personas (their own system prompts) and lenses (sources first, last or never). */
import { backend, Fault, type Lens, type Persona, type SettingsApi } from '../api';

export type WishesPort = Pick<SettingsApi, 'personas' | 'putPersona' | 'removePersona' | 'lenses' | 'setLenses'>;

export class Wishes {
  personas = $state.raw<Persona[]>([]);
  lenses = $state.raw<Lens[]>([]);
  fault = $state.raw<Fault | null>(null);

  readonly #api: WishesPort;

  constructor(api: WishesPort) {
    this.#api = api;
  }

  async load(): Promise<void> {
    await this.#try(async () => {
      [this.personas, this.lenses] = await Promise.all([this.#api.personas(), this.#api.lenses()]);
    });
  }

  /** Stores a persona; true when it was taken. */
  put(persona: Omit<Persona, 'id'> & { id?: string }): Promise<boolean> {
    return this.#try(async () => {
      const kept = await this.#api.putPersona(persona);
      const at = this.personas.findIndex((p) => p.id === kept.id);
      this.personas = at < 0 ? [...this.personas, kept] : this.personas.with(at, kept);
    });
  }

  remove(id: string): Promise<boolean> {
    return this.#try(async () => {
      await this.#api.removePersona(id);
      this.personas = this.personas.filter((persona) => persona.id !== id);
    });
  }

  /** Replaces all lenses; true when they were taken. */
  setLenses(lenses: Lens[]): Promise<boolean> {
    return this.#try(async () => {
      this.lenses = await this.#api.setLenses(lenses);
    });
  }

  async #try(act: () => Promise<void>): Promise<boolean> {
    try {
      await act();
      this.fault = null;
      return true;
    } catch (error) {
      this.fault = Fault.of(error);
      return false;
    }
  }
}

export const wishes = new Wishes(backend);
