/**
 * Icons in tabs and bookmarks: the mark of the studio, and where browsers, readers and search engines that ask without
 * having read a page find that of the site.
 *
 * @module
 */
import { Hono } from "@hono/hono";
import { siteIcon } from "../../jobs/render/theme/site_icon.ts";
import type { Rendering } from "../../jobs/render/views/view.ts";
import { SITE_TAG } from "../../kv/model/entities/page.ts";
import { ICON_HEADERS, SITE_HEADERS } from "./page_headers.ts";

/** The path of the studio's icon. */
export const STUDIO_ICON = "/admin/icon.svg";

/** A paragraph sign in a square; dark on light tabs, light on dark ones. */
const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<style>rect{fill:#1b1c1d}path{fill:#fff}@media(prefers-color-scheme:dark){rect{fill:#f1f1ee}path{fill:#17181a}}</style>
<rect width="32" height="32" rx="8"/>
<path d="M21.5 8H14a5.25 5.25 0 0 0 0 10.500h1V25h2V10.250h2.250V25h2V10.250H24V8z"/>
</svg>
`;

/** `GET /admin/icon.svg`, `/favicon.svg` and `/favicon.ico`. */
export function faviconRoutes({ rendering }: { rendering: () => Promise<Rendering> }): Hono {
  return new Hono()
    .get(STUDIO_ICON, () => new Response(ICON, { headers: ICON_HEADERS }))
    .on("GET", ["/favicon.svg", "/favicon.ico"], async function siteFavicon() {
      const { site } = await rendering();
      const headers = {
        ...SITE_HEADERS,
        location: siteIcon(site).path,
        "cache-control": "public, max-age=3600",
        "deno-cache-tag": SITE_TAG,
      };
      return new Response(null, { status: 302, headers });
    });
}
