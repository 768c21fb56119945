/**
 * The headers of the public site: what browsers must not do with a page, and what caches may.
 *
 * @module
 */
import { SEARCH_PATH, SEARCH_SCRIPT_HASH } from "../../jobs/render/pages/search_page.ts";
import { playerOrigins } from "../../kv/model/values/embed.ts";
import type { PageRow } from "../../kv/pages/pages.ts";

/** Nothing on a public page runs, frames or submits elsewhere: it shares its origin with the admin. */
const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "media-src 'self'",
  "manifest-src 'self'",
  // Nothing runs that could connect; audits in the browser read robots.txt from within a page.
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
];

/** The part of a page's policy that lets players in: of the services, and of these hosts. */
export function framePolicy(hosts: readonly string[]): string {
  return `frame-src ${playerOrigins(hosts).join(" ")}`;
}

/** The headers of everything public. */
export const SITE_HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy": POLICY.join("; "),
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "strict-origin-when-cross-origin",
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": "camera=(), microphone=(), geolocation=()",
};

/** Shared caches keep a page until it is purged; a browser asks each time. */
const PAGE_CACHE = "public, max-age=0, s-maxage=31536000";
/** A missing page may be published before a purge can name it. */
const MISSING_CACHE = "public, max-age=0, s-maxage=60";
/** An asset's path changes with its bytes. */
const ASSET_CACHE = "public, max-age=31536000, immutable";

/** Headers of a style sheet that its address decides, together with the release that serves it. */
export const LOOK_HEADERS: Readonly<Record<string, string>> = {
  ...SITE_HEADERS,
  "content-type": "text/css; charset=utf-8",
  "cache-control": "public, max-age=3600, s-maxage=3600",
  "access-control-allow-origin": "*",
};

/** Headers of an SVG icon: it runs no scripts, even if opened on its own. */
export const ICON_HEADERS: Readonly<Record<string, string>> = {
  ...LOOK_HEADERS,
  "content-type": "image/svg+xml",
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
};

/** Headers of a page, but for those of its body. */
export function cacheHeaders(
  path: string,
  row: PageRow,
  status: 200 | 404 | 410,
): Record<string, string> {
  const isAsset = path.startsWith("/assets/");
  const headers: Record<string, string> = {
    ...SITE_HEADERS,
    etag: `"${row.hash.slice(0, 32)}"`,
    "cache-control": status !== 200 ? MISSING_CACHE : isAsset ? ASSET_CACHE : PAGE_CACHE,
  };
  if (path === SEARCH_PATH) {
    headers["content-security-policy"] = [...POLICY, `script-src '${SEARCH_SCRIPT_HASH}'`].join(
      "; ",
    );
  }
  // Players of allowed services have origins of their own; only pages that have one may frame anything.
  if (row.frames === true) {
    headers["content-security-policy"] += `; ${framePolicy(row.frameHosts ?? [])}`;
  }
  // A preview is drawn in a frame without an origin, whose fonts would be refused otherwise.
  if (isAsset) headers["access-control-allow-origin"] = "*";
  if (row.tags.length > 0) headers["deno-cache-tag"] = row.tags.join(",");
  return headers;
}
