import { assert, assertEquals } from "@std/assert";
import type { Json } from "../../../../kv/model/entities/entity.ts";

import { getVersion, listVersions } from "../../../../kv/versioning/versions.ts";
import { SIGN_IN_ATTEMPTS_MAX } from "../../../../kv/limits/people.ts";
import { testContext } from "../../../support/harness/context.ts";
import {
  Client,
  FIRST,
  peopleApp,
  peopleOf,
  setUpSite,
  signedInUser,
} from "../../../support/sites/people.ts";

const BO = {
  email: "bo@example.org",
  displayName: "Bo",
  password: "twelve chars",
  roles: ["editor", "viewer"],
};

Deno.test("POST /api/admin/users creates a user with their roles", async () => {
  await using context = await testContext();
  const { admin } = await setUpSite(peopleOf(context));

  const { status, body, headers } = await admin.ask("POST", "/users", BO);

  assertEquals(status, 201);
  assertEquals(headers.get("location"), `/api/admin/users/${body.id}`);
  const { id: _id, createdAt: _createdAt, updatedAt: _updatedAt, ...rest } = body;
  assertEquals(rest, {
    email: "bo@example.org",
    displayName: "Bo",
    roles: ["editor", "viewer"],
    invited: false,
    disabledAt: null,
    notificationEmails: "immediate",
  });
  assertEquals((await admin.ask("GET", `/users/${body.id}`)).body, body);
  const list = (await admin.ask("GET", "/users?perPage=1&page=2")).body;
  assertEquals(list, { data: [body], meta: { page: 2, perPage: 1, total: 2 } });
});

Deno.test("POST /api/admin/users refuses an address that is taken in another case", async () => {
  await using context = await testContext();
  const { admin } = await setUpSite(peopleOf(context));

  const { status, body } = await admin.ask("POST", "/users", { ...BO, email: "ADA@example.ORG" });

  assertEquals([status, body.error.code], [409, "CONFLICT"]);
  assertEquals(body.error.details[0].code, "NOT_UNIQUE");
});

Deno.test("POST /api/admin/users gives an address once, even to two processes at once", async () => {
  await using context = await testContext();
  const { admin } = await setUpSite(peopleOf(context));
  const other = new Client(peopleApp(peopleOf(context)));
  other.cookie = admin.cookie;

  const answers = await Promise.all([
    admin.ask("POST", "/users", BO),
    other.ask("POST", "/users", { ...BO, email: "BO@example.org" }),
    admin.ask("POST", "/users", { ...BO, email: "Bo@example.org" }),
  ]);

  assertEquals(answers.map(({ status }) => status).sort(), [201, 409, 409]);
});

Deno.test("POST /api/admin/users tells each bad field", async () => {
  await using context = await testContext();
  const { admin } = await setUpSite(peopleOf(context));
  const details = async (body: Record<string, unknown>) => {
    const answer = await admin.ask("POST", "/users", body);
    assertEquals([answer.status, answer.body.error.code], [422, "VALIDATION_FAILED"]);
    return answer.body.error.details.map((one: { field: string; code: string }) =>
      `${one.field} ${one.code}`
    );
  };

  assertEquals(await details({}), ["email REQUIRED", "displayName REQUIRED", "roles REQUIRED"]);
  assertEquals(await details({ ...BO, roles: ["editor", "king", "queen"] }), [
    "roles.1 INVALID_CHOICE",
    "roles.2 INVALID_CHOICE",
  ]);
  assertEquals(await details({ ...BO, password: "eleven char" }), ["password TOO_SHORT"]);
  assertEquals(await details({ ...BO, password: "é".repeat(201) }), ["password TOO_LONG"]);
  assertEquals(await details({ ...BO, password: "😀".repeat(11) }), ["password TOO_SHORT"]);
  assertEquals(await details({ ...BO, passwordHash: "x" }), ["passwordHash UNKNOWN_KEY"]);
  assertEquals(await details({ ...BO, displayName: "a\nb" }), ["displayName PATTERN_MISMATCH"]);
  assertEquals(
    (await admin.ask("POST", "/users", { ...BO, password: "😀".repeat(200) })).status,
    201,
  );
});

Deno.test("PATCH /api/admin/users/{id} changes the given members, and records nothing for an empty patch", async () => {
  await using context = await testContext();
  const { admin } = await setUpSite(peopleOf(context));
  const { body: bo } = await admin.ask("POST", "/users", BO);
  context.advance(5_000);

  const same = await admin.ask("PATCH", `/users/${bo.id}`, {
    displayName: "Bo",
    roles: ["viewer", "editor"],
  });
  const changed = await admin.ask("PATCH", `/users/${bo.id}`, {
    displayName: "Bodil",
    roles: ["author"],
  });

  assertEquals([same.status, same.body], [200, bo]);
  assertEquals(changed.body, {
    ...bo,
    displayName: "Bodil",
    roles: ["author"],
    updatedAt: bo.updatedAt + 5,
  });
  const { total } = await listVersions(context, "user", bo.id, { skip: 0, limit: 9 });
  assertEquals(total, 2);
});

