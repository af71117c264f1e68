import { until } from './program.mjs';

/**
 * A page in some engine. An engine says how an expression is evaluated
 * (`value`), how the pointer presses a place (`click`), and how keys are pressed
 * (`key`, by the names of `KeyboardEvent.key`) and a text is typed (`write`).
 */
export class Page {
  /** What should not have happened: errors on the console, requests to anything but the program. */
  wrong = [];

  /** Evaluates a function, or an expression, in the page. */
  evaluate(what, given) {
    return this.value(typeof what === 'function' ? `(${what})(${JSON.stringify(given)})` : what);
  }

  go(place) {
    return this.value(`void (location.hash = ${JSON.stringify(place)})`);
  }

  text(selector) {
    return this.value(`[...document.querySelectorAll(${JSON.stringify(selector)})].map((e) => e.innerText ?? e.textContent).join('\\n')`);
  }

  /** Waits until a pattern is read in what a selector finds. */
  sees(pattern, selector = 'body', limit = 60_000) {
    return until(`${pattern} in ${selector}`, async () => pattern.test((await this.text(selector)) ?? ''), limit);
  }

  has(selector) {
    return until(selector, () => this.value(`document.querySelector(${JSON.stringify(selector)}) !== null`), 60_000);
  }

  lacks(selector) {
    return until(`no ${selector}`, () => this.value(`document.querySelector(${JSON.stringify(selector)}) === null`), 60_000);
  }

  /** The pointer goes to the middle of the first that a selector finds, once that stands still on screen, and presses. */
  async press(selector) {
    let before = '';
    const spot = await until(`${selector} on screen`, async () => {
      const now = await this.value(`(() => {
        const e = document.querySelector(${JSON.stringify(selector)});
        if (!e) return null;
        e.scrollIntoView({ block: 'center', behavior: 'instant' });
        const b = e.getBoundingClientRect();
        const [x, y] = [Math.round(b.x + b.width / 2), Math.round(b.y + b.height / 2)];
        return x > 0 && y > 0 && x < innerWidth && y < innerHeight ? { x, y } : null;
      })()`);
      const still = now !== null && JSON.stringify(now) === before;
      before = JSON.stringify(now);
      return still ? now : null;
    }, 60_000);
    await this.click(spot);
  }

  /** Puts the focus on the last field that a selector finds; what is typed takes the place of its text. */
  focus(selector) {
    return until(`${selector} to take the focus`, () => this.value(`(() => { const e = [...document.querySelectorAll(${JSON.stringify(selector)})].at(-1); e?.focus(); e?.select(); return e !== undefined && document.activeElement === e; })()`), 60_000);
  }

  /** Types a text into a field, and presses Enter. */
  async enter(selector, text) {
    await this.focus(selector);
    await this.write(text);
    await until('what was typed', async () => (await this.value(`[...document.querySelectorAll(${JSON.stringify(selector)})].at(-1).value`)) === text, 60_000);
    await this.key('Enter');
  }

  ask(question) {
    return this.enter('textarea[data-composer]', question);
  }
}
