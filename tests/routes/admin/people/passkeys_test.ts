/** Passkeys: adding, signing in without a password, and what keeps their users from being locked out. */
import { assert, assertEquals } from "../../../support/harness/assert.ts";
import { storeText } from "../../../support/sites/people.ts";
import { answered, assertRefusal } from "../../../support/sites/admin_answers.ts";
import { Authenticator } from "../../../support/sign_in/authenticator.ts";
import {
  addPasskey,
  BO,
  setUpTotp,
  signIn,
  signInByPasskey,
  signInSite,
  visitor,
} from "../../../support/sign_in/sign_in_site.ts";

Deno.test("a passkey with user verification signs in alone", async () => {
  const { test, client, bo } = await signInSite();
  await using _ = test;
  const { authenticator, passkey } = await addPasskey(client);
  const { recoveryCodes, ...view } = passkey;
  assertEquals(recoveryCodes.length, 10);
  assertEquals(Object.keys(view), ["id", "name", "createdAt", "lastUsedAt", "synced"]);
  assertEquals([view.name, view.lastUsedAt, view.synced], ["Laptop", null, false]);

  test.context.advance(60_000);
  const other = visitor(test);
  const answer = await signInByPasskey(other, authenticator);
  assertEquals([answered(answer, 200).user.id, answer.json.scopes], [bo.id, ["*"]]);
  const sessions = (await other.ask("GET", "/sessions")).json.data;
  const own = sessions.find((session: { current: boolean }) => session.current);
  assertEquals([own.method, own.secondFactor], ["passkey", "passkey"]);
  const [listed] = (await other.ask("GET", "/account")).json.passkeys;
  assertEquals(listed, { ...view, lastUsedAt: Math.floor(test.context.now() / 1000) });

  authenticator.isVerifying = false;
  assertRefusal(await signInByPasskey(visitor(test), authenticator), 401, "UNAUTHENTICATED");
});

Deno.test("options are those of WebAuthn, and each challenge works once", async () => {
  const { test, client } = await signInSite();
  await using _ = test;
  const creation = answered(await client.ask("POST", "/account/passkeys/options"), 200);
  assertEquals(creation.rp, { name: "The Lantern", id: "localhost" });
  assertEquals(creation.authenticatorSelection.residentKey, "required");
  const { authenticator } = await addPasskey(client);
  const again = answered(await client.ask("POST", "/account/passkeys/options"), 200);
  assertEquals(again.excludeCredentials.length, 1);

  const other = visitor(test);
  const options = answered(await other.ask("POST", "/session/passkey/options", {}), 200);
  assertEquals([options.rpId, options.userVerification], ["localhost", "required"]);
  assertEquals(options.allowCredentials ?? [], []);
  const response = await authenticator.get(options);
  const forged = structuredClone(response);
  forged.response.signature = forged.response.signature.slice(0, -4) + "AAAA";
  const wrong = await other.ask("POST", "/session/passkey", { response: forged });
  assertRefusal(wrong, 401, "UNAUTHENTICATED");
  answered(await other.ask("POST", "/session/passkey", { response }), 200);
  assertRefusal(await other.ask("POST", "/session/passkey", { response }), 401, "UNAUTHENTICATED");
  const late = answered(await other.ask("POST", "/session/passkey/options", {}), 200);
  test.context.advance(300_000);
  const expired = await authenticator.get(late);
  const answer = await other.ask("POST", "/session/passkey", { response: expired });
  assertRefusal(answer, 401, "UNAUTHENTICATED");
});

