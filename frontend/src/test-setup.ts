// jsdom lacks what a browser has; only what the code under test touches is filled in.
// Pure tests run without a document.
import { beforeEach } from 'vitest';
import { storeNow } from './lib/remember';

beforeEach(storeNow); // what one test wrote does not wait in the next

if (typeof window !== 'undefined') {
  Element.prototype.scrollIntoView ??= () => {};
  window.ResizeObserver ??= class {
    observe() {}
    unobserve() {}
    disconnect() {}
  };
  window.matchMedia ??= (query: string) =>
    ({ matches: false, media: query, addEventListener() {}, removeEventListener() {} }) as unknown as MediaQueryList;
}
