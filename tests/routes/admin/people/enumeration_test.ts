/** Responses do not reveal which accounts exist, or why one cannot sign in; the audit log does to administrators. */
import type { Json } from "../../../../kv/model/entities/entity.ts";
import { CHALLENGE_ATTEMPTS_MAX, SIGN_IN_ATTEMPTS_MAX } from "../../../../kv/limits/people.ts";
import { assertEquals } from "../../../support/harness/assert.ts";
import { answered } from "../../../support/sites/admin_answers.ts";
import type { TestApp } from "../../../support/sites/app.ts";
import {
  addPasskey,
  BO,
  codeAt,
  setUpTotp,
  signIn,
  signInByPasskey,
  signInSite,
  visitor,
} from "../../../support/sign_in/sign_in_site.ts";

/** The site, with an account for each reason why a password is refused. */
async function enumerationSite() {
  const site = await signInSite();
  const { test } = site;
  const create = async (name: string, more: Record<string, Json> = {}) =>
    answered(
      await test.admin("POST", "/users", {
        email: `${name}@example.org`,
        displayName: name,
        roles: ["viewer"],
        ...more,
      }),
      201,
    );
  await create("invited");
  const off = await create("off", { password: BO.password });
  answered(await test.admin("POST", `/users/${off.id}/disable`), 200);
  return site;
}

/** The answer to a request and its cost, without the parts that differ between any two requests. */
async function outcomeOf(test: TestApp, path: string, body: Json) {
  const { passwords } = test.deps.people;
  const { counts } = test.context.store;
  const before = { ...counts };
  const verify = passwords.verify;
  let hashes = 0;
  passwords.verify = (...given) => {
    hashes += 1;
    return verify.apply(passwords, given);
  };
  const { status, text, headers } = await visitor(test).ask("POST", path, body);
  passwords.verify = verify;
  const names = [...headers.keys()].sort();
  const cost = [counts.reads - before.reads, counts.commits - before.commits, hashes];
  return { status, text, names, cost };
}

const reasonsOf = async (test: TestApp, count: number) =>
  (await test.admin("GET", "/audit")).json.data.slice(0, count)
    .map(({ details }: { details: { reason?: string } }) => details.reason).reverse();

Deno.test("a refused password has one answer at one cost, for every reason", async () => {
  const { test } = await enumerationSite();
  await using _ = test;
  const attempt = (name: string, password: string) =>
    outcomeOf(test, "/session", { email: `${name}@example.org`, password });
  for (const name of ["nobody", "off", "invited"]) await attempt(name, "the first of an account");
  const wrong = await attempt("bo", "wrong");
  assertEquals([wrong.status, wrong.cost[2]], [401, 1]);
  for (const name of ["nobody", "off", "invited"]) {
    assertEquals(await attempt(name, BO.password), wrong, name);
  }
  assertEquals(await attempt("off", "wrong"), wrong);
  assertEquals(await reasonsOf(test, 5), [
    "wrong_password",
    "unknown_address",
    "disabled",
    "no_password",
    "disabled",
  ]);
});

Deno.test("a wrong password has one answer, whether a second factor would follow or not", async () => {
  const { test, client } = await enumerationSite();
  await using _ = test;
  const attempt = () => outcomeOf(test, "/session", { email: BO.email, password: "wrong" });
  await attempt();
  const before = await attempt();
  await setUpTotp(test, client);
  await attempt();
  assertEquals(await attempt(), before);
});

Deno.test("codes of an account are limited across challenges, like those of proofs", async () => {
  const { test, client } = await enumerationSite();
  await using _ = test;
  await setUpTotp(test, client);
  const statuses: number[] = [];
  for (let round = 0; round < 3; round++) {
    // A browser in which the user has signed in has a bucket of its own for passwords.
    const { challenge } = answered(await signIn(round < 2 ? visitor(test) : client), 202);
    for (let attempt = 0; attempt < CHALLENGE_ATTEMPTS_MAX; attempt++) {
      const body = { challenge, code: "000000" };
      statuses.push((await visitor(test).ask("POST", "/session/second-factor", body)).status);
    }
  }
  const expected = [...Array(SIGN_IN_ATTEMPTS_MAX).fill(401), ...Array(5).fill(429)];
  assertEquals(statuses, expected);
});

