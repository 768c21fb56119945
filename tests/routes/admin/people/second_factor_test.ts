/** Second factors: codes of an authenticator app, passkeys and recovery codes after a password. */
import { PROOF_SECONDS } from "../../../../kv/people/sessions.ts";
import { SIGN_IN_ATTEMPTS_MAX } from "../../../../kv/limits/people.ts";
import { assert, assertEquals, assertMatch } from "../../../support/harness/assert.ts";
import { answered, assertRefusal } from "../../../support/sites/admin_answers.ts";
import { storeText } from "../../../support/sites/people.ts";
import {
  addPasskey,
  BO,
  codeAt,
  setUpTotp,
  signIn,
  signInSite,
  visitor,
} from "../../../support/sign_in/sign_in_site.ts";

const NOTHING = {
  passkeys: [],
  totp: { enabled: false, since: null },
  recoveryCodesLeft: 0,
  identities: [],
  required: { secondFactor: false, until: null },
};

Deno.test("a user without factors has an account without any, and signs in as before", async () => {
  const { test, client, bo } = await signInSite();
  await using _ = test;
  const { user, ...account } = answered(await client.ask("GET", "/account"), 200);
  assertEquals([user.id, account], [bo.id, NOTHING]);
  const answer = await signIn(visitor(test));
  assertEquals([answer.status, Object.keys(answer.json)], [200, ["user", "scopes"]]);
});

Deno.test("codes are set up by one of them, whose first use is the set-up", async () => {
  const { test, client } = await signInSite();
  await using _ = test;
  const setup = answered(await client.ask("POST", "/account/totp"), 201);
  assertEquals(Object.keys(setup), ["secret", "uri", "qr"]);
  assertMatch(setup.uri, /^otpauth:\/\/totp\/The%20Lantern:bo%40example\.org\?/);
  assert(setup.qr.startsWith("<svg"));
  assertEquals((await client.ask("GET", "/account")).json.totp.enabled, false);

  const wrong = await client.ask("PUT", "/account/totp", { code: "000000" });
  assertRefusal(wrong, 422, "VALIDATION_FAILED");
  assertEquals(wrong.json.error.details[0].field, "code");
  const code = codeAt(test, setup.secret);
  const { recoveryCodes } = answered(await client.ask("PUT", "/account/totp", { code }), 200);
  assertEquals([recoveryCodes.length, new Set(recoveryCodes).size], [10, 10]);
  const { totp, recoveryCodesLeft } = (await client.ask("GET", "/account")).json;
  assertEquals([totp.enabled, recoveryCodesLeft], [true, 10]);
  assertRefusal(await client.ask("POST", "/account/totp"), 409, "CONFLICT");
  const { challenge } = answered(await signIn(visitor(test)), 202);
  const again = await visitor(test).ask("POST", "/session/second-factor", { challenge, code });
  assertRefusal(again, 401, "UNAUTHENTICATED");
});

Deno.test("a password and a code begin a session, and each code works once", async () => {
  const { test, client, bo } = await signInSite();
  await using _ = test;
  const { secret } = await setUpTotp(test, client);
  test.context.advance(60_000);
  const other = visitor(test);
  const asked = await signIn(other);
  const { challenge, methods, expiresAt } = answered(asked, 202);
  assertEquals(asked.headers.getSetCookie(), []);
  assertEquals(methods, ["totp", "recovery"]);
  assertEquals(expiresAt, Math.floor(test.context.now() / 1000) + 300);
  assertEquals((await other.ask("GET", "/session")).status, 401, "UNAUTHENTICATED");

  const code = codeAt(test, secret);
  const answer = await other.ask("POST", "/session/second-factor", { challenge, code });
  assertEquals([answered(answer, 200).user.id, answer.json.scopes], [bo.id, ["*"]]);
  const sessions = (await other.ask("GET", "/sessions")).json.data;
  const own = sessions.find((session: { current: boolean }) => session.current);
  assertEquals([own.method, own.secondFactor], ["password", "totp"]);
  assertEquals(own.provenAt, own.createdAt);
  const first = sessions.find((session: { current: boolean }) => !session.current);
  assertEquals([first.method, first.secondFactor], ["password", null]);

  const next = answered(await signIn(visitor(test)), 202);
  const replay = { challenge: next.challenge, code };
  const third = visitor(test);
  assertRefusal(await third.ask("POST", "/session/second-factor", replay), 401, "UNAUTHENTICATED");
  const used = { challenge, code: codeAt(test, secret, 30) };
  assertRefusal(await third.ask("POST", "/session/second-factor", used), 401, "UNAUTHENTICATED");
  const fresh = { challenge: next.challenge, code: codeAt(test, secret, 30) };
  answered(await third.ask("POST", "/session/second-factor", fresh), 200);
});

