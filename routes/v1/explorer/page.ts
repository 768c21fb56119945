/**
 * The explorer as one HTML page, with the policy that lets exactly its own script and style run.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { browserSource } from "./browser_source.ts";
import { STYLE } from "./style.ts";

/** The page and its content security policy. */
export interface ExplorerPage {
  /**
   * The HTML, with the site's public token if there is one, and for signed-in visitors or others.
   */
  html: (publicToken: string | null, isSignedIn: boolean) => string;
  /** Value of `Content-Security-Policy`. */
  policy: string;
}

/** Makes the page once. */
export function explorerPage(): ExplorerPage {
  const script = browserSource();
  const style = readFonts() + STYLE;
  if (/<\/script|<!--/i.test(script)) throw new Error("The script would end its own element");
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(style)}'`,
    "connect-src 'self'",
    "img-src data:",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
  const html = (publicToken: string | null, isSignedIn: boolean) =>
    pageHtml(style, script, tokenMeta(publicToken) + (isSignedIn ? SESSION_META : ""));
  return { html, policy };
}

/** The faces of the font that the admin application serves. */
function readFonts(): string {
  return Deno.readTextFileSync(new URL("../../studio/built/font.css", import.meta.url));
}

function hashOf(source: string): string {
  return `sha256-${createHash("sha256").update(source).digest("base64")}`;
}

const SESSION_META = '\n<meta name="explorer-session" content="yes">';

/** A token needs no escaping; anything else is not a token. */
function tokenMeta(token: string | null): string {
  if (token === null) return "";
  if (!/^[A-Za-z0-9_]+$/.test(token)) throw new Error("Not a token");
  return `\n<meta name="explorer-token" content="${token}">`;
}

function pageHtml(style: string, script: string, meta: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">${meta}
<title>API explorer</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<a class="skip" href="#request" id="skip">Skip to the request</a>
<header>
<h1><span class="mark" aria-hidden="true">¶</span> API explorer</h1>
<p id="reader"></p>
<details id="access">
<summary>Use a token</summary>
<form id="token-form">
<label for="token">Token</label>
<input id="token" type="password" autocomplete="off" spellcheck="false" placeholder="svc_pk_…">
<label class="check"><input id="keep" type="checkbox"> Remember in this tab</label>
<div class="tools">
<button type="submit" class="primary">Use</button>
<button type="button" id="forget">Forget</button>
</div>
</form>
</details>
</header>
<main>
<nav aria-label="Requests">
<label for="filter">Find a collection <kbd>/</kbd></label>
<input id="filter" type="search" autocomplete="off" spellcheck="false">
<p id="message" role="status"></p>
<div id="operations"></div>
</nav>
<section id="request" aria-label="Request" tabindex="-1"></section>
<section id="result" aria-label="Response" tabindex="-1"></section>
</main>
<noscript><p>This page needs JavaScript.</p></noscript>
<script type="module">${script}</script>
</body>
</html>
`;
}
