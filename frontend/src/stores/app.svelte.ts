/** What belongs to the whole window: toast, theme, connection, drawers. */
import { backend, type Backend, Fault, type Health, onUnauthorized } from '../api';
import { plainOffer, type Offer } from '../lib/commands';
import { machineOf } from '../lib/machine';
import { remember, remembered } from '../lib/remember';

export interface Toast {
  text: string;
  action?: { label: string; run: () => void };
}

export type Theme = 'system' | 'light' | 'dark';

const themes: readonly string[] = ['system', 'light', 'dark'];
const themeKey = 'theme';
const sizeKey = 'text';
const calmKept = 'calm';

export class App {
  toast = $state.raw<Toast | null>(null);
  /** The session was refused: only the way in is shown. */
  signedOut = $state(false);
  /** The program does not answer. */
  disconnected = $state(false);
  health = $state.raw<Health | null>(null);
  /** The thread list as a drawer (rail and phone). */
  drawer = $state(false);
  /** The reader has folded the thread list away. */
  folded = $state(false);
  palette = $state(false);
  /** The list of folders to add is open in the library. */
  picksFolder = $state(false);
  /** Something is dragged over the window. */
  dragging = $state(false);
  theme = $state<Theme>('system');
  online = $state(navigator.onLine);
  /** What is so and need not be said below an answer any more: the reader has put it away. */
  calm = $state(remembered(calmKept) ?? '');

  readonly #api: Backend;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #beating = false;

  constructor(api: Backend) {
    this.#api = api;
    const kept = remembered(themeKey);
    if (kept !== null && themes.includes(kept)) this.theme = kept as Theme;
  }

  get offer(): Offer {
    return {
      modes: this.health?.modes ?? plainOffer.modes,
      focuses: this.health?.focuses ?? plainOffer.focuses,
    };
  }

  /** The computer that the program runs on, as it is called here. */
  get machine(): string {
    return machineOf(this.#api.desktop, location.host, this.health?.person);
  }

  async load(): Promise<void> {
    try {
      this.health = await this.#api.health();
      this.disconnected = false;
    } catch (error) {
      this.disconnected = Fault.of(error).code === 'disconnected';
    }
  }

  /** Looks whether the program is there; when it has come back, `back` reads everything again. */
  async beat(back: () => Promise<void>): Promise<void> {
    if (this.signedOut || this.#beating) return;
    this.#beating = true;
    const away = this.disconnected;
    const fault = await this.#api.health().then(() => null, Fault.of);
    this.disconnected = fault?.code === 'disconnected';
    this.#beating = false;
    if (away && !this.disconnected && !this.signedOut) await back();
  }

  /** Says something done elsewhere or undoable; one at a time, 6 s, 8 s with an action. */
  say(text: string, action?: Toast['action']): void {
    clearTimeout(this.#timer);
    this.toast = { text, action };
    this.#timer = setTimeout(() => (this.toast = null), action ? 8000 : 6000);
  }

  /** Says why something did not work. */
  sayFault(error: unknown): void {
    const fault = Fault.of(error);
    if (fault.code !== 'unauthorized') this.say([fault.message, fault.hint].filter(Boolean).join(' '));
  }

  hushCalm(key: string): void {
    this.calm = key;
    remember(calmKept, key);
  }

  hush(): void {
    clearTimeout(this.#timer);
    this.toast = null;
  }

  /** Applies a theme and keeps it for the next first paint. */
  setTheme(theme: Theme): void {
    this.theme = theme;
    remember(themeKey, theme);
    this.paint();
  }

  /** Applies a size of text ("normal", "large" …) and keeps it for the next first paint. */
  setTextSize(size: string): void {
    document.documentElement.dataset.text = size;
    remember(sizeKey, size);
  }

  paint(): void {
    const dark = this.theme === 'dark' || (this.theme === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);
    document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  }

  /** Listens to the system until the returned function is called. */
  start(): () => void {
    const stop = new AbortController();
    const signal = stop.signal;
    window.addEventListener('online', () => (this.online = true), { signal });
    window.addEventListener('offline', () => (this.online = false), { signal });
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.paint());
    this.paint();
    return () => stop.abort();
  }
}

export const app = new App(backend);
onUnauthorized(() => (app.signedOut = true));
