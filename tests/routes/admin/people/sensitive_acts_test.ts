/** Sensitive actions: each needs a recent proof, which a stolen session lacks, and notifies the account's user. */
import { StoreUnavailable } from "../../../../kv/unavailable.ts";
import { listJobs } from "../../../support/harness/list_jobs.ts";
import type { Context } from "../../../../kv/context.ts";
import type { Json } from "../../../../kv/model/entities/entity.ts";
import { PROOF_SECONDS } from "../../../../kv/people/sessions.ts";
import { issueAddressChange } from "../../../../kv/people/address_change.ts";
import {
  SENSITIVE_ACTS,
  type SensitiveAct,
} from "../../../../routes/admin/people/sensitive_acts.ts";
import { answered, assertRefusal } from "../../../support/sites/admin_answers.ts";
import { ADA, type Answer, type TestApp, testApp } from "../../../support/sites/app.ts";
import { assert, assertEquals } from "../../../support/harness/assert.ts";
import { Client, FIRST, peopleOf, setUpSite, signedInUser } from "../../../support/sites/people.ts";
import { testContext } from "../../../support/harness/context.ts";

/** What exists before the session grows old. */
interface Site {
  test: TestApp;
  userId: string;
  bo: string;
  invited: string;
  token: string;
  exportId: string;
  version: string;
}

async function site(test: TestApp): Promise<Site> {
  const { user } = answered(await test.setUp(), 201);
  const created = async (path: string, body: Json) =>
    answered(await test.admin("POST", path, body), 201).id as string;
  const bo = await created("/users", {
    email: "bo@example.org",
    displayName: "Bo",
    password: "twelve chars",
    roles: ["editor"],
  });
  const invited = await created("/users", {
    email: "in@example.org",
    displayName: "In",
    roles: ["editor"],
  });
  const token = await created("/tokens", { name: "all", scopes: ["*"] });
  answered(await test.admin("POST", "/exports", {}), 202);
  await test.runner.drain();
  const exportId = (await test.admin("GET", "/exports")).json.data[0].id;
  const versions = (await test.admin("GET", `/versions/user/${bo}`)).json.data;
  return { test, userId: user.id, bo, invited, token, exportId, version: versions[0].id };
}

/** A request for each act, which nothing but its proof may stop. */
const REQUESTS: Record<SensitiveAct, (site: Site) => Promise<Answer>[]> = {
  address: ({ test, userId, bo }) => [
    test.admin("PATCH", `/users/${userId}`, { email: "thief@example.org" }),
    test.admin("PATCH", `/users/${bo}`, { email: "thief@example.org" }),
  ],
  password: ({ test, bo }) => [test.admin("PATCH", `/users/${bo}`, { password: "a thief's own" })],
  invitation: ({ test, invited }) => [test.admin("POST", `/users/${invited}/invitation`, {})],
  administrator: ({ test, bo }) => [
    test.admin("PATCH", `/users/${bo}`, { roles: [" Administrator"] }),
    test.admin("POST", "/users", {
      email: "eve@example.org",
      displayName: "Eve",
      roles: ["editor", "administrator"],
    }),
  ],
  fullToken: ({ test, token }) => [
    test.admin("POST", "/tokens", { name: "mine", scopes: ["*"] }),
    test.admin("PATCH", `/tokens/${token}`, { allowedOrigins: ["https://thief.example"] }),
    test.admin("POST", `/tokens/${token}/rotate`, {}),
  ],
  factors: ({ test }) => [test.admin("POST", "/account/totp")],
  userFactors: ({ test, bo }) => [test.admin("DELETE", `/users/${bo}/factors`)],
  authentication: ({ test }) => [
    test.admin("PATCH", "/settings", { "auth.stepUp": true }),
    test.admin("PATCH", "/settings", { "auth.session.hours": 24 }),
  ],
  export: ({ test }) => [test.admin("POST", "/exports", {})],
  download: ({ test, exportId }) => [test.admin("GET", `/exports/${exportId}`)],
  import: ({ test }) => [
    test.admin("POST", "/imports", undefined, {
      raw: new Uint8Array([1]),
      headers: { "content-type": "application/gzip" },
    }),
  ],
  siteRestore: ({ test }) => [
    test.admin("POST", "/restore", { timestamp: Math.floor(test.context.now() / 1000) }),
  ],
  accessRestore: ({ test, version }) => [test.admin("POST", `/versions/${version}/restore`, {})],
  publishers: ({ test }) => [
    test.admin("PATCH", "/settings", {
      "packages.publishers": [{
        id: "thief",
        publicKey: btoa("k".repeat(32)),
        label: "Thief",
        prefix: "com.thief.",
        from: 0,
        until: null,
        revoked: false,
      }],
    }),
  ],
  siteUrl: ({ test }) => [
    test.admin("PATCH", "/settings", { "site.url": "https://thief.example" }),
  ],
};

