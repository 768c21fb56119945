import { assert, assertEquals, assertMatch } from "@std/assert";
import { livingEntities } from "../../../../kv/versioning/entities.ts";
import { listJobs } from "../../../support/harness/list_jobs.ts";
import { ENTITY_TYPES } from "../../../../kv/model/entities/entity_kinds.ts";
import { PERMISSION_NAMES } from "../../../../kv/model/entities/permission.ts";
import { listVersions } from "../../../../kv/versioning/versions.ts";
import { Settings } from "../../../../kv/sources/settings.ts";
import { testApp } from "../../../support/sites/app.ts";
import { testContext } from "../../../support/harness/context.ts";
import { Client, FIRST, peopleApp, peopleOf } from "../../../support/sites/people.ts";

Deno.test("POST /api/admin/setup makes the first administrator and signs them in", async () => {
  await using context = await testContext();
  const admin = new Client(peopleApp(peopleOf(context)));

  assertEquals((await admin.ask("GET", "/setup")).body, { needed: true });
  const { status, body, headers } = await admin.ask("POST", "/setup", FIRST);

  assertEquals(status, 201);
  const { id, createdAt, updatedAt, permissions, ...rest } = body.user;
  assertEquals(Object.keys(body), ["user"]);
  assertEquals(rest, {
    email: "Ada@Example.org",
    displayName: "Ada",
    roles: ["administrator"],
    invited: false,
    disabledAt: null,
    notificationEmails: "immediate",
  });
  assertMatch(id, /^[0-9A-Z]{26}$/);
  assertEquals([createdAt, updatedAt], [context.now() / 1000, context.now() / 1000]);
  assertEquals(permissions, PERMISSION_NAMES);
  assertMatch(
    headers.get("set-cookie")!,
    /^session=[0-9A-Za-z]{32}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Lax$/,
  );
  assertEquals((await admin.ask("GET", "/setup")).body, { needed: false });
  assertEquals((await admin.ask("GET", "/session")).body.user.id, id);
  const settings = new Settings(context);
  assertEquals(await settings.get("site.title"), "The Lantern");
  assertEquals(await settings.get("site.url"), "http://cms.test");
});

Deno.test("POST /api/admin/setup is one commit, versions and all, and starts REBUILD_SEARCH", async () => {
  await using context = await testContext();
  const admin = new Client(peopleApp(peopleOf(context)));
  const { body } = await admin.ask("POST", "/setup", { ...FIRST, seedExample: true });

  const counts: Record<string, number> = {};
  const changedBy = new Set<string | null>();
  for (const type of ENTITY_TYPES) {
    for await (const { id } of livingEntities(context, type)) {
      counts[type] = (counts[type] ?? 0) + 1;
      const { versions } = await listVersions(context, type, id, { skip: 0, limit: 9 });
      assertEquals(versions.map((version) => version.version_number), [1]);
      changedBy.add(versions[0]!.changed_by);
    }
  }
  const { jobs } = await listJobs(context.store, { page: 1, perPage: 9 });

  assertEquals(counts, {
    user: 1,
    role: 4,
    permission: PERMISSION_NAMES.length,
    user_role: 1,
    setting: 2,
  });
  assertEquals([...changedBy], [body.user.id]);
  const types = jobs.map(({ type }) => type).sort();
  assertEquals(types, ["REBUILD_SEARCH", "RENDER_SITE", "SEED"]);
});

Deno.test("POST /api/admin/setup is refused with a wrong code, and changes nothing", async () => {
  await using context = await testContext();
  const admin = new Client(peopleApp(peopleOf(context)));

  const { status, body } = await admin.ask("POST", "/setup", { ...FIRST, code: "let-me-im" });

  assertEquals([status, body.error.code], [403, "FORBIDDEN"]);
  assertEquals((await admin.ask("GET", "/setup")).body, { needed: true });
});

