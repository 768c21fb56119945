/**
 * Addresses of links.
 *
 * @module
 */

/** Whether visitors may follow a link: an address on this site, or of a harmless scheme. */
export function isSafeHref(href: string): boolean {
  // Browsers drop these characters before they look for a scheme.
  const bare = href.replace(/[\u0000-\u0020\u007f-\u00a0\u2028\u2029]/g, "");
  const scheme = /^([^/?#]*?):/.exec(bare)?.[1]?.toLowerCase();
  return scheme === undefined || ["http", "https", "mailto", "tel"].includes(scheme);
}

/** An address as it was meant: `example.org` is on the web, `a@example.org` is a mail address. */
export function completeHref(typed: string): string {
  const href = typed.trim();
  if (href === "" || /^([a-z][a-z0-9+.-]*:|[/#?])/i.test(href)) return href;
  if (/^[^\s@/]+@[^\s@/]+\.[^\s@/]+$/.test(href)) return `mailto:${href}`;
  return /^[^\s/]+\.[a-z]{2,}(?:[/:?#].*)?$/i.test(href) ? `https://${href}` : href;
}
