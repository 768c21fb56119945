/** SECRETS_KEY: TOTP secrets, secret settings, keys of providers and webhook secrets are stored sealed. */
import { Webhook } from "standardwebhooks";
import { assert, assertEquals } from "../../../support/harness/assert.ts";
import { answered } from "../../../support/sites/admin_answers.ts";
import { callApp, secondApp } from "../../../support/sites/app.ts";
import { storeText } from "../../../support/sites/people.ts";
import { hook, type Received, receiver, webhookSite } from "../../../support/sites/webhooks.ts";
import { OidcServer } from "../../../support/sign_in/oidc_server.ts";
import {
  codeAt,
  setUpTotp,
  signIn,
  signInSite,
  visitor,
} from "../../../support/sign_in/sign_in_site.ts";

const secretsKeys = ["a key with enough characters for it"];

Deno.test("a TOTP secret is stored sealed, and works", async () => {
  const { test, client } = await signInSite({ secretsKeys });
  await using _ = test;
  const { secret } = await setUpTotp(test, client);
  assert(!(await storeText(test.context)).includes(secret));
  test.context.advance(60_000);
  const { challenge } = answered(await signIn(client), 202);
  const code = codeAt(test, secret);
  answered(await client.ask("POST", "/session/second-factor", { challenge, code }), 200);
});

Deno.test("with another key codes are refused, and recovery codes work", async () => {
  const { test, client } = await signInSite({ secretsKeys });
  await using _ = test;
  const { secret, recoveryCodes } = await setUpTotp(test, client);
  test.context.advance(60_000);
  const other = secondApp(test.context, { secretsKeys: ["another key with enough characters"] });
  const stranger = visitor({ ...test, call: (...call) => callApp(other.app, ...call) });
  const { challenge } = answered(await signIn(stranger), 202);
  const code = codeAt(test, secret);
  const wrong = await stranger.ask("POST", "/session/second-factor", { challenge, code });
  assertEquals(wrong.status, 401);
  const [recoveryCode = ""] = recoveryCodes ?? [];
  const answer = await stranger.ask("POST", "/session/second-factor", { challenge, recoveryCode });
  answered(answer, 200);
});

Deno.test("client secrets and the keys of providers are stored sealed, and repeating one is no change", async () => {
  await using server = await OidcServer.start();
  const { test } = await signInSite({ secretsKeys, guard: { allowLocal: true } });
  await using _ = test;
  const provider = { id: "corp", name: "Corp", issuer: server.issuer, clientId: "cms" };
  const changes = { "auth.providers": [provider], "secret.oidc.corp": "a client secret" };
  answered(await test.admin("PATCH", "/settings", changes), 200);
  answered(await test.admin("PATCH", "/settings", changes), 200);
  const versions = (await test.admin("GET", "/versions/setting/secret.oidc.corp")).json;
  assertEquals(versions.meta.total, 1);
  const { json: { keys } } = await test.call("GET", "/admin/auth/corp/jwks");
  assertEquals([keys.length, "d" in keys[0]], [1, false]);
  assertEquals((await test.call("GET", "/admin/auth/corp/jwks")).json.keys[0].kid, keys[0].kid);
  const stored = await storeText(test.context);
  assert(!stored.includes("a client secret"));
  assert(!stored.includes('\\"qi\\"') && !stored.includes('"qi"'));
  assertEquals((await test.deps.settings.values()).get("secret.oidc.corp"), "a client secret");
  const other = secondApp(test.context, { secretsKeys });
  assertEquals((await other.deps.settings.values()).get("secret.oidc.corp"), "a client secret");
});

Deno.test("webhook secrets are stored sealed, and sign messages", async () => {
  await using test = await webhookSite({ secretsKeys });
  await using there = receiver();
  const { secret, id } = await hook(test, there.url);
  const rotated = answered(await test.admin("POST", `/webhooks/${id}/rotate-secret`), 200);
  const stored = await storeText(test.context);
  assert(!stored.includes(secret) && !stored.includes(rotated.secret));
  answered(await test.admin("POST", `/webhooks/${id}/test`), 202);
  await test.runner.drain();
  const [{ text, headers }] = there.received as [Received];
  const at = new Date(Number(headers["webhook-timestamp"]) * 1000);
  const signatures = [rotated.secret, secret].map((one) =>
    new Webhook(one).sign(headers["webhook-id"]!, at, text)
  );
  assertEquals(headers["webhook-signature"], signatures.join(" "));
});