Deno.test("a registration is refused from another origin, for another challenge, and beyond ten", async () => {
  const { test, client } = await signInSite();
  await using _ = test;
  const options = answered(await client.ask("POST", "/account/passkeys/options"), 200);
  const foreign = await new Authenticator("https://evil.example").create(options);
  for (
    const response of [
      foreign,
      await new Authenticator().create({ ...options, challenge: "AAAA" }),
    ]
  ) {
    const answer = await client.ask("POST", "/account/passkeys", { name: "x", response });
    assertRefusal(answer, 422, "VALIDATION_FAILED");
    assertEquals(answer.json.error.details[0].field, "response");
  }
  const spare = answered(await client.ask("POST", "/account/passkeys/options"), 200);
  for (let n = 0; n < 10; n++) await addPasskey(client, { name: `Key ${n}` });
  assertRefusal(await client.ask("POST", "/account/passkeys/options"), 409, "CONFLICT");
  const response = await new Authenticator().create(spare);
  const eleventh = await client.ask("POST", "/account/passkeys", { name: "x", response });
  assertRefusal(eleventh, 409, "CONFLICT");
});

Deno.test("a passkey is renamed and removed; recovery codes end with the last factor", async () => {
  const { test, client } = await signInSite();
  await using _ = test;
  const { passkey: { id } } = await addPasskey(client);
  const renamed = answered(
    await client.ask("PATCH", `/account/passkeys/${id}`, { name: "A" }),
    200,
  );
  assertEquals([renamed.id, renamed.name], [id, "A"]);
  const missing = await client.ask("PATCH", "/account/passkeys/none", { name: "A" });
  assertRefusal(missing, 404, "NOT_FOUND");
  const second = await setUpTotp(test, client);
  assertEquals(second.recoveryCodes, undefined, "only the first factor answers codes");
  answered(await client.ask("DELETE", `/account/passkeys/${id}`), 204);
  assertEquals((await client.ask("GET", "/account")).json.recoveryCodesLeft, 10);
  answered(await client.ask("DELETE", "/account/totp", { password: BO.password }), 204);
  assertEquals((await client.ask("GET", "/account")).json.recoveryCodesLeft, 0);
});

Deno.test("a counter that goes back is refused, and its user hears of it", async () => {
  const { test, client } = await signInSite();
  await using _ = test;
  const authenticator = new Authenticator();
  authenticator.counter = 5;
  await addPasskey(client, { authenticator });
  answered(await signInByPasskey(visitor(test), authenticator), 200);
  authenticator.counter = 2;
  assertRefusal(await signInByPasskey(visitor(test), authenticator), 401, "UNAUTHENTICATED");
  assert((await storeText(test.context)).includes("passkey_cloned"));
});

Deno.test("passkeys are offered over HTTPS and on localhost only", async () => {
  const { test, client } = await signInSite({ baseUrl: "http://cms.example" });
  await using _ = test;
  assertRefusal(await client.ask("POST", "/account/passkeys/options"), 409, "CONFLICT");
  assertRefusal(await client.ask("POST", "/session/passkey/options", {}), 409, "CONFLICT");
});

Deno.test("the relying party follows BASE_URL, or auth.rpId for a parent domain", async () => {
  const { test, client } = await signInSite({ baseUrl: "https://cms.example.org" });
  await using _ = test;
  const rp = async () => (await client.ask("POST", "/account/passkeys/options")).json.rp.id;
  assertEquals(await rp(), "cms.example.org");
  const foreign = await test.admin("PATCH", "/settings", { "auth.rpId": "example.com" });
  assertRefusal(foreign, 422, "VALIDATION_FAILED");
  answered(await test.admin("PATCH", "/settings", { "auth.rpId": "example.org" }), 200);
  assertEquals(await rp(), "example.org");
  const authenticator = new Authenticator("https://cms.example.org");
  await addPasskey(client, { authenticator });
  answered(await signInByPasskey(visitor(test), authenticator), 200);
});