for (const [act, requests] of Object.entries(REQUESTS)) {
  Deno.test(`a session that is not proven cannot ${SENSITIVE_ACTS[act as SensitiveAct]}`, async () => {
    await using test = await testApp();
    const known = await site(test);
    test.context.advance(PROOF_SECONDS * 1000);

    for (const answer of await Promise.all(requests(known))) {
      assertRefusal(answer, 403, "PROOF_REQUIRED");
    }

    const proof = { password: ADA.password };
    assertEquals(answered(await test.admin("POST", "/session/prove", proof), 200), {
      provenAt: Math.floor(test.context.now() / 1000),
    });
    for (const answer of await Promise.all(requests(known))) {
      assert(answer.status < 300, `${answer.status} ${answer.text.slice(0, 200)}`);
    }
  });
}

/** Acts that answer what is stored, and commit nothing of their own. */
const READING: ReadonlySet<string> = new Set<SensitiveAct>(["download"]);

for (const [act, requests] of Object.entries(REQUESTS)) {
  Deno.test(`the audit log records in the same commit who could ${SENSITIVE_ACTS[act as SensitiveAct]}`, async () => {
    await using test = await testApp();
    const known = await site(test);
    const commits = auditCommits(test);

    const answers = await Promise.all(requests(known));

    for (const { status, text } of answers) assert(status < 300, `${status} ${text}`);
    const events = commits.flatMap(({ events }) => events);
    assertEquals(events.length, answers.length);
    if (act !== "fullToken") assertEquals([...new Set(events)], [act]);
    for (const { others } of commits) {
      assertEquals(others > 0, !READING.has(act), "rows of the act beside the row of the log");
    }
  });
}

Deno.test("the audit log records in the same commit who sees a new secret", async () => {
  await using test = await testApp();
  const { token } = await site(test);
  const hook = { name: "H", url: "https://example.org/", events: ["media.changed"] };
  const commits = auditCommits(test);

  const made = answered(
    await test.admin("POST", "/tokens", { name: "T", scopes: ["*"] }),
    201,
  );
  answered(await test.admin("POST", `/tokens/${token}/rotate`, {}), 200);
  answered(await test.admin("DELETE", `/tokens/${made.id}`), 204);
  const { id } = answered(await test.admin("POST", "/webhooks", hook), 201);
  answered(await test.admin("POST", `/webhooks/${id}/rotate-secret`, {}), 200);

  assertEquals(commits.map(({ events }) => events), [
    ["token_created"],
    ["token_rotated"],
    ["token_revoked"],
    ["webhook_secret"],
    ["webhook_secret"],
  ]);
  assertEquals(commits.filter(({ others }) => others === 0), []);
  const { data } = (await test.admin("GET", `/audit?tokenId=${made.id}`)).json;
  assertEquals(data.map(({ event }: { event: string }) => event), [
    "token_revoked",
    "token_created",
  ]);
});

Deno.test("the audit log records who changes their own password, in the same commit", async () => {
  await using test = await testApp();
  const { userId } = await site(test);
  const commits = auditCommits(test);
  const body = { password: "another password", currentPassword: ADA.password };

  answered(await test.admin("PATCH", `/users/${userId}`, body), 200);

  assertEquals(commits.map(({ events }) => events), [["password"]]);
  assert(commits[0]!.others > 0);
});

