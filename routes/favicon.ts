/**
 * The icon of the site in tabs and bookmarks. Browsers that ask for the `.ico` take the drawing too.
 *
 * @module
 */
import { Hono } from "@hono/hono";

/** A paragraph sign in a square; dark on light tabs, light on dark ones. */
const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<style>rect{fill:#1b1c1d}path{fill:#fff}@media(prefers-color-scheme:dark){rect{fill:#f1f1ee}path{fill:#17181a}}</style>
<rect width="32" height="32" rx="8"/>
<path d="M21.5 8H14a5.25 5.25 0 0 0 0 10.500h1V25h2V10.250h2.250V25h2V10.250H24V8z"/>
</svg>
`;

/** `GET /favicon.svg` and `/favicon.ico`. */
export function faviconRoutes(): Hono {
  return new Hono().on("GET", ["/favicon.svg", "/favicon.ico"], () => {
    return new Response(ICON, {
      headers: {
        "content-type": "image/svg+xml",
        "cache-control": "public, max-age=86400",
        "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
        "x-content-type-options": "nosniff",
      },
    });
  });
}