Deno.test("passwords are restricted once every administrator has another way, which then stays", async () => {
  const { test, client, bo } = await signInSite();
  await using _ = test;
  const restrict = () => test.admin("PATCH", "/settings", { "auth.passwords": "nobody" });
  assertRefusal(await restrict(), 422, "VALIDATION_FAILED");
  const { cookie } = { cookie: visitor(test) };
  await cookie.ask("POST", "/session", {
    email: "ada@example.org",
    password: "correct horse battery",
  });
  const { passkey, authenticator } = await addPasskey(cookie);
  answered(await restrict(), 200);

  assertRefusal(await signIn(visitor(test)), 401, "UNAUTHENTICATED");
  answered(await client.ask("GET", "/session"), 200);
  assertRefusal(await cookie.ask("DELETE", `/account/passkeys/${passkey.id}`), 409, "CONFLICT");
  const ada = (await cookie.ask("GET", "/session")).json.user.id;
  assertRefusal(await test.admin("DELETE", `/users/${ada}/factors`), 409, "CONFLICT");
  const promoted = await test.admin("PATCH", `/users/${bo.id}`, { roles: ["administrator"] });
  assertRefusal(promoted, 422, "VALIDATION_FAILED");
  const created = await test.admin("POST", "/users", {
    ...BO,
    email: "c@example.org",
    roles: ["administrator"],
  });
  assertRefusal(created, 422, "VALIDATION_FAILED");
  const moved = await test.admin("PATCH", "/settings", { "site.url": "http://other.example" });
  assertRefusal(moved, 422, "VALIDATION_FAILED");
  assert(moved.json.error.details[0].message.includes("1 user"));
  const reset = await test.call("POST", "/api/admin/password-reset", { body: { email: BO.email } });
  assertEquals(reset.status, 202);
  assert(!(await storeText(test.context)).includes("password_reset"));
  answered(await signInByPasskey(visitor(test), authenticator), 200);
  answered(await test.admin("PATCH", "/settings", { "auth.passwords": null }), 200);
  answered(await signIn(visitor(test)), 200);
});

Deno.test("a required second factor leaves days of grace, then the account only", async () => {
  const { test, client } = await signInSite();
  await using _ = test;
  const require = () => test.admin("PATCH", "/settings", { "auth.secondFactor": "required" });
  assertRefusal(await require(), 422, "VALIDATION_FAILED");
  const ada = visitor(test);
  await ada.ask("POST", "/session", {
    email: "ada@example.org",
    password: "correct horse battery",
  });
  await setUpTotp(test, ada);
  answered(await require(), 200);
  const at = Math.floor(test.context.now() / 1000);
  const { required } = (await client.ask("GET", "/account")).json;
  assertEquals(required, { secondFactor: true, until: at + 7 * 86_400 });
  answered(await client.ask("GET", "/collections"), 200);
  answered(await test.admin("PATCH", "/settings", { "auth.graceDays": 0 }), 200);

  assertRefusal(await client.ask("GET", "/collections"), 403, "SECOND_FACTOR_REQUIRED");
  const again = visitor(test);
  answered(await signIn(again), 200);
  answered(await again.ask("GET", "/account"), 200);
  answered(await again.ask("GET", "/session"), 200);
  answered(await again.ask("GET", "/sessions"), 200);
  await setUpTotp(test, again);
  answered(await again.ask("GET", "/collections"), 200);
});

Deno.test("a role requires a second factor, a built-in one too", async () => {
  const { test, client } = await signInSite();
  await using _ = test;
  const roles = (await test.admin("GET", "/roles")).json.data;
  const editor = roles.find((role: { name: string }) => role.name === "editor");
  assertEquals(editor.requireSecondFactor, false);
  answered(await test.admin("PATCH", "/settings", { "auth.graceDays": 0 }), 200);
  const path = `/roles/${editor.id}`;
  const changed = answered(await test.admin("PATCH", path, { requireSecondFactor: true }), 200);
  assertEquals(changed.requireSecondFactor, true);
  assertRefusal(await test.admin("PATCH", path, { name: "x" }), 409, "CONFLICT");
  assertRefusal(await client.ask("GET", "/collections"), 403, "SECOND_FACTOR_REQUIRED");
  answered(await test.admin("PATCH", path, { requireSecondFactor: false }), 200);
  answered(await client.ask("GET", "/collections"), 200);
});
