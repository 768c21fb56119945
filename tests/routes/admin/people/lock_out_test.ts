/** The last administrator is not locked out: by settings, by restores, or by another administrator. */
import { type Json, UNATTENDED } from "../../../../kv/model/entities/entity.ts";
import { assertEquals } from "../../../support/harness/assert.ts";
import { answered, assertRefusal } from "../../../support/sites/admin_answers.ts";
import { ADA, type TestApp, testApp } from "../../../support/sites/app.ts";
import {
  download,
  importTarball,
  setUpAdmin,
  signIn as signInAdmin,
} from "../../../support/sites/backups.ts";
import { OidcServer } from "../../../support/sign_in/oidc_server.ts";
import {
  addPasskey,
  BO,
  signIn,
  signInByPasskey,
  signInSite,
  type Visitor,
  visitor,
} from "../../../support/sign_in/sign_in_site.ts";

/** A site whose administrator has a passkey, and has let no user sign in with a password since. */
async function passkeySite() {
  const site = await signInSite();
  const { test } = site;
  const ada = visitor(test);
  answered(await signIn(ada, { ...BO, ...ADA }), 200);
  const { authenticator, passkey } = await addPasskey(ada);
  const before = test.context.now() / 1000;
  test.context.advance(1_000);
  answered(await restrict(test), 200);
  test.context.advance(1_000);
  const { recoveryCodes } = passkey;
  return { ...site, ada, authenticator, recoveryCodes, before, restricted: before + 1 };
}

const restrict = (test: TestApp, to: string | null = "nobody") =>
  test.admin("PATCH", "/settings", { "auth.passwords": to });

async function removeOwnPasskeys(client: Visitor): Promise<void> {
  for (const { id } of (await client.ask("GET", "/account")).json.passkeys) {
    answered(await client.ask("DELETE", `/account/passkeys/${id}`), 204);
  }
}

Deno.test("a restore of the site that no administrator could sign in after is refused", async () => {
  const { test, ada, restricted, before } = await passkeySite();
  await using _ = test;
  answered(await restrict(test, null), 200);
  await removeOwnPasskeys(ada);
  test.context.advance(1_000);
  const refused = await test.admin("POST", "/restore", { timestamp: restricted });
  assertRefusal(refused, 422, "VALIDATION_FAILED");
  assertEquals(refused.json.error.details[0].field, "timestamp");
  answered(await test.admin("POST", "/restore", { timestamp: before }), 202);
  await test.runner.drain();
  answered(await signIn(visitor(test), { ...BO, ...ADA }), 200);
});

Deno.test("a restore of the site leaves the settings if the last passkey is removed after its request", async () => {
  const { test, ada, restricted } = await passkeySite();
  await using _ = test;
  answered(await restrict(test, null), 200);
  test.context.advance(1_000);
  answered(await test.admin("POST", "/restore", { timestamp: restricted }), 202);
  await removeOwnPasskeys(ada);
  await test.runner.drain();
  answered(await signIn(visitor(test), { ...BO, ...ADA }), 200);
});

Deno.test("an import lets passwords in again if no administrator of the backup has another way", async () => {
  await using from = await testApp();
  const other = { email: "eve@example.org", password: "another long password", displayName: "Eve" };
  const eve = await setUpAdmin(from, other);
  await from.deps.people.settings.patch(UNATTENDED, { "auth.passwords": "nobody" });
  const tarball = await download(from, eve);
  await using app = await testApp();
  const admin = await setUpAdmin(app);
  assertEquals((await importTarball(app, admin, tarball)).error, null);
  await signInAdmin(app, other);
  const { json } = await admin.ask("GET", "/settings");
  assertEquals(json["auth.passwords"] ?? "everyone", "everyone");
});

Deno.test("a version of a setting is not restored if no administrator could sign in with it", async () => {
  const { test, ada } = await passkeySite();
  await using _ = test;
  answered(await restrict(test, null), 200);
  await removeOwnPasskeys(ada);
  const versions = (await test.admin("GET", "/versions/setting/auth.passwords")).json.data;
  const restored = await test.admin("POST", `/versions/${versions[1].id}/restore`);
  assertRefusal(restored, 409, "CONFLICT");
  answered(await signIn(visitor(test), { ...BO, ...ADA }), 200);
});