Deno.test("PATCH /api/admin/users/{id} with a password ends the other sessions and keeps this one", async () => {
  await using context = await testContext();
  const { app, admin, userId } = await setUpSite(peopleOf(context));
  const other = new Client(app);
  await other.ask("POST", "/session", { email: FIRST.email, password: FIRST.password });

  const { status } = await admin.ask("PATCH", `/users/${userId}`, {
    password: "another horse now",
  });

  assertEquals(status, 200);
  assertEquals((await admin.ask("GET", "/session")).status, 200);
  assertEquals((await other.ask("GET", "/session")).status, 401);
});

Deno.test("PATCH /api/admin/users/{id} with another user's password ends all of their sessions", async () => {
  await using context = await testContext();
  const { app, admin } = await setUpSite(peopleOf(context));
  const { client, id } = await signedInUser(app, admin, "bo@example.org", ["editor"]);

  await admin.ask("PATCH", `/users/${id}`, { password: "another horse now" });

  assertEquals((await client.ask("GET", "/session")).status, 401);
  assertEquals((await admin.ask("GET", "/session")).status, 200);
});

Deno.test("PATCH /api/admin/users/{id} lets everybody change their own user, but not their roles", async () => {
  await using context = await testContext();
  const { app, admin, userId } = await setUpSite(peopleOf(context));
  const { client, id } = await signedInUser(app, admin, "bo@example.org", ["viewer"]);

  const own = await client.ask("PATCH", `/users/${id}`, { displayName: "Bodil" });
  assertEquals([own.status, own.body.displayName], [200, "Bodil"]);
  assertEquals((await client.ask("GET", `/users/${id}`)).status, 200);
  const refused = [
    await client.ask("PATCH", `/users/${id}`, { roles: ["administrator"] }),
    await client.ask("PATCH", `/users/${userId}`, { displayName: "Eve" }),
    await client.ask("GET", `/users/${userId}`),
    await client.ask("GET", "/users"),
    await client.ask("POST", "/users", BO),
    await client.ask("DELETE", `/users/${id}`),
    await client.ask("GET", "/roles"),
    await client.ask("POST", "/roles", { name: "x", permissions: [] }),
  ];
  assertEquals(refused.map(({ status }) => status), refused.map(() => 403));
});

Deno.test("PATCH /api/admin/users/{id} gives, changes and takes away nothing that one does not have", async () => {
  await using context = await testContext();
  const { app, admin, userId } = await setUpSite(peopleOf(context));
  await admin.ask("POST", "/roles", {
    name: "host",
    permissions: ["users.read", "users.manage", "roles.manage", "documents.read"],
  });
  const { client: host, id } = await signedInUser(app, admin, "bo@example.org", ["host"]);

  const refused = [
    await host.ask("PATCH", `/users/${id}`, { roles: ["administrator"] }),
    await host.ask("PATCH", `/users/${id}`, { roles: ["host", "editor"] }),
    await host.ask("PATCH", `/users/${userId}`, { password: "twelve chars" }),
    await host.ask("DELETE", `/users/${userId}`),
    await host.ask("POST", "/users", { ...BO, email: "c@x.org", roles: ["administrator"] }),
    await host.ask("POST", "/roles", { name: "sly", permissions: ["tokens.manage"] }),
  ];
  assertEquals(refused.map(({ status }) => status), refused.map(() => 403));
  const allowed = await host.ask("POST", "/users", { ...BO, email: "c@x.org", roles: ["host"] });
  assertEquals(allowed.status, 201);
  assertEquals((await host.ask("DELETE", `/users/${allowed.body.id}`)).status, 204);
});

Deno.test("DELETE /api/admin/users/{id} takes the user and their roles away, and keeps their history", async () => {
  await using context = await testContext();
  const people = peopleOf(context);
  const { app, admin } = await setUpSite(people);
  const { client, id } = await signedInUser(app, admin, "bo@example.org", ["editor"]);

  const { status, body } = await admin.ask("DELETE", `/users/${id}`);

  assertEquals([status, body], [204, null]);
  assertEquals((await admin.ask("GET", `/users/${id}`)).status, 404);
  assertEquals((await admin.ask("DELETE", `/users/${id}`)).status, 404);
  assertEquals((await client.ask("GET", "/session")).status, 401);
  assertEquals((await people.access.current()).grants.size, 1);
  const { versions } = await listVersions(context, "user", id, { skip: 0, limit: 9 });
  assertEquals(versions.length, 2);
  assertEquals((await getVersion(context, versions[0]!.id)).state, null);
  assert(!JSON.stringify(await getVersion(context, versions[1]!.id)).includes("scrypt"));
  assertEquals((await admin.ask("POST", "/users", BO)).status, 201);
});

