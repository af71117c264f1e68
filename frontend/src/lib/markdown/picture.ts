/** Makes a picture of a drawing, in the page that drew it. */
import createDOMPurify from 'dompurify';

/** A picture as an address that carries it, with its size. */
export interface Drawing {
  picture: string;
  width: number;
  height: number;
}

const purifier = createDOMPurify(window);

/** The drawing cleaned, self-contained and of known size; null when it has none. */
export function pictureOf(svg: string): Drawing | null {
  const clean = purifier.sanitize(svg, {
    USE_PROFILES: { svg: true, svgFilters: true }, ADD_TAGS: ['style'], FORBID_TAGS: ['foreignObject', 'image', 'a', 'script', 'use'],
    FORBID_ATTR: ['href', 'xlink:href'], RETURN_DOM_FRAGMENT: true,
  });
  const root = clean.querySelector('svg');
  const [, , width = 0, height = 0] = root?.getAttribute('viewBox')?.split(/[\s,]+/).map(Number) ?? [];
  if (!root || !(width > 0) || !(height > 0)) return null;
  root.setAttribute('width', String(Math.ceil(width)));
  root.setAttribute('height', String(Math.ceil(height)));
  root.removeAttribute('style');
  const text = new XMLSerializer().serializeToString(root);
  return { picture: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`, width: Math.ceil(width), height: Math.ceil(height) };
}