Deno.test("an act whose commit was answered too late is recorded once", async () => {
  await using test = await testApp();
  await site(test);
  const { driver } = test.context.store;
  const { commit } = driver;
  let lost = 0;
  driver.commit = async (operation) => {
    const result = await commit.call(driver, operation);
    if (lost > 0 || !operation.sets.some(({ key }) => key[0] === "audit")) return result;
    lost += 1;
    throw new StoreUnavailable("the answer was lost");
  };
  answered(await test.admin("POST", "/tokens", { name: "T", scopes: ["*"] }), 201);
  driver.commit = commit;

  assertEquals(lost, 1);
  const { data } = (await test.admin("GET", "/audit?event=token_created")).json;
  const { data: tokens } = (await test.admin("GET", "/tokens")).json;
  assertEquals([data.length, tokens.length], [2, 2]);
});

/** The commits from now on that add to the audit log: their events, and how many other rows they write. */
function auditCommits({ context: { store: { driver } } }: TestApp) {
  const commits: { events: string[]; others: number }[] = [];
  const { commit } = driver;
  driver.commit = async (operation) => {
    const result = await commit.call(driver, operation);
    // A row of the log has its stamps beside it, and may have a row that waits for its webhook messages.
    const own = operation.sets.filter(({ key }) => /^(?:audit|counted)/.test(String(key[0])));
    const rows = operation.sets.filter(({ key }) => key[0] === "audit");
    if (result.ok && rows.length > 0) {
      const events = rows.map(({ value }) => (value as { event: string }).event);
      commits.push({ events, others: operation.mutations - own.length });
    }
    return result;
  };
  return commits;
}

Deno.test("the list of sensitive acts and the requests of this test are the same", () => {
  assertEquals(Object.keys(REQUESTS).sort(), Object.keys(SENSITIVE_ACTS).sort());
});

Deno.test("changes that are not sensitive need no proof, and neither does an unchanged value", async () => {
  await using test = await testApp();
  const { userId, bo } = await site(test);
  const { json: before } = await test.admin("GET", "/settings");
  test.context.advance(PROOF_SECONDS * 1000);
  const unchanged = {
    "site.url": before["site.url"],
    "site.title": "New",
    "packages.publishers": [],
  };
  const answers = [
    await test.admin("PATCH", `/users/${userId}`, { displayName: "Ada L.", email: ADA.email }),
    await test.admin("PATCH", `/users/${bo}`, { roles: ["author"] }),
    await test.admin("PATCH", "/settings", unchanged),
    await test.admin("GET", "/exports"),
  ];
  assertEquals(answers.map(({ status }) => status), [200, 200, 200, 200]);
});

Deno.test("POST /api/admin/session/prove bounds guesses, and proves one session alone", async () => {
  await using context = await testContext();
  const { app, admin, userId } = await setUpSite(peopleOf(context));
  const thief = new Client(app);
  await thief.ask("POST", "/session", { email: FIRST.email, password: FIRST.password });
  context.advance(PROOF_SECONDS * 1000);
  const move = { email: "thief@example.org" };

  assertEquals(
    (await admin.ask("POST", "/session/prove", { password: FIRST.password })).status,
    200,
  );
  assertEquals((await admin.ask("PATCH", `/users/${userId}`, move)).status, 200);
  assertEquals((await thief.ask("PATCH", `/users/${userId}`, move)).status, 403);
  for (let tried = 0; tried < 9; tried++) {
    const { status } = await thief.ask("POST", "/session/prove", { password: `guess ${tried}` });
    assertEquals(status, 401);
  }
  const late = await thief.ask("POST", "/session/prove", { password: FIRST.password });
  assertEquals(late.status, 429);
});

async function mails(context: Context): Promise<unknown[]> {
  const { jobs } = await listJobs(context.store, { type: "SEND_MAIL", page: 1, perPage: 50 });
  return jobs.map(({ payload }) => payload).reverse();
}

