// A walk through a screen by Tab alone: every control is reached, and the focus is seen on each.

/** Gives what the walk misses on the page that is shown. */
export async function walk(page, most = 160) {
  await page.evaluate(() => {
    document.activeElement?.blur();
    const wanted = 'a[href], button:not([disabled]), input:not([disabled]):not([type=hidden]), textarea:not([disabled]), select:not([disabled]), summary, [tabindex="0"]';
    let n = 0;
    for (const element of document.querySelectorAll(wanted)) {
      if (element.tabIndex >= 0 && element.checkVisibility({ visibilityProperty: true, opacityProperty: false }) && !element.closest('dialog:not([open]), details:not([open]) > :not(summary)')) element.dataset.walk = String(n++);
    }
  });
  const reached = new Set();
  const unseen = [];
  for (let n = 0; n < most; n++) {
    await page.keyboard.press('Tab');
    const at = await page.evaluate(() => {
      const element = document.activeElement;
      if (!element || element === document.body) return null;
      const shows = (one) => {
        const style = one && getComputedStyle(one);
        return style && ((style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0) || style.boxShadow !== 'none');
      };
      let up = element;
      let seen = false;
      for (let level = 0; up && level < 6 && !seen; level++, up = up.parentElement) seen = shows(up);
      return { id: element.dataset.walk ?? '', seen, what: (element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 40) || element.tagName };
    });
    if (!at) continue;
    if (at.id !== '' && reached.has(at.id)) break;
    reached.add(at.id);
    if (!at.seen) unseen.push(`no focus is seen on “${at.what}”`);
  }
  const missed = await page.evaluate((ids) => [...document.querySelectorAll('[data-walk]')].filter((e) => !ids.includes(e.dataset.walk))
    .map((e) => `“${(e.getAttribute('aria-label') ?? e.textContent ?? '').trim().slice(0, 40) || e.tagName}” is not reached`), [...reached]);
  return { reached: reached.size, wrong: [...unseen, ...missed] };
}