Deno.test("a challenge ends after five attempts or five minutes", async () => {
  const { test, client } = await signInSite();
  await using _ = test;
  const { secret } = await setUpTotp(test, client);
  test.context.advance(60_000);
  const attempts = async (count: number) => {
    const { challenge } = answered(await signIn(visitor(test)), 202);
    for (let n = 0; n < count; n++) {
      const wrong = await visitor(test).ask("POST", "/session/second-factor", {
        challenge,
        code: "000000",
      });
      assertRefusal(wrong, 401, "UNAUTHENTICATED");
    }
    return challenge;
  };
  const code = () => codeAt(test, secret);
  const spent = await attempts(5);
  const late = await visitor(test).ask("POST", "/session/second-factor", {
    challenge: spent,
    code: code(),
  });
  assertRefusal(late, 401, "UNAUTHENTICATED");
  const old = await attempts(0);
  test.context.advance(300_000);
  const expired = await visitor(test).ask("POST", "/session/second-factor", {
    challenge: old,
    code: code(),
  });
  assertRefusal(expired, 401, "UNAUTHENTICATED");
});

Deno.test("codes of an account are counted in a bucket of their own", async () => {
  const { test, client } = await signInSite();
  await using _ = test;
  await setUpTotp(test, client);
  for (let n = 0; n < SIGN_IN_ATTEMPTS_MAX; n++) {
    assertRefusal(
      await client.ask("POST", "/session/prove", { code: "000000" }),
      401,
      "UNAUTHENTICATED",
    );
  }
  assertRefusal(
    await client.ask("POST", "/session/prove", { code: "000000" }),
    429,
    "RATE_LIMITED",
  );
  answered(await client.ask("POST", "/session/prove", { password: BO.password }), 200);
});

Deno.test("a recovery code works once, in any spelling, and is none in the history", async () => {
  const { test, client, bo } = await signInSite();
  await using _ = test;
  const { recoveryCodes = [] } = await setUpTotp(test, client);
  const [recoveryCode = "", second = ""] = recoveryCodes;
  const other = visitor(test);
  const { challenge } = answered(await signIn(other), 202);
  const typed = recoveryCode.toLowerCase().replaceAll("-", " ");
  const body = { challenge, recoveryCode: typed };
  answered(await other.ask("POST", "/session/second-factor", body), 200);
  const account = (await other.ask("GET", "/account")).json;
  assertEquals(account.recoveryCodesLeft, 9);
  const again = answered(await signIn(visitor(test)), 202);
  const replay = { challenge: again.challenge, recoveryCode };
  assertRefusal(await other.ask("POST", "/session/second-factor", replay), 401, "UNAUTHENTICATED");
  const versions = (await test.admin("GET", `/versions/user/${bo.id}`)).json.data;
  assertEquals(versions[0].change_summary, "recovery code used");
  const { json: state } = await test.admin("GET", `/versions/${versions[0].id}`);
  assert(!JSON.stringify(state).includes("factors"));
  assert(!(await storeText(test.context)).includes(recoveryCode));

  const replaced = answered(await other.ask("POST", "/account/recovery-codes"), 201);
  assertEquals(replaced.recoveryCodes.length, 10);
  const ended = { challenge: again.challenge, recoveryCode: second };
  assertRefusal(await other.ask("POST", "/session/second-factor", ended), 401, "UNAUTHENTICATED");
});

Deno.test("a passkey is a second factor without user verification", async () => {
  const { test, client } = await signInSite();
  await using _ = test;
  const { authenticator } = await addPasskey(client);
  authenticator.isVerifying = false;
  const other = visitor(test);
  const { challenge, methods } = answered(await signIn(other), 202);
  assertEquals(methods, ["passkey", "recovery"]);
  const options = answered(await other.ask("POST", "/session/passkey/options", { challenge }), 200);
  assertEquals([options.userVerification, options.allowCredentials.length], ["preferred", 1]);
  const assertion = await authenticator.get(options);
  answered(await other.ask("POST", "/session/second-factor", { challenge, assertion }), 200);
  const sessions = (await other.ask("GET", "/sessions")).json.data;
  const own = sessions.find((session: { current: boolean }) => session.current);
  assertEquals([own.method, own.secondFactor], ["password", "passkey"]);
  const unknown = await other.ask("POST", "/session/passkey/options", { challenge: "none" });
  assertRefusal(unknown, 401, "UNAUTHENTICATED");
});