Deno.test("POST /api/admin/setup limits guesses of the code", async () => {
  await using context = await testContext();
  const admin = new Client(peopleApp(peopleOf(context)));
  for (let n = 0; n < 10; n++) await admin.ask("POST", "/setup", { ...FIRST, code: `${n}` });

  const { status, headers } = await admin.ask("POST", "/setup", FIRST);

  assertEquals([status, headers.get("retry-after")], [429, "900"]);
});

Deno.test("POST /api/admin/setup tells all that is wrong with the body", async () => {
  await using context = await testContext();
  const admin = new Client(peopleApp(peopleOf(context)));

  const { status, body } = await admin.ask("POST", "/setup", {
    code: "x",
    email: "nobody",
    displayName: "  ",
    password: "eleven char",
    extra: 1,
  });

  assertEquals([status, body.error.code], [422, "VALIDATION_FAILED"]);
  const details = body.error.details.map((one: { field: string; code: string }) =>
    `${one.field} ${one.code}`
  );
  assertEquals(details.sort(), [
    "displayName PATTERN_MISMATCH",
    "email PATTERN_MISMATCH",
    "extra UNKNOWN_KEY",
    "password TOO_SHORT",
    "siteTitle REQUIRED",
  ]);
});

Deno.test("POST /api/admin/setup is 409 once done, whatever the body", async () => {
  await using context = await testContext();
  const app = peopleApp(peopleOf(context));
  await new Client(app).ask("POST", "/setup", FIRST);
  const late = new Client(app);

  for (const body of [FIRST, { ...FIRST, code: "wrong" }, {}]) {
    const answer = await late.ask("POST", "/setup", body);
    assertEquals([answer.status, answer.body.error.code], [409, "CONFLICT"]);
  }
  assertEquals(late.cookie, null);
});

Deno.test("POST /api/admin/setup takes effect once when two processes do it at the same time", async () => {
  await using context = await testContext();
  const clients = [1, 2, 3].map(() => new Client(peopleApp(peopleOf(context))));

  const answers = await Promise.all(
    clients.map((client, n) =>
      client.ask("POST", "/setup", { ...FIRST, email: `admin${n}@example.org` })
    ),
  );

  assertEquals(answers.map(({ status }) => status).sort(), [201, 409, 409]);
  const access = await peopleOf(context).access.current();
  assertEquals([access.users.size, access.roles.size, access.grants.size], [1, 4, 1]);
});

Deno.test("POST /api/admin/setup over HTTPS binds the cookie to the host", async () => {
  await using context = await testContext();
  const app = peopleApp(peopleOf(context), { trustProxy: 1 });
  const admin = new Client(app);
  const forwarded = { "x-forwarded-proto": "https", "x-forwarded-host": "cms.example.org" };

  const { headers } = await admin.ask("POST", "/setup", FIRST, forwarded);

  const cookie = headers.get("set-cookie")!;
  assert(cookie.startsWith("__Host-session="));
  assertEquals(cookie.split("; ").slice(1).sort(), [
    "HttpOnly",
    "Max-Age=43200",
    "Path=/",
    "SameSite=Lax",
    "Secure",
  ]);
  assertEquals(await new Settings(context).get("site.url"), "https://cms.example.org");
  assertEquals((await admin.ask("GET", "/session", undefined, forwarded)).status, 200);
  assertEquals((await admin.ask("GET", "/session")).status, 401);
});

Deno.test("POST /api/admin/setup/code says whether a code is right, and counts as an attempt", async () => {
  await using test = await testApp();
  const ask = async (code: string) => {
    const { status } = await test.call("POST", "/api/admin/setup/code", {
      body: { code },
      address: "192.0.2.7",
    });
    return status;
  };
  assertEquals([await ask("setup-code"), await ask("wrong")], [204, 403]);
  for (let n = 2; n < 10; n++) await ask("wrong");
  assertEquals(await ask("setup-code"), 429);
  await test.setUp();
  const late = await test.call("POST", "/api/admin/setup/code", { body: { code: "setup-code" } });
  assertEquals(late.status, 409);
});