Deno.test("the last administrator who can sign in is neither deleted nor demoted", async () => {
  await using context = await testContext();
  const { app, admin, userId } = await setUpSite(peopleOf(context));
  await admin.ask("POST", "/users", {
    email: "invited@x.org",
    displayName: "Invited",
    roles: ["administrator"],
  });
  const codes = [
    await admin.ask("DELETE", `/users/${userId}`),
    await admin.ask("PATCH", `/users/${userId}`, { roles: [] }),
    await admin.ask("PATCH", `/users/${userId}`, { roles: ["editor"] }),
  ].map(({ status, body }) => [status, body.error.code]);
  assertEquals(codes, codes.map(() => [409, "CONFLICT"]));

  const { client } = await signedInUser(app, admin, "second@x.org", ["administrator"]);
  assertEquals((await client.ask("DELETE", `/users/${userId}`)).status, 204);
});

Deno.test("two administrators who delete one another at once leave one", async () => {
  await using context = await testContext();
  const { app, admin, userId } = await setUpSite(peopleOf(context));
  const second = await signedInUser(app, admin, "second@x.org", ["administrator"]);
  const elsewhere = new Client(peopleApp(peopleOf(context)));
  elsewhere.cookie = second.client.cookie;
  await elsewhere.ask("GET", "/session");

  const answers = await Promise.all([
    admin.ask("DELETE", `/users/${second.id}`),
    elsewhere.ask("DELETE", `/users/${userId}`),
  ]);

  assertEquals(answers.filter(({ status }) => status === 204).length, 1);
  assertEquals((await peopleOf(context).access.current()).administrators().length, 1);
});

Deno.test("PATCH /api/admin/users/{id} with one's own password asks an older session for the present one", async () => {
  await using context = await testContext();
  const { admin, userId } = await setUpSite(peopleOf(context));
  context.advance(16 * 60_000);
  const change = (body: Json) => admin.ask("PATCH", `/users/${userId}`, body);
  const password = "another horse now";

  const silent = await change({ password });
  const wrong = await change({ password, currentPassword: "wrong horse battery" });
  const renamed = await change({ displayName: "Ada L." });
  const right = await change({ password, currentPassword: FIRST.password });

  const detail = { field: "currentPassword", message: "Enter your current password too" };
  assertEquals(silent.status, 422);
  assertEquals(silent.body.error.details, [{ ...detail, code: "REQUIRED" }]);
  assertEquals([wrong.status, wrong.body.error.details[0].field], [422, "currentPassword"]);
  assertEquals([renamed.status, right.status], [200, 200]);
  assertEquals((await admin.ask("GET", "/session")).status, 200);
});

Deno.test("PATCH /api/admin/users/{id} bounds guesses at the present password", async () => {
  await using context = await testContext();
  const { admin, userId } = await setUpSite(peopleOf(context));
  const guess = { password: "another horse now", currentPassword: "wrong horse battery" };

  for (let tried = 0; tried < SIGN_IN_ATTEMPTS_MAX; tried++) {
    assertEquals((await admin.ask("PATCH", `/users/${userId}`, guess)).status, 422);
  }

  const right = { ...guess, currentPassword: FIRST.password };
  assertEquals((await admin.ask("PATCH", `/users/${userId}`, right)).status, 429);
});

Deno.test("POST /api/admin/users/{id}/invitation answers a link that works once, until it is accepted", async () => {
  await using context = await testContext();
  const { app, admin } = await setUpSite(peopleOf(context));
  const { email, displayName, roles } = BO;
  const { body: bo } = await admin.ask("POST", "/users", { email, displayName, roles });

  const { status, body } = await admin.ask("POST", `/users/${bo.id}/invitation`, {});
  const [address, token] = body.url.split("#token=");
  const bodyOf = { token, password: "twelve chars or more" };
  const accepted = await new Client(app).ask("POST", "/password-reset/confirm", bodyOf);
  const again = await new Client(app).ask("POST", "/password-reset/confirm", bodyOf);
  const late = await admin.ask("POST", `/users/${bo.id}/invitation`, {});
  const unknown = await admin.ask("POST", `/users/${context.newId(context.now())}/invitation`, {});

  assertEquals(status, 201);
  assertEquals(address, "http://cms.test/admin/choose-password");
  assertEquals(body.expiresAt, Math.floor(context.now() / 1000) + 3_600);
  assertEquals([accepted.status, again.status, late.status, unknown.status], [204, 422, 409, 404]);
});
