/**
 * Headers of a preview: a page for a signed-in user, rendered by a theme from content of others. It
 * runs no scripts, sends nothing, and has an opaque origin unless the studio has to access it.
 * Embedded players work as on the public site.
 *
 * @module
 */
import type { Page } from "../../kv/model/entities/page.ts";
import { framedHosts } from "../../kv/pages/pages.ts";
import { framePolicy } from "./page_headers.ts";

/**
 * Permissions that players need. A frame has at most the permissions of its page, so a page with
 * players gets them, too; its own scripts stay blocked by its policy.
 */
const PLAYING = "allow-scripts allow-same-origin allow-popups allow-presentation";

/** Permissions that the studio gives a preview frame; each preview restricts them further. */
export const PREVIEW_SANDBOX = PLAYING;

/**
 * Headers of a preview; `own` is the origin of the site, whose styles and images it may load. A `reachable`
 * page has that origin, so that the window around its frame can change and scroll it; its scripts run in neither.
 */
export function previewHeaders(
  own: string,
  { contentType, body, frameHosts = [] }: Page,
  { reachable = false }: { reachable?: boolean } = {},
): Record<string, string> {
  const hosts = contentType.startsWith("text/html") ? framedHosts(body, frameHosts) : null;
  const allowed = hosts !== null ? ` ${PLAYING}` : reachable ? " allow-same-origin" : "";
  const policy = [
    `sandbox${allowed}`,
    "default-src 'none'",
    // A frame without an origin has no 'self', so the site's is named.
    ...["style-src", "img-src", "font-src", "media-src"].map((name) => `${name} ${own}`),
    ...(hosts === null ? [] : [framePolicy(hosts)]),
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
