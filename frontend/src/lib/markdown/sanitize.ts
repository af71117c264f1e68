/** The last gate before the page: whatever the renderer made, only this passes. */
import createDOMPurify from 'dompurify';

const tags = [
  'p', 'br', 'hr', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'li', 'blockquote', 'strong', 'em', 'del', 'code', 'pre',
  'a', 'table', 'thead', 'tbody', 'tr', 'th', 'td', 'div', 'span', 'button',
];
/** Attributes that are never followed, so that their values need not look like addresses. */
const inert = [
  'class', 'type', 'start', 'rel', 'role', 'tabindex', 'aria-label', 'draggable',
  'data-marker', 'data-k', 'data-c', 'data-lang', 'data-math',
];

const purifier = createDOMPurify(window);

/** Keeps the elements and attributes of the renderer; everything else goes, text stays. */
export function sanitize(html: string): string {
  return purifier.sanitize(html, {
    ALLOWED_TAGS: tags,
    ALLOWED_ATTR: ['href', ...inert],
    ADD_URI_SAFE_ATTR: inert,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    ALLOWED_URI_REGEXP: /^(?:https?:\/\/|mailto:)/i,
  });
}