Deno.test("attempts at an account are limited whether it exists or not", async () => {
  const { test } = await enumerationSite();
  await using _ = test;
  for (const email of [BO.email, "nobody@example.org"]) {
    const statuses: number[] = [];
    for (let attempt = 0; attempt <= SIGN_IN_ATTEMPTS_MAX; attempt++) {
      statuses.push((await signIn(visitor(test), { ...BO, email, password: "wrong" })).status);
    }
    // One of the known user's attempts was their own sign-in.
    const own = email === BO.email ? 1 : 0;
    assertEquals(statuses.indexOf(429), SIGN_IN_ATTEMPTS_MAX - own, email);
  }
});

Deno.test("a password that is right but not allowed is answered as a wrong one", async () => {
  const { test, client } = await enumerationSite();
  await using _ = test;
  await addPasskey(client);
  const ada = visitor(test);
  answered(
    await signIn(ada, { ...BO, email: "ada@example.org", password: "correct horse battery" }),
    200,
  );
  await addPasskey(ada);
  answered(await ada.ask("PATCH", "/settings", { "auth.passwords": "nobody" }), 200);
  const attempt = (email: string, password: string) =>
    outcomeOf(test, "/session", { email, password });
  await attempt("nobody@example.org", BO.password);
  const unknown = await attempt("nobody@example.org", BO.password);
  const refused = await attempt(BO.email, BO.password);
  assertEquals([refused.status, refused.text, refused.names], [
    401,
    unknown.text,
    unknown.names,
  ]);
  assertEquals(refused.cost[2], 1);
  const reset = (email: string) => outcomeOf(test, "/password-reset", { email });
  assertEquals(await reset(BO.email), await reset("nobody@example.org"));
  answered(await signInByPasskey(ada, (await addPasskey(ada)).authenticator), 200);
});

Deno.test("a request for a reset costs the same for every address", async () => {
  const { test } = await enumerationSite();
  await using _ = test;
  const reset = (name: string) =>
    outcomeOf(test, "/password-reset", { email: `${name}@example.org` });
  await reset("warm");
  const known = await reset("bo");
  assertEquals([known.status, known.text], [202, "{}"]);
  for (const name of ["nobody", "off", "invited"]) assertEquals(await reset(name), known, name);
});

Deno.test("second factors and passkeys that are refused have one answer, and a reason in the log", async () => {
  const { test, client, bo } = await enumerationSite();
  await using _ = test;
  const { secret } = await setUpTotp(test, client);
  const { authenticator } = await addPasskey(client);
  test.context.advance(60_000);
  const other = visitor(test);
  const { challenge } = answered(await signIn(other), 202);
  const give = (body: Json) => outcomeOf(test, "/session/second-factor", body);
  const unknown = await give({ challenge: "made up", code: "000000" });
  const answers = [
    await give({ challenge, code: "000000" }),
    await give({ challenge, recoveryCode: "AAAA-AAAA-AAAA-AAAA" }),
  ];
  for (const { status, text, names } of answers) {
    assertEquals([status, text, names], [unknown.status, unknown.text, unknown.names]);
  }
  const madeUp = await visitor(test).ask("POST", "/session/passkey/options", { challenge: "x" });
  assertEquals([madeUp.status, madeUp.text], [401, unknown.text]);
  const code = codeAt(test, secret);
  answered(await other.ask("POST", "/session/second-factor", { challenge, code }), 200);
  assertEquals((await other.ask("POST", "/session/prove", { code })).status, 401);

  answered(await test.admin("POST", `/users/${bo.id}/disable`), 200);
  const refused = await signInByPasskey(visitor(test), authenticator);
  assertEquals([refused.status, refused.text], [401, unknown.text]);
  const { data } = (await test.admin("GET", "/audit")).json;
  const reasons = data.flatMap(({ event, details: { reason } }: {
    event: string;
    details: { reason?: string };
  }) => reason === undefined ? [] : [`${event}: ${reason}`]);
  assertEquals(reasons.reverse(), [
    "sign_in_failed: challenge_expired",
    "sign_in_failed: wrong_or_used_code",
    "sign_in_failed: wrong_recovery_code",
    "proof_failed: wrong_or_used_code",
    "sign_in_failed: passkey_refused",
  ]);
});
