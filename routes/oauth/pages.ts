/**
 * The pages on which users give programs access. They have no scripts and load nothing.
 *
 * @module
 */
import type { Context as HttpContext } from "@hono/hono";
import { html, raw } from "@hono/hono/html";
import type { OAuthClient } from "../../kv/people/oauth/grants.ts";
import { slugOfScope } from "../../kv/model/entities/scope.ts";

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:34em;margin:3em auto;padding:0 1em;
color:#1f2328;background:#fff}h1{font-size:1.4em}fieldset{border:1px solid #d0d7de;border-radius:8px;
margin:1em 0}label{display:block;margin:.3em 0}code{background:#f3f4f6;padding:.1em .3em;
border-radius:4px}button{font:inherit;padding:.5em 1.2em;border-radius:8px;border:1px solid #d0d7de;
background:#fff}button.primary{background:#1f2328;color:#fff}input[type=text]{font:inherit;padding:.5em;
width:12em}@media(prefers-color-scheme:dark){body{color:#e6edf3;background:#0d1117}code{background:#21262d}
button{background:#21262d;color:#e6edf3}button.primary{background:#e6edf3;color:#0d1117}}`;

const ACTION_NAMES: Readonly<Record<string, string>> = {
  "read": "read published content",
  "write": "create, edit, publish and delete",
  "read-drafts": "read drafts",
  "read-history": "read the history",
};

/** What a consent is about. */
export interface Consent {
  /** Where the form goes. */
  action: string;
  /** Hidden fields that name the request. */
  hidden: Readonly<Record<string, string>>;
  client: OAuthClient;
  /** Where the program is answered; null for a device. */
  redirectUri: string | null;
  userName: string;
  siteTitle: string;
  scopes: readonly string[];
}

/** The page that asks for consent. */
export function consentPage(c: HttpContext, consent: Consent): Promise<Response> {
  const { action, hidden, client, redirectUri, userName, siteTitle, scopes } = consent;
  const target = redirectUri === null ? null : URL.parse(redirectUri);
  const body = html`
    <h1>Allow ${client.name} to access ${siteTitle}?</h1>
    <p>
      <strong>${client.name}</strong>
      ${client.url === null ? "" : html`(<code>${client.url}</code>)`} asks to act for you,
      <strong>${userName}</strong>. It can do only what you select and may do yourself.
    </p>
    ${target === null
      ? html`<p>Continue only if you have just started this on a device of yours.</p>`
      : html`<p>You will be sent to <code>${target.host || target.protocol}</code>.</p>`}
    <form method="post" action="${action}">
      ${Object.entries(hidden).map(([name, value]) =>
        html`<input type="hidden" name="${name}" value="${value}">`
      )}
      <fieldset>
        <legend>Permissions</legend>
        ${scopes.length === 0 ? html`<p>You have none of the permissions it asks for.</p>` : ""}
        ${scopes.map((scope) =>
          html`<label><input type="checkbox" name="scope" value="${scope}" checked> ${
            scopeLabel(scope)
          }</label>`
        )}
      </fieldset>
      <p>
        <button class="primary" name="answer" value="allow">Allow</button>
        <button name="answer" value="deny">Cancel</button>
      </p>
    </form>
  `;
  return page(c, `Allow ${client.name}`, body, { target });
}

/** The page that asks for the code of a device. */
export function deviceCodePage(
  c: HttpContext,
  { userCode, fault }: { userCode: string; fault: string | null },
): Promise<Response> {
  const body = html`
    <h1>Connect a device</h1>
    ${fault === null ? "" : html`<p role="alert">${fault}</p>`}
    <form method="post" action="/oauth/device/confirm">
      <p>
        <label for="user_code">Enter the code that the device shows:</label>
        <input type="text" id="user_code" name="user_code" value="${userCode}" required
          autocomplete="off" autocapitalize="characters" autofocus>
      </p>
      <p><button class="primary">Continue</button></p>
    </form>
  `;
  return page(c, "Connect a device", body, { status: fault === null ? 200 : 400 });
}

/** A page with a sentence. */
export function messagePage(
  c: HttpContext,
  title: string,
  message: string,
  status: 200 | 400 | 403 = 200,
): Promise<Response> {
  return page(
    c,
    title,
    html`
      <h1>${title}</h1>
      <p>${message}</p>
    `,
    { status },
  );
}

async function page(
  c: HttpContext,
  title: string,
  body: unknown,
  { status = 200, target = null }: { status?: 200 | 400 | 403; target?: URL | null },
): Promise<Response> {
  const whole = await html`
    <!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width">
        <title>${title}</title>
        <link rel="icon" href="data:,">
        <style>${raw(STYLE)}</style>
      </head>
      <body>
        <main>${body}</main>
      </body>
    </html>
  `;
  // Browsers apply the policy of a form to the redirect that follows, too.
  const answeredAt = target === null ? "" : ` ${target.host ? target.origin : target.protocol}`;
  return c.html(whole, status, {
    "cache-control": "no-store",
    "content-security-policy": [
      "default-src 'none'",
      "style-src 'unsafe-inline'",
      "img-src data:",
      `form-action 'self'${answeredAt}`,
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join("; "),
    "referrer-policy": "same-origin",
    "x-frame-options": "DENY",
    "x-robots-tag": "noindex",
  });
}

function scopeLabel(scope: string): string {
  if (scope === "*") return "Everything that you may do";
  const action = scope.slice(scope.indexOf(":") + 1);
  const subject = slugOfScope(scope) ?? "media";
  return `${subject}: ${ACTION_NAMES[action] ?? action}`;
}
