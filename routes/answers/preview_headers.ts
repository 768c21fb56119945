/**
 * The headers of a page that is shown to a signed-in user, and was made by a theme out of what
 * others wrote: nothing of it runs, nothing leaves it, and it has no origin of its own, unless the studio is to
 * reach into it. Players are let in as they are on the public site.
 *
 * @module
 */
import type { Page } from "../../kv/model/entities/page.ts";
import { framedHosts } from "../../kv/pages/pages.ts";
import { framePolicy } from "./page_headers.ts";

/**
 * What a player needs. A frame in a page can do no more than the page, so one that has players may do this, too; that
 * no script of its own runs is for its policy to say, as on the public site.
 */
const PLAYING = "allow-scripts allow-same-origin allow-popups allow-presentation";

/** What the studio allows a frame in which it shows previews; each of them says itself what it needs of it. */
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
