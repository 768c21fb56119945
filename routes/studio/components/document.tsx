/**
 * The HTML document around every page.
 *
 * @module
 */
import type { Child } from "@hono/hono/jsx";
import type { Frame } from "../studio_env.ts";

/** Head and body of a page. */
export function Document(
  { frame, title, children }: { frame: Frame; title: string; children: Child },
) {
  return (
    <html lang="en" data-theme={frame.theme}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${title} · ${frame.siteTitle}`}</title>
        <link rel="icon" href={ICON} />
        <link rel="stylesheet" href={frame.assets.style} />
        <script type="module" nonce={frame.nonce} src={frame.assets.script}></script>
      </head>
      <body>
        {children}
        <div id="toasts" class="toasts" role="status" aria-live="polite"></div>
        <noscript>
          <p class="noscript">Saving needs JavaScript, which is switched off in this browser.</p>
        </noscript>
      </body>
    </html>
  );
}

const ICON = "data:image/svg+xml," + encodeURIComponent(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#3451d1"/><path d="M9 11h14M9 16h14M9 21h8" stroke="#fff" stroke-width="2.6" stroke-linecap="round"/></svg>`,
);
