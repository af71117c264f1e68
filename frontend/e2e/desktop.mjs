// The real window, seen through the inspector of its page and moved by the
// pointer and the keys of the X server.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pathToFileURL } from 'node:url';
import { Page } from './page.mjs';
import { until } from './program.mjs';

const binary = process.env.FOOTNOTE_WINDOW;
const shots = process.env.FOOTNOTE_SHOTS;
const run = promisify(execFile);
const port = 20_000 + Math.floor(Math.random() * 20_000);
export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
export const x = async (...args) => (await run('xdotool', args)).stdout.trim();
/** The window that is shown, by its number; "" before there is one. */
const seen = async () => (await x('search', '--onlyvisible', '--name', '^Footnote$').catch(() => '')).split('\n').at(-1);

/** What xdotool calls keys. */
const keys = { Enter: 'Return', Backspace: 'BackSpace', Control: 'ctrl', ']': 'bracketright', '\\': 'backslash' };

/** What the inspector of the page answers. */
class Inspector {
  #socket;
  #target = '';
  #next = 0;
  #waiting = new Map();
  wrong = [];

  async open() {
    await until('the inspector to know the page', () => this.#connect(), 120_000);
    for (const what of ['Console', 'Runtime', 'Network']) await this.send(`${what}.enable`);
  }

  /** Connects to the page that the inspector lists; it may list one before it can be spoken to. */
  async #connect() {
    const listed = await fetch(`http://127.0.0.1:${port}/`).then((answer) => answer.text()).catch(() => '');
    const path = /socket\/\d+\/\d+\/WebPage/.exec(listed)?.[0];
    if (!path) return false;
    this.#socket = await connected(`ws://127.0.0.1:${port}/${path}`, (data) => this.#take(JSON.parse(data)));
    for (let i = 0; this.#socket && !this.#target && i < 40; i++) await pause(100);
    if (!this.#target) this.#socket?.close();
    return this.#target !== '';
  }

  #take(message) {
    if (message.method === 'Target.targetCreated') this.#target ||= message.params.targetInfo.targetId;
    if (message.method !== 'Target.dispatchMessageFromTarget') return;
    const said = JSON.parse(message.params.message);
    if (said.id) {
      this.#waiting.get(said.id)?.(said);
      this.#waiting.delete(said.id);
    } else if (said.method === 'Console.messageAdded' && said.params.message.level === 'error') {
      this.wrong.push(`console: ${said.params.message.text}`);
    } else if (said.method === 'Network.requestWillBeSent') {
      const { url } = said.params.request;
      if (!/^(wails|data|blob|about):/.test(url)) this.wrong.push(`request to ${url}`);
    }
  }

  send(method, params = {}) {
    const id = ++this.#next;
    this.#socket.send(JSON.stringify({ id: 1e6 + id, method: 'Target.sendMessageToTarget', params: { targetId: this.#target, message: JSON.stringify({ id, method, params }) } }));
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }
}

function connected(address, take) {
  return new Promise((resolve) => {
    const socket = new WebSocket(address);
    socket.onopen = () => resolve(socket);
    socket.onmessage = ({ data }) => take(data);
    socket.onerror = () => resolve(null);
  });
}

/** The program with its window over a data folder. */
export class Window extends Page {
  constructor(data, ...settings) {
    super();
    this.data = data;
    this.args = ['--data', data, ...['web.enabled=false', ...settings].flatMap((s) => ['--set', s])];
  }

  /** Opens the window, with what else stands on the command line. */
  async start(...opened) {
    this.#begin(opened);
    await this.#attach();
    await this.activate();
    return this;
  }

  /** Opens the window and types a text the moment it takes keys, however little of its page is there. */
  async startTyping(text) {
    this.#begin([]);
    const id = await until('the window', seen, 60_000);
    await until('its focus', async () => (await x('getwindowfocus').catch(() => '')) === id, 60_000);
    await x('type', '--delay', '10', text);
    await this.#attach();
    return this;
  }

  #begin(opened) {
    const env = { ...process.env, XDG_DATA_HOME: join(this.data, 'web'), XDG_CACHE_HOME: join(this.data, 'web-cache'), WEBKIT_INSPECTOR_HTTP_SERVER: `127.0.0.1:${port}` };
    this.process = spawn(binary, [...this.args, ...opened], { stdio: 'ignore', env });
    process.once('exit', () => this.process.kill());
    this.ended = once(this.process, 'exit');
    this.page = new Inspector();
    this.wrong = this.page.wrong;
  }

