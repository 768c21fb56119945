/**
 * The headers of a page that is shown to somebody who is signed in, and was made by a theme out of what
 * others wrote: nothing of it runs, nothing leaves it, and it has no origin of its own, unless the studio is to
 * reach into it.
 *
 * @module
 */

/**
 * Headers of a preview; `own` is the origin of the site, whose styles and images it may load. A `reachable`
 * page has that origin, so that the window around its frame can change and scroll it; scripts run in neither.
 */
export function previewHeaders(
  own: string,
  contentType: string,
  { reachable = false }: { reachable?: boolean } = {},
): Record<string, string> {
  const policy = [
    reachable ? "sandbox allow-same-origin" : "sandbox",
    "default-src 'none'",
    // A frame without an origin has no 'self', so the site's is named.
    ...["style-src", "img-src", "font-src", "media-src"].map((name) => `${name} ${own}`),
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
  ];
  return {
    "content-type": contentType,
    "cache-control": "no-store",
    "content-security-policy": policy.join("; "),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-robots-tag": "noindex",
  };
}
