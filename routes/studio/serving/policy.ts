/**
 * The security headers of every page of the studio: only its own code runs, no external content is loaded, and
 * it cannot be framed, except by the studio itself if it is made for that.
 *
 * @module
 */

/** Headers of a page whose script has a `nonce`; it may frame one additional origin, or be framed by the studio. */
export function pageHeaders(
  nonce: string,
  framed: string | null = null,
  isSheet = false,
): Record<string, string> {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "media-src 'self'",
    "connect-src 'self'",
    "font-src 'self'",
    framed === null ? "frame-src 'self'" : `frame-src 'self' ${framed}`,
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors '${isSheet ? "self" : "none"}'`,
    "require-trusted-types-for 'script'",
    "trusted-types ProseMirrorClipboard",
  ];
  return {
    "cache-control": "no-store",
    "content-security-policy": policy.join("; "),
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
    "x-frame-options": isSheet ? "SAMEORIGIN" : "DENY",
    "x-robots-tag": "noindex",
  };
}
