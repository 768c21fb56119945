/**
 * A site with a registered program, and what the program and its user ask the authorization server.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { answered } from "../sites/admin_answers.ts";
import type { Answer, TestApp } from "../sites/app.ts";
import { cookieOf, signInSite, type Visitor } from "./sign_in_site.ts";

/** The origin of the site. */
export const ORIGIN = "http://localhost";
const VERIFIER = "v".repeat(50);
const CHALLENGE = createHash("sha256").update(VERIFIER).digest("base64url");
/** The address at which the program gets its answers. */
export const REDIRECT = "http://127.0.0.1:4000/callback";

/** A form-encoded request. */
export const form = (fields: Record<string, string> | [string, string][]) => ({
  raw: new URLSearchParams(fields).toString(),
  headers: { "content-type": "application/x-www-form-urlencoded" },
});

/** Sends a form with a visitor's cookies. */
export async function submit(
  test: TestApp,
  client: Visitor,
  path: string,
  fields: [string, string][],
): Promise<Answer> {
  const { raw, headers } = form(fields);
  return await test.call("POST", path, { raw, headers: { ...headers, cookie: cookieOf(client) } });
}

/** Opens a page with a visitor's cookies. */
export async function get(test: TestApp, client: Visitor, path: string): Promise<Answer> {
  return await test.call("GET", path, { headers: { cookie: cookieOf(client) } });
}

/** Asks the token endpoint. */
export const token = (test: TestApp, fields: Record<string, string>) =>
  test.call("POST", "/oauth/token", form(fields));

/** A site with a collection and a registered program. */
export async function oauthSite() {
  const site = await signInSite();
  const { test } = site;
  answered(
    await test.admin("POST", "/collections", {
      slug: "notes",
      name: "Notes",
      fields: [{ name: "body", label: "Body", type: "text" }],
    }),
    201,
  );
  return { ...site, clientId: await registerProgram(test) };
}

/** Registers a program; answers its id. */
export async function registerProgram(test: TestApp): Promise<string> {
  answered(await test.admin("PATCH", "/settings", { "auth.oauth.register": true }), 200);
  const registered = await test.call("POST", "/oauth/register", {
    body: { client_name: "Robot", redirect_uris: ["http://127.0.0.1/callback"] },
  });
  return answered(registered, 201).client_id;
}

/** The address of the consent page. */
export const authorizePath = (clientId: string, more: Record<string, string> = {}) =>
  `/oauth/authorize?${new URLSearchParams({
    response_type: "code",
    client_id: clientId,
    redirect_uri: REDIRECT,
    state: "xyz",
    code_challenge: CHALLENGE,
    code_challenge_method: "S256",
    resource: `${ORIGIN}/mcp`,
    scope: "*:read *:read-drafts *:write",
    ...more,
  })}`;

/** The fields of the consent form. */
export function fieldsOf({ text }: Answer): { request: string; scopes: string[] } {
  const request = /name="request" value="([^"]+)"/.exec(text)?.[1] ?? "";
  const scopes = [...text.matchAll(/name="scope" value="([^"]+)"/g)].map(([, scope]) =>
    scope ?? ""
  );
  return { request, scopes };
}

/** Consents, and answers the code. */
export async function consent(
  { test, client, clientId }: { test: TestApp; client: Visitor; clientId: string },
  more: Record<string, string> = {},
): Promise<string> {
  const { request, scopes } = fieldsOf(await get(test, client, authorizePath(clientId, more)));
  const answer = await submit(test, client, "/oauth/authorize", [
    ["request", request],
    ...scopes.map((scope): [string, string] => ["scope", scope]),
    ["answer", "allow"],
  ]);
  return new URL(answer.headers.get("location") ?? "").searchParams.get("code") ?? "";
}

/** Redeems a code. */
export const redeem = (
  test: TestApp,
  clientId: string,
  code: string,
  verifier = VERIFIER,
  more: Record<string, string> = {},
) =>
  token(test, {
    grant_type: "authorization_code",
    client_id: clientId,
    code,
    code_verifier: verifier,
    redirect_uri: REDIRECT,
    ...more,
  });

/** Asks for the codes of a device. */
export async function requestDevice(test: TestApp, clientId = "cms") {
  return answered(await test.call("POST", "/oauth/device", form({ client_id: clientId })), 200);
}

/** Answers the request of a device with a visitor's cookies. */
export const answerDevice = (
  test: TestApp,
  client: Visitor,
  userCode: string,
  answer: "allow" | "deny",
) =>
  submit(test, client, "/oauth/device/confirm", [
    ["user_code", userCode],
    ["selected", "true"],
    ...(answer === "allow" ? [["scope", "*"] as [string, string]] : []),
    ["answer", answer],
  ]);

/** Asks for the tokens of a device. */
export const pollDevice = (
  test: TestApp,
  deviceCode: string,
  clientId = "cms",
  more: Record<string, string> = {},
) =>
  token(test, {
    grant_type: "urn:ietf:params:oauth:grant-type:device_code",
    device_code: deviceCode,
    client_id: clientId,
    ...more,
  });

/** Calls `/mcp`. */
export const rpc = (test: TestApp, accessToken: string, method: string, params = {}) =>
  test.call("POST", "/mcp", {
    token: accessToken,
    body: { jsonrpc: "2.0", id: 1, method, params },
    headers: { accept: "application/json, text/event-stream" },
  });
