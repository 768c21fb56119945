/**
 * Addresses of links.
 *
 * @module
 */

/** Completes a URL: `example.org` becomes https, `a@example.org` becomes mailto. */
export function completeHref(typed: string): string {
  const href = typed.trim();
  if (href === "" || /^([a-z][a-z0-9+.-]*:|[/#?])/i.test(href)) return href;
  if (/^[^\s@/]+@[^\s@/]+\.[^\s@/]+$/.test(href)) return `mailto:${href}`;
  return /^[^\s/]+\.[a-z]{2,}(?:[/:?#].*)?$/i.test(href) ? `https://${href}` : href;
}