Deno.test("an administrator without a way in does not count as the last one", async () => {
  const { test, bo, ada, authenticator } = await passkeySite();
  await using _ = test;
  answered(await test.admin("POST", `/users/${bo.id}/disable`), 200);
  answered(await restrict(test, null), 200);
  answered(await test.admin("PATCH", `/users/${bo.id}`, { roles: ["administrator"] }), 200);
  answered(await restrict(test), 200);
  answered(await test.admin("POST", `/users/${bo.id}/enable`), 200);
  const own = (await ada.ask("GET", "/session")).json.user.id;
  const changes: [string, string, Json?][] = [
    ["DELETE", `/users/${own}`],
    ["POST", `/users/${own}/disable`],
    ["PATCH", `/users/${own}`, { roles: ["editor"] }],
  ];
  for (const [method, path, body] of changes) {
    assertRefusal(await test.admin(method, path, body), 409, "CONFLICT");
  }
  answered(await signInByPasskey(visitor(test), authenticator), 200);
});

Deno.test("an identity at a provider that is gone is no way in", async () => {
  await using server = await OidcServer.start();
  const { test } = await signInSite({ guard: { allowLocal: true } });
  await using _ = test;
  const ada = visitor(test);
  answered(await signIn(ada, { ...BO, ...ADA }), 200);
  const provider = { id: "corp", name: "Corp", issuer: server.issuer, clientId: "cms" };
  answered(
    await test.admin("PATCH", "/settings", {
      "auth.providers": [provider],
      "secret.oidc.corp": "a client secret",
    }),
    200,
  );
  server.claims = { sub: "ada", email: ADA.email, email_verified: true };
  const begun = await ada.ask("GET", "/admin/auth/corp");
  const callback = server.signIn(begun.headers.get("location") ?? "");
  await ada.ask("GET", callback.pathname + callback.search);
  assertEquals((await ada.ask("GET", "/account")).json.identities.length, 1);
  const both = { "auth.passwords": "nobody", "auth.providers": [] };
  assertRefusal(await test.admin("PATCH", "/settings", both), 422, "VALIDATION_FAILED");
  answered(await test.admin("PATCH", "/settings", { "auth.providers": [] }), 200);
  assertRefusal(await restrict(test), 422, "VALIDATION_FAILED");
  answered(await test.admin("PATCH", "/settings", { "auth.providers": [provider] }), 200);
  answered(await restrict(test), 200);
  const gone = await test.admin("PATCH", "/settings", { "auth.providers": [] });
  assertRefusal(gone, 422, "VALIDATION_FAILED");
});

Deno.test("a passkey of another relying party is no way in", async () => {
  const { test, ada } = await passkeySite();
  await using _ = test;
  answered(await restrict(test, null), 200);
  assertEquals((await ada.ask("GET", "/account")).json.passkeys.length, 1);
  answered(await test.admin("PATCH", "/settings", { "site.url": "https://cms.example" }), 200);
  assertRefusal(await restrict(test), 422, "VALIDATION_FAILED");
});

Deno.test("a passkey of another relying party, and no recovery code, is no second factor to ask for", async () => {
  const { test, ada, recoveryCodes } = await passkeySite();
  await using _ = test;
  answered(await restrict(test, null), 200);
  for (const recoveryCode of recoveryCodes) {
    test.context.advance(16 * 60_000);
    const client = visitor(test);
    const { challenge } = answered(await signIn(client, { ...BO, ...ADA }), 202);
    const body = { challenge, recoveryCode };
    answered(await client.ask("POST", "/session/second-factor", body), 200);
  }
  answered(await ada.ask("POST", "/session/prove", { password: ADA.password }), 200);
  const set = (body: Json) => ada.ask("PATCH", "/settings", body);
  const moved = { "site.url": "https://cms.example" };
  assertRefusal(await set(moved), 422, "VALIDATION_FAILED");
  answered(await set({ "auth.secondFactor": "off" }), 200);
  answered(await set(moved), 200);
  assertRefusal(await set({ "auth.secondFactor": "optional" }), 422, "VALIDATION_FAILED");
  answered(await signIn(visitor(test), { ...BO, ...ADA }), 200);
});
