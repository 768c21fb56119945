/**
 * The explorer as one HTML page, with the policy that lets exactly its own script and style run.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { browserSource } from "./browser_source.ts";
import { STYLE } from "./style.ts";

/** The page and what its answer must say. */
export interface ExplorerPage {
  /** The HTML, with a token that anybody may have, or without. */
  html: (publicToken: string | null) => string;
  /** Value of `Content-Security-Policy`. */
  policy: string;
}

/** Makes the page once. */
export function explorerPage(): ExplorerPage {
  const script = browserSource();
  if (/<\/script|<!--/i.test(script)) throw new Error("The script would end its own element");
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(STYLE)}'`,
    "connect-src 'self'",
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
  return { html: (publicToken) => html(script, publicToken), policy };
}

function hashOf(source: string): string {
  return `sha256-${createHash("sha256").update(source).digest("base64")}`;
}

/** The token's alphabet needs no escaping; anything else is no token. */
function tokenMeta(token: string | null): string {
  if (token === null) return "";
  if (!/^[A-Za-z0-9_]+$/.test(token)) throw new Error("Not a token");
  return `\n<meta name="explorer-token" content="${token}">`;
}

function html(script: string, publicToken: string | null): string {
  const given = publicToken === null ? "" : " The site has lent this page a read-only token.";
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">${tokenMeta(publicToken)}
<title>API explorer</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<a class="skip" href="#request" id="skip">Skip to the request</a>
<header>
<h1>API explorer</h1>
<form id="token-form">
<label for="token">Token</label>
<input id="token" type="password" autocomplete="off" spellcheck="false" placeholder="svc_pk_…">
<label><input id="keep" type="checkbox"> Keep in this tab</label>
<button type="submit" class="primary">Use</button>
<button type="button" id="forget">Forget</button>
</form>
</header>
<main>
<nav aria-label="Requests">
<label for="filter">Find a collection <kbd>/</kbd></label>
<input id="filter" type="search" autocomplete="off" spellcheck="false">
<p id="message" role="status">Enter a token to see what this site describes.${given}</p>
<div id="operations"></div>
</nav>
<section id="request" aria-label="Request" tabindex="-1"></section>
</main>
<noscript><p>This page needs JavaScript.</p></noscript>
<script type="module">${script}</script>
</body>
</html>
`;
}
