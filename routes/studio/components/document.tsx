/**
 * The HTML document around every page.
 *
 * @module
 */
import type { Child } from "@hono/hono/jsx";
import { STUDIO_ICON } from "../../answers/favicon.ts";
import type { Frame, SidebarState } from "../serving/studio_env.ts";

/** Head and body of a page. */
export function Document(
  { frame, title, sheet, children }: {
    frame: Frame & { sidebar?: SidebarState };
    title: string;
    /** Whether another page frames it; links then open in tabs of their own. */
    sheet: boolean;
    children: Child;
  },
) {
  return (
    <html
      lang="en"
      data-theme={frame.theme}
      data-sidebar={frame.sidebar?.collapsed ? "collapsed" : undefined}
      data-details={frame.sidebar?.detailsCollapsed ? "collapsed" : undefined}
    >
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        {sheet && <base target="_blank" />}
        <meta name="color-scheme" content="light dark" />
        <title>{`${title} · ${frame.siteTitle}`}</title>
        <link rel="icon" href={STUDIO_ICON} type="image/svg+xml" />
        <link
          rel="preload"
          href={frame.assets.font}
          as="font"
          type="font/woff2"
          crossorigin="anonymous"
        />
        <link rel="stylesheet" href={frame.assets.style} />
        <script type="module" nonce={frame.nonce} src={frame.assets.script}></script>
        {frame.assets.imported.map((chunk) => (
          <link rel="modulepreload" nonce={frame.nonce} href={chunk} />
        ))}
      </head>
      <body class={sheet ? "in-sheet" : frame.sidebar && "with-sidebar"}>
        {children}
        <div id="toasts" class="toasts" role="status" aria-live="polite"></div>
        <noscript>
          <p class="noscript">Saving requires JavaScript, which is turned off in this browser.</p>
        </noscript>
      </body>
    </html>
  );
}
