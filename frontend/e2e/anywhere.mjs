// From anywhere: keys that open the box over other programs, its answers, the icon
// in the tray. Part of window.mjs.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { Window, pause, x } from './desktop.mjs';
import { until } from './program.mjs';

/** A tray, and a person who presses lines of its menus. */
const tray = `
import sys, threading, gi
from gi.repository import Gio, GLib
bus = Gio.bus_get_sync(Gio.BusType.SESSION)
items = []
def called(_c, sender, _p, _i, method, args, invocation):
    items.append(sender)
    print('item', flush=True)
    invocation.return_value(None)
node = Gio.DBusNodeInfo.new_for_xml('<node><interface name="org.kde.StatusNotifierWatcher"><method name="RegisterStatusNotifierItem"><arg type="s" direction="in"/></method></interface></node>')
bus.register_object('/StatusNotifierWatcher', node.interfaces[0], called, None, None)
Gio.bus_own_name_on_connection(bus, 'org.kde.StatusNotifierWatcher', 0, lambda *_: print('ready', flush=True), None)
def ask(method, args):
    return bus.call_sync(items[-1], '/StatusNotifierItem/menu', 'com.canonical.dbusmenu', method, args, None, 0, 5000, None).unpack()
def lines():
    for line in sys.stdin:
        wanted = line.strip()
        _, root = ask('GetLayout', GLib.Variant('(iias)', (0, -1, [])))
        for number, about, _ in root[2]:
            if about.get('label') == wanted:
                print('state %s' % about.get('toggle-state', ''), flush=True)
                ask('Event', GLib.Variant('(isvu)', (number, 'clicked', GLib.Variant('i', 0), 0)))
threading.Thread(target=lines, daemon=True).start()
GLib.MainLoop().run()`;

class Tray {
  said = [];
  async start() {
    this.process = spawn('/usr/bin/python3', ['-c', tray], { stdio: ['pipe', 'pipe', 'inherit'] });
    process.once('exit', () => this.process.kill());
    createInterface({ input: this.process.stdout }).on('line', (line) => this.said.push(line));
    await until('the tray', () => this.said.includes('ready'));
    return this;
  }
  press(label) {
    this.process.stdin.write(`${label}\n`);
  }
  end() {
    this.process.kill();
  }
}

const keys = 'ctrl+alt+space';
const active = async () => x('getactivewindow', 'getwindowname').catch(() => '');
const inFront = (name) => until(`${name} in front`, async () => (await active()) === name);
const type = (text) => x('type', '--delay', '12', text);

export async function anywhere(data, step, shoot) {
  const bar = await new Tray().start();
  const window = await new Window(data, 'models.chat=none', `ui.hotkey=${keys}`, 'ui.tray=true').start();
  const titles = async () => (await window.call('Call', 'GET /api/threads', {}, '')).items.map((thread) => thread.title);
  await step('the keys open the box over other programs', async () => {
    await until('the box', async () => {
      if ((await active()) === 'Footnote box') return true;
      await x('key', keys); // taken once the page of the window is there
      await pause(700);
      return (await active()) === 'Footnote box';
    });
    await type('lamp room');
    await pause(300);
    await shoot('box-files');
  });
  await step('Esc gives the focus back, the keys bring the box again', async () => {
    await x('key', 'Escape');
    await inFront('Footnote');
    await x('key', keys);
    await inFront('Footnote box');
    await x('key', keys);
    await inFront('Footnote');
  });
  await step('Enter asks, and Enter shows the answer in the window', async () => {
    await x('key', keys);
    await inFront('Footnote box');
    await type('How many steps lead to the lamp room?');
    await x('key', 'Return');
    await until('the question', async () => (await titles()).some((title) => title.startsWith('How many steps lead')));
    await pause(1500);
    await shoot('box-answer');
    await x('key', 'Return');
    await inFront('Footnote');
    await window.has('main article[aria-busy="false"] button.fn');
  });
  await step('the tray pauses reading, and says so', async () => {
    await until('the icon', () => bar.said.includes('item'));
    bar.press('Pause reading');
    await until('the setting', async () => (await window.call('Call', 'GET /api/settings', {}, '')).values['library.paused'] === true);
    bar.said.length = 0;
    await until('the tick', async () => {
      bar.press('Forget questions'); // told of by its state as well
      bar.press('Pause reading');
      await pause(300);
      return bar.said.includes('state 1');
    });
  });
  await step('closing the window leaves the program in the tray, Quit ends it', async () => {
    await window.activate();
    await x('key', 'alt+F4');
    await until('the window to go', async () => (await x('search', '--onlyvisible', '--name', '^Footnote$').catch(() => '')) === '');
    if (window.process.exitCode !== null) throw new Error('the program ended');
    await x('key', keys);
    await inFront('Footnote box');
    bar.press('Quit Footnote');
    await window.ended;
  });
  bar.end();
}
