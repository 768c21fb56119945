/** Writes of sign-in without a version: only rows of what is under way, like sessions. */
import type { Key } from "../../../../kv/keys.ts";
import { assertEquals } from "../../../support/harness/assert.ts";
import { answered } from "../../../support/sites/admin_answers.ts";
import type { TestApp } from "../../../support/sites/app.ts";
import {
  answerDevice,
  consent,
  oauthSite,
  redeem,
  requestDevice,
  token,
} from "../../../support/sign_in/oauth_site.ts";
import {
  addPasskey,
  codeAt,
  setUpTotp,
  signIn,
  signInByPasskey,
  visitor,
} from "../../../support/sign_in/sign_in_site.ts";
import { ssoSite, through } from "../../../support/sign_in/sso_site.ts";

/** The audit log, mails, rate limits and sessions, which most routes write. */
const ALWAYS = [
  "audit",
  "counted_bucket",
  "counted_window",
  "due",
  "job",
  "session",
  "user_session",
  "window",
];
/** Counters and last uses, challenges, flows and links that wait, browsers, and the keys for providers. */
const SIGN_IN = [
  "browser",
  "oidc_client_key",
  "oidc_flow",
  "oidc_link",
  "passkey_challenge",
  "passkey_use",
  "reset",
  "sign_in_challenge",
  "totp_setup",
  "totp_step",
];
/** Registered programs, their requests and codes, devices, and grants. */
const PROGRAMS = [
  "oauth_client",
  "oauth_code",
  "oauth_device",
  "oauth_grant",
  "oauth_request",
  "oauth_user_code",
  "oauth_user_grant",
];

/** Records the kinds of rows of every commit that writes no version. */
function unversioned(test: TestApp): Set<string> {
  const { store } = test.context;
  const kinds = new Set<string>();
  const commit = store.commit.bind(store);
  store.commit = (operation, ...more) => {
    const keys: Key[] = [...operation.sets.map(({ key }) => key), ...operation.deletes];
    if (!keys.some(([kind]) => kind === "version")) {
      for (const [kind] of keys) kinds.add(String(kind));
    }
    return commit(operation, ...more);
  };
  return kinds;
}

Deno.test("factors and single sign-on write versions, or rows of what is under way", async () => {
  await using site = await ssoSite({ provision: true, defaultRole: "viewer" });
  const { test, client, server, bo } = site;
  const kinds = unversioned(test);
  const { secret } = await setUpTotp(test, client);
  const { authenticator, passkey } = await addPasskey(client);
  test.context.advance(60_000);
  const other = visitor(test);
  const { challenge } = answered(await signIn(other), 202);
  const code = codeAt(test, secret);
  answered(await other.ask("POST", "/session/second-factor", { challenge, code }), 200);
  answered(await signInByPasskey(visitor(test), authenticator), 200);
  test.context.advance(60_000);
  const proof = { code: codeAt(test, secret) };
  answered(await client.ask("POST", "/session/prove", proof), 200);
  answered(await client.ask("POST", "/account/recovery-codes"), 201);
  answered(await client.ask("PATCH", `/account/passkeys/${passkey.id}`, { name: "Phone" }), 200);
  answered(await client.ask("POST", "/account/identities/corp/link"), 200);
  await visitor(test).ask("POST", "/password-reset", { email: "nobody@example.org" });
  server.claims = { sub: "n", email: "new@example.org", email_verified: true };
  await through(visitor(test), server);
  answered(await test.call("GET", "/admin/auth/corp/jwks"), 200);
  answered(await client.ask("DELETE", `/account/passkeys/${passkey.id}`), 204);
  answered(await test.admin("DELETE", `/users/${bo.id}/factors`), 204);
  answered(await test.admin("POST", `/users/${bo.id}/disable`), 200);
  assertEquals([...kinds].filter((kind) => !ALWAYS.includes(kind)).sort(), SIGN_IN);
});

Deno.test("programs write rows of grants and of what is under way only", async () => {
  const site = await oauthSite();
  const { test, client, clientId } = site;
  await using _ = test;
  const kinds = unversioned(test);
  const tokens = answered(await redeem(test, clientId, await consent(site)), 200);
  const refresh = { grant_type: "refresh_token", client_id: clientId };
  answered(await token(test, { ...refresh, refresh_token: tokens.refresh_token }), 200);
  const device = await requestDevice(test);
  await answerDevice(test, client, device.user_code, "deny");
  await token(test, { ...refresh, refresh_token: tokens.refresh_token });
  assertEquals([...kinds].filter((kind) => !ALWAYS.includes(kind)).sort(), PROGRAMS);
});
