import { assert, assertEquals } from "@std/assert";
import { listJobs } from "../../../support/harness/list_jobs.ts";
import { testContext } from "../../../support/harness/context.ts";
import {
  Client,
  FIRST,
  mailedToken,
  peopleApp,
  peopleOf,
  setUpSite,
} from "../../../support/sites/people.ts";
import type { Context } from "../../../../kv/context.ts";

const NEW = "an entirely new one";

async function mails(context: Context): Promise<unknown[]> {
  const { jobs } = await listJobs(context.store, { type: "SEND_MAIL", page: 1, perPage: 50 });
  return jobs.map(({ payload }) => payload);
}

Deno.test("POST /api/admin/password-reset is 202 for everybody and mails users alone", async () => {
  await using context = await testContext();
  const { app, userId } = await setUpSite(peopleOf(context));
  const client = new Client(app);

  const answers = [];
  for (const email of ["ada@example.org", "nobody@example.org", "no address"]) {
    answers.push(await client.ask("POST", "/password-reset", { email }));
  }

  assertEquals(answers.map(({ status, body }) => [status, body]), [[202, {}], [202, {}], [
    202,
    {},
  ]]);
  assertEquals(await mails(context), [{ kind: "password_reset", userId }]);
});

Deno.test("POST /api/admin/password-reset costs the same round trips for an unknown user", async () => {
  await using context = await testContext();
  const { app } = await setUpSite(peopleOf(context));
  const cost = async (email: string, address: string) => {
    const before = { ...context.store.counts };
    await new Client(app, { address }).ask("POST", "/password-reset", { email });
    const { reads, commits, lists } = context.store.counts;
    return [reads - before.reads, commits - before.commits, lists - before.lists];
  };
  await cost("warm@example.org", "203.0.113.1");

  assertEquals(
    await cost("ada@example.org", "203.0.113.2"),
    await cost("nobody@example.org", "203.0.113.3"),
  );
});

Deno.test("POST /api/admin/password-reset sends nothing beyond the limit, and says 202", async () => {
  await using context = await testContext();
  const { app } = await setUpSite(peopleOf(context));
  const ask = (address: string, email: string) =>
    new Client(app, { address }).ask("POST", "/password-reset", { email });

  for (let n = 0; n < 13; n++) {
    assertEquals((await ask(`203.0.113.${n}`, FIRST.email)).status, 202);
  }
  assertEquals((await mails(context)).length, 10);
  // The buckets of signing in are others.
  const { email, password } = FIRST;
  assertEquals((await new Client(app).ask("POST", "/session", { email, password })).status, 200);
});

Deno.test("POST /api/admin/password-reset/confirm sets the password and ends every session", async () => {
  await using context = await testContext();
  const people = peopleOf(context);
  const { app, admin, userId } = await setUpSite(people);
  const client = new Client(app);
  const token = await mailedToken(people, userId);

  const { status, body } = await client.ask("POST", "/password-reset/confirm", {
    token,
    password: NEW,
  });

  assertEquals([status, body], [204, null]);
  assertEquals((await admin.ask("GET", "/session")).status, 401);
  const { email, password } = FIRST;
  assertEquals((await client.ask("POST", "/session", { email, password })).status, 401);
  assertEquals((await client.ask("POST", "/session", { email, password: NEW })).status, 200);
});

Deno.test("POST /api/admin/password-reset/confirm takes a token once, even in two processes at once", async () => {
  await using context = await testContext();
  const people = peopleOf(context);
  const { userId } = await setUpSite(people);
  const token = await mailedToken(people, userId);
  const clients = [1, 2, 3].map(() => new Client(peopleApp(peopleOf(context))));

  const answers = await Promise.all(
    clients.map((client, n) =>
      client.ask("POST", "/password-reset/confirm", { token, password: `${NEW} ${n}` })
    ),
  );

  assertEquals(answers.map(({ status }) => status).sort(), [204, 422, 422]);
  const refused = answers.find(({ status }) => status === 422)!;
  assertEquals(refused.body.error.details[0].field, "token");
  assertEquals(refused.body.error.code, "VALIDATION_FAILED");
});

Deno.test("POST /api/admin/password-reset/confirm refuses tokens that are old, made up or overtaken", async () => {
  await using context = await testContext();
  const people = peopleOf(context);
  const { app, userId } = await setUpSite(people);
  const client = new Client(app);
  const confirm = async (token: string) =>
    (await client.ask("POST", "/password-reset/confirm", { token, password: NEW })).status;
  const [first, second] = [await mailedToken(people, userId), await mailedToken(people, userId)];

  assertEquals(await confirm("a".repeat(32)), 422);
  assertEquals(await confirm(""), 422);
  assertEquals(await confirm("ada@example.org"), 422);
  assertEquals(await confirm(first), 204);
  assertEquals(await confirm(second), 422);

  const third = await mailedToken(people, userId);
  const fourth = await mailedToken(people, userId);
  context.advance(3_599_000);
  assertEquals(await confirm(third), 204);
  const fifth = await mailedToken(people, userId);
  context.advance(3_600_000);
  assertEquals(await confirm(fifth), 422);
  assert(fourth !== fifth);
});

Deno.test("POST /api/admin/password-reset/confirm keeps the token when the password is refused", async () => {
  await using context = await testContext();
  const people = peopleOf(context);
  const { app, userId } = await setUpSite(people);
  const client = new Client(app);
  const token = await mailedToken(people, userId);

  for (const password of ["short", "x".repeat(201), 5, null]) {
    const { status, body } = await client.ask("POST", "/password-reset/confirm", {
      token,
      password,
    });
    assertEquals([status, body.error.details[0].field], [422, "password"]);
  }
  assertEquals(
    (await client.ask("POST", "/password-reset/confirm", { token, password: NEW })).status,
    204,
  );
});

Deno.test("POST /api/admin/users without a password invites, and the invitation is accepted the same way", async () => {
  await using context = await testContext();
  const people = peopleOf(context);
  const { app, admin } = await setUpSite(people);

  const { body: user } = await admin.ask("POST", "/users", {
    email: "new@example.org",
    displayName: "New",
    roles: ["author"],
  });
  assertEquals(user.invited, true);
  assertEquals(await mails(context), [{ kind: "invitation", userId: user.id }]);
  const client = new Client(app);
  const token = await mailedToken(people, user.id);
  await client.ask("POST", "/password-reset/confirm", { token, password: NEW });

  const { body } = await client.ask("POST", "/session", {
    email: "new@example.org",
    password: NEW,
  });
  assertEquals([body.user.invited, body.user.roles], [false, ["author"]]);
});