  async #attach() {
    await this.page.open();
    this.id = await until('the window', seen, 60_000);
  }

  /** Starts the program once more with words on its command line; gives what it ended with. */
  async startAgain(...opened) {
    const [code] = await once(spawn(binary, [...this.args, ...opened], { stdio: 'ignore' }), 'exit');
    return code;
  }

  async activate() {
    await x('windowactivate', '--sync', this.id).catch(() => {});
  }

  async value(expression) {
    const { result } = await this.page.send('Runtime.evaluate', { expression, returnByValue: true });
    if (result?.wasThrown) throw new Error(`${expression}: ${result.result?.description}`);
    return result?.result?.value;
  }

  /** What a bound method gives. */
  async call(method, ...given) {
    await this.value(`window.called = undefined; window.go.main.App.${method}(...${JSON.stringify(given)}).then((it) => (window.called = [it]), (e) => (window.called = [null, String(e)])); 0`);
    const [it, failed] = await until(method, () => this.value('window.called'), 60_000);
    if (failed) throw new Error(`${method}: ${failed}`);
    return it;
  }

  async geometry() {
    const said = await x('getwindowgeometry', '--shell', this.id);
    return Object.fromEntries(said.split('\n').map((line) => line.split('=')).map(([k, v]) => [k, Number(v)]));
  }

  async click(spot) {
    await x('mousemove', '--window', this.id, String(spot.x), String(spot.y), 'click', '1');
  }

  async key(combination) {
    await this.activate();
    await x('key', combination.split('+').map((name) => keys[name] ?? name).join('+'));
  }

  async write(text) {
    await this.activate();
    await x('type', '--delay', '20', text);
  }

  async shoot(name) {
    if (shots) await run('import', ['-window', 'root', join(shots, `window-${name}.png`)]);
  }

  /** Closes the window as its owner would; gives how long the program took to end, in ms. */
  async close() {
    await this.activate();
    const began = Date.now();
    await x('key', 'alt+F4');
    await this.ended;
    return Date.now() - began;
  }
}

/** A window of its own from which files are dragged. */
const source = `
import sys, gi
gi.require_version('Gtk', '3.0')
from gi.repository import Gtk, Gdk
w = Gtk.Window(title='drag-source'); w.set_default_size(150, 80)
b = Gtk.EventBox(); b.add(Gtk.Label(label='Drag me')); w.add(b)
b.drag_source_set(Gdk.ModifierType.BUTTON1_MASK, [], Gdk.DragAction.COPY); b.drag_source_add_uri_targets()
b.connect('drag-data-get', lambda _w, _c, sel, _i, _t: sel.set_uris(sys.argv[1:]))
w.show_all(); w.move(5, 5); Gtk.main()`;

/** Drags files and folders from another window into this one. */
export async function drop(window, ...paths) {
  const from = spawn('/usr/bin/python3', ['-c', source, ...paths.map((path) => pathToFileURL(path).href)], { stdio: 'ignore' });
  try {
    const id = await until('the window to drag from', async () => (await x('search', '--name', '^drag-source$').catch(() => '')).split('\n').at(-1));
    await x('windowactivate', '--sync', id).catch(() => {});
    await x('windowmove', id, '0', '0').catch(() => {});
    await pause(500);
    const { X, Y } = Object.fromEntries((await x('getwindowgeometry', '--shell', id)).split('\n').map((l) => l.split('=')).map(([k, v]) => [k, Number(v)]));
    const target = await window.geometry();
    const [toX, toY] = [target.X + 600, target.Y + 450];
    await x('mousemove', String(X + 60), String(Y + 40), 'mousedown', '1');
    for (let i = 1; i <= 10; i++) {
      await x('mousemove', String(Math.round(X + 60 + ((toX - X - 60) * i) / 10)), String(Math.round(Y + 40 + ((toY - Y - 40) * i) / 10)));
      await pause(80);
    }
    await pause(400);
    await x('mouseup', '1');
    await pause(300);
  } finally {
    from.kill();
  }
}