Deno.test("the body of a second factor names exactly one", async () => {
  const { test, client } = await signInSite();
  await using _ = test;
  for (const body of [{ challenge: "x" }, { challenge: "x", code: "1", recoveryCode: "2" }]) {
    const answer = await client.ask("POST", "/session/second-factor", body);
    assertRefusal(answer, 422, "VALIDATION_FAILED");
  }
});

Deno.test("factors are changed with a recent proof; turning codes off takes a proof of its own", async () => {
  const { test, client } = await signInSite();
  await using _ = test;
  const { secret } = await setUpTotp(test, client);
  test.context.advance(PROOF_SECONDS * 1000);
  for (
    const [method, path] of [
      ["POST", "/account/totp"],
      ["PUT", "/account/totp"],
      ["POST", "/account/recovery-codes"],
      ["POST", "/account/passkeys/options"],
      ["POST", "/account/passkeys"],
      ["DELETE", "/account/passkeys/x"],
    ] as const
  ) {
    assertRefusal(await client.ask(method, path, {}), 403, "PROOF_REQUIRED");
  }
  const wrong = await client.ask("DELETE", "/account/totp", { password: "not this one" });
  assertRefusal(wrong, 401, "UNAUTHENTICATED");
  answered(await client.ask("DELETE", "/account/totp", { code: codeAt(test, secret) }), 204);
  const account = (await client.ask("GET", "/account")).json;
  assertEquals([account.totp.enabled, account.recoveryCodesLeft], [false, 0]);
  answered(await signIn(visitor(test)), 200);
  await test.runner.drain();
});

Deno.test("prove accepts a code, once, or a passkey", async () => {
  const { test, client } = await signInSite();
  await using _ = test;
  const { secret } = await setUpTotp(test, client);
  const { authenticator } = await addPasskey(client);
  test.context.advance(PROOF_SECONDS * 1000);
  const code = codeAt(test, secret);
  answered(await client.ask("POST", "/session/prove", { code }), 200);
  assertRefusal(await client.ask("POST", "/session/prove", { code }), 401, "UNAUTHENTICATED");
  test.context.advance(PROOF_SECONDS * 1000);
  const options = answered(await client.ask("POST", "/session/passkey/options", {}), 200);
  const response = await authenticator.get(options);
  const { provenAt } = answered(await client.ask("POST", "/session/prove", { response }), 200);
  assertEquals(provenAt, Math.floor(test.context.now() / 1000));
  assertRefusal(await client.ask("POST", "/session/prove", { response }), 401, "UNAUTHENTICATED");
  answered(await client.ask("POST", "/account/recovery-codes"), 201);
});

Deno.test("an administrator takes the factors of a user away, which ends their sessions", async () => {
  const { test, client, bo } = await signInSite();
  await using _ = test;
  await setUpTotp(test, client);
  await addPasskey(client);
  const version = (await test.admin("GET", `/versions/user/${bo.id}`)).json.data[0].id;

  answered(await test.admin("DELETE", `/users/${bo.id}/factors`), 204);

  assertEquals((await client.ask("GET", "/session")).status, 401, "UNAUTHENTICATED");
  const { json } = await test.admin("GET", `/versions/user/${bo.id}`);
  assertEquals([json.data[0].change_summary, json.data[0].editor], ["factors removed", "Ada"]);
  answered(await test.admin("POST", `/versions/${version}/restore`, {}), 200);
  answered(await signIn(client), 200);
  assertEquals((await client.ask("GET", "/account")).json.passkeys, []);
  assertRefusal(await client.ask("DELETE", `/users/${bo.id}/factors`), 403, "FORBIDDEN");
  const mails = (await test.admin("GET", "/jobs?type=SEND_MAIL")).json.data;
  assert(mails.length >= 2, "a mail about the passkey, and one about the factors");
  test.context.advance(PROOF_SECONDS * 1000);
  assertRefusal(await test.admin("DELETE", `/users/${bo.id}/factors`), 403, "PROOF_REQUIRED");
});
