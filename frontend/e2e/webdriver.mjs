// WebKit in Debian's MiniBrowser, spoken to by the protocol that is called
// WebDriver (W3C). All that the browser asks for goes through a proxy of this
// program, which passes on only what is for Footnote.
import { spawn } from 'node:child_process';
import http from 'node:http';
import { Page } from './page.mjs';
import { until } from './program.mjs';

const browser = process.env.MINIBROWSER ?? '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser';
const port = 20_000 + Math.floor(Math.random() * 20_000);
const listener = '/listens-for-errors.js';

/** What the protocol calls the keys that are no character. */
const keys = { Enter: '\uE007', Escape: '\uE00C', Control: '\uE009' };

/** Runs before the scripts of the page: the protocol does not tell what the console says. */
const listens = `
const said = (globalThis.errorsSeen = []);
const error = console.error.bind(console);
console.error = (...what) => { said.push('console: ' + what.join(' ')); error(...what); };
addEventListener('error', (e) => said.push('error: ' + (e.message ?? e.target?.src ?? e.target?.href)), true);
addEventListener('unhandledrejection', (e) => said.push('rejection: ' + e.reason));
document.addEventListener('securitypolicyviolation', (e) => said.push('policy: ' + e.violatedDirective + ' ' + e.blockedURI));`;

/** Answers for Footnote, and notes whatever else is asked for. */
class Proxy {
  wrong = [];

  async start() {
    this.server = http.createServer((request, response) => this.#pass(request, response));
    this.server.on('connect', (request, socket) => {
      this.wrong.push(`request to ${request.url}`);
      socket.on('error', () => {}); // the browser may have gone away
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    });
    await new Promise((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    this.address = `127.0.0.1:${this.server.address().port}`;
    return this;
  }

  /** Only this origin is answered from now on. */
  allow(base) {
    this.base = base;
  }

  #pass(request, response) {
    const url = new URL(request.url);
    if (url.origin !== this.base) {
      this.wrong.push(`request to ${url.origin}`);
      return response.writeHead(403).end();
    }
    if (url.pathname === listener) return response.writeHead(200, { 'Content-Type': 'text/javascript' }).end(listens);
    const headers = { ...request.headers };
    delete headers['accept-encoding']; // the page is changed on its way
    const onward = http.request({ host: '127.0.0.1', port: url.port, path: url.pathname + url.search, method: request.method, headers }, (answer) => {
      if (answer.statusCode >= 400) this.wrong.push(`${answer.statusCode} for ${request.method} ${url.pathname}`);
      if (url.pathname === '/' && answer.headers['content-type']?.startsWith('text/html')) return withListener(answer, response);
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  }

  close() {
    this.server.close();
    this.server.closeAllConnections();
  }
}

async function withListener(answer, response) {
  const page = [];
  for await (const chunk of answer) page.push(chunk);
  const { 'content-length': _, ...headers } = answer.headers;
  response.writeHead(answer.statusCode, headers);
  response.end(Buffer.concat(page).toString().replace('<head>', `<head><script src="${listener}"></script>`));
}

/** A page of WebKit. */
export class WebKit extends Page {
  #session = '';

  async start() {
    this.proxy = await new Proxy().start();
    this.process = spawn('WebKitWebDriver', [`--port=${port}`], { stdio: 'ignore' });
    process.once('exit', () => this.process.kill());
    await until('WebKitWebDriver', () => this.#call('GET', '/status').catch(() => null), 60_000);
    const proxy = { proxyType: 'manual', httpProxy: this.proxy.address, sslProxy: this.proxy.address };
    const wanted = { proxy, timeouts: { script: 300_000 }, 'webkitgtk:browserOptions': { binary: browser, args: ['--automation'] } };
    const { sessionId, capabilities } = await this.#call('POST', '/session', { capabilities: { alwaysMatch: wanted } });
    this.#session = `/session/${sessionId}`;
    this.version = capabilities.browserVersion;
    await this.#call('POST', '/window/rect', { width: 1280, height: 838 });
    return this;
  }

  async #call(method, path, body) {
    const answer = await fetch(`http://127.0.0.1:${port}${this.#session}${path}`, { method, body: body && JSON.stringify(body) });
    const { value } = await answer.json();
    if (!answer.ok) throw new Error(`${value.error}: ${value.message}`);
    return value;
  }

  /** Opens the page that a program's one-time address leads to. */
  async open(program) {
    this.proxy.allow(program.base);
    await this.#call('POST', '/url', { url: program.launch });
  }

  value(expression) {
    return this.#call('POST', '/execute/sync', { script: `return ${expression}`, args: [] });
  }

  click({ x, y }) {
    return this.#act('pointer', [{ type: 'pointerMove', duration: 0, x, y }, { type: 'pointerDown', button: 0 }, { type: 'pointerUp', button: 0 }]);
  }

  key(combination) {
    const pressed = combination.split('+').map((name) => keys[name] ?? name);
    return this.#act('key', [...pressed.map((value) => ({ type: 'keyDown', value })), ...pressed.reverse().map((value) => ({ type: 'keyUp', value }))]);
  }

  write(text) {
    return this.#act('key', [...text].flatMap((value) => [{ type: 'keyDown', value }, { type: 'keyUp', value }]));
  }

  #act(type, actions) {
    return this.#call('POST', '/actions', { actions: [{ type, id: type, actions }] });
  }

  /** Gathers what went wrong on the page that is shown. */
  async gather() {
    const said = await this.value('globalThis.errorsSeen ?? ["the listener for errors is not there"]');
    this.wrong = [...this.proxy.wrong, ...said];
  }

  async close() {
    await this.#call('DELETE', '');
    this.process.kill();
    this.proxy.close();
  }
}