Deno.test("a new address takes effect when it is confirmed from its own mail, and the old one is notified", async () => {
  await using context = await testContext();
  const people = peopleOf(context);
  const { app, admin, userId } = await setUpSite(people);
  const email = "new@example.org";

  const asked = await admin.ask("PATCH", `/users/${userId}`, { email });
  assertEquals([asked.status, asked.body.email, asked.body.pendingEmail], [
    200,
    FIRST.email,
    email,
  ]);
  assertEquals(await mails(context), [{ kind: "address_confirmation", userId, email }]);
  const reset = await new Client(app).ask("POST", "/password-reset", { email });
  assertEquals(reset.status, 202);
  assertEquals((await mails(context)).length, 1);

  const { token } = (await issueAddressChange(people, userId, email))!;
  const other = (await issueAddressChange(people, userId, "other@example.org"))!;
  const confirm = (given: string) =>
    new Client(app).ask("POST", "/address-confirmation", { token: given });
  const password = "an entirely new one";
  const wrongUse = await new Client(app).ask("POST", "/password-reset/confirm", {
    token,
    password,
  });
  assertEquals(wrongUse.status, 422);
  assertEquals((await confirm("a".repeat(32))).status, 422);
  assertEquals((await confirm(token)).status, 204);
  assertEquals((await confirm(token)).status, 422);
  assertEquals((await confirm(other.token)).status, 422);
  assertEquals((await admin.ask("GET", "/session")).body.user.email, email);
  assertEquals((await mails(context)).at(-1), {
    kind: "address_changed",
    userId,
    email: FIRST.email,
  });
});

Deno.test("an address that another user has is answered like any other, without a mail", async () => {
  await using context = await testContext();
  const { app, admin } = await setUpSite(peopleOf(context));
  const { client, id } = await signedInUser(app, admin, "bo@example.org", ["viewer"]);
  const ask = async (email: string) => {
    const { status, body: { pendingEmail, ...user } } = await client.ask("PATCH", `/users/${id}`, {
      email,
    });
    return [status, pendingEmail === email, user];
  };

  assertEquals(await ask(FIRST.email), await ask("free@example.org"));
  assertEquals((await mails(context)).length, 1);
  const seen = await admin.ask("PATCH", `/users/${id}`, { email: FIRST.email });
  assertEquals([seen.status, seen.body.error.details[0].code], [409, "NOT_UNIQUE"]);
});

Deno.test("every change of password and roles is mailed to the user at their previous address", async () => {
  await using context = await testContext();
  const people = peopleOf(context);
  const { app, admin } = await setUpSite(people);
  const { id } = await signedInUser(app, admin, "bo@example.org", ["viewer"]);
  const told = async () =>
    (await mails(context)).splice(0).map((mail) => (mail as { kind: string }).kind);

  await admin.ask("PATCH", `/users/${id}`, { displayName: "Bodil" });
  assertEquals(await told(), []);
  await admin.ask("PATCH", `/users/${id}`, { roles: ["editor"] });
  await admin.ask("PATCH", `/users/${id}`, { roles: ["editor"], password: "another horse now" });
  assertEquals(await told(), ["roles_changed", "password_changed"]);
});

Deno.test("the address of a user who has not signed in yet changes at once, and voids the former invitation", async () => {
  await using context = await testContext();
  const { app, admin } = await setUpSite(peopleOf(context));
  const { body: { id } } = await admin.ask("POST", "/users", {
    email: "wrng@example.org",
    displayName: "In",
    roles: ["editor"],
  });
  const { body: { url } } = await admin.ask("POST", `/users/${id}/invitation`, {});

  const { body } = await admin.ask("PATCH", `/users/${id}`, { email: "right@example.org" });

  assertEquals(body.email, "right@example.org");
  assertEquals((await mails(context)).length, 2);
  const [, token] = url.split("#token=");
  const used = await new Client(app).ask("POST", "/password-reset/confirm", {
    token,
    password: "twelve chars or more",
  });
  assertEquals(used.status, 422);
});
