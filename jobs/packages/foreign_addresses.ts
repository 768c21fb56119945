/**
 * Addresses of other sites that a theme would fetch something from. The site's headers forbid it, so what
 * is loaded from there is missing on every page: better to know before.
 *
 * @module
 */

/** Attributes and style rules that load an address. Links to other sites are allowed. */
const FETCHES = [
  /<(?:script|img|iframe|source|video|audio|embed|track|input|image|use)\b[^>]*?\s(?:src|srcset|href|xlink:href|poster)\s*=\s*["']?\s*((?:https?:)?\/\/[^\s"'>]+)/gi,
  /<link\b(?=[^>]*\brel\s*=\s*["']?(?:stylesheet|preload|icon|modulepreload|preconnect|manifest)\b)[^>]*?\shref\s*=\s*["']?\s*((?:https?:)?\/\/[^\s"'>]+)/gi,
  /url\(\s*["']?\s*((?:https?:)?\/\/[^\s"')]+)/gi,
  /@import\s+["']((?:https?:)?\/\/[^\s"']+)/gi,
];

/** Each foreign address that a text fetches from, as a reason to refuse it. */
export function foreignAddresses(text: string, path: string): string[] {
  const found = FETCHES.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(([, url = ""]) => url)
  );
  return [...new Set(found)].map((url) => `${path} loads a foreign address: ${url.slice(0, 200)}`);
}
