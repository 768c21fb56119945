import { assertEquals } from "@std/assert";
import { BUILT_IN_ROLES, PERMISSION_NAMES } from "../../../../kv/model/entities/permission.ts";
import { testContext } from "../../../support/harness/context.ts";
import { peopleOf, setUpSite, signedInUser } from "../../../support/sites/people.ts";

const REVIEWER = { name: "Reviewer", permissions: ["versions.read", "documents.read"] };

Deno.test("GET /api/admin/roles lists the built-in roles first", async () => {
  await using context = await testContext();
  const { admin } = await setUpSite(peopleOf(context));
  await admin.ask("POST", "/roles", { name: "aaa", permissions: [] });

  const { body } = await admin.ask("GET", "/roles");

  const names = body.data.map(({ name }: { name: string }) => name);
  assertEquals(names, ["administrator", "author", "editor", "viewer", "aaa"]);
  assertEquals(body.data[0].permissions, PERMISSION_NAMES);
  assertEquals(Object.keys(body.data[0]).sort(), [
    "builtIn",
    "createdAt",
    "id",
    "name",
    "permissions",
    "requireSecondFactor",
    "updatedAt",
  ]);
});

Deno.test("POST /api/admin/roles defines a role that opens what it says", async () => {
  await using context = await testContext();
  const { app, admin } = await setUpSite(peopleOf(context));

  const { status, body, headers } = await admin.ask("POST", "/roles", REVIEWER);

  assertEquals(status, 201);
  assertEquals(headers.get("location"), `/api/admin/roles/${body.id}`);
  assertEquals([body.name, body.permissions, body.builtIn], [
    "Reviewer",
    ["documents.read", "versions.read"],
    false,
  ]);
  const { client } = await signedInUser(app, admin, "bo@x.org", ["reviewer"]);
  const { body: session } = await client.ask("GET", "/session");
  assertEquals(session.user.permissions, ["documents.read", "versions.read"]);
  await admin.ask("PATCH", `/roles/${body.id}`, { permissions: ["users.read"] });
  assertEquals((await client.ask("GET", "/users")).status, 200);
});

Deno.test("POST /api/admin/roles refuses a taken name and unknown permissions", async () => {
  await using context = await testContext();
  const { admin } = await setUpSite(peopleOf(context));
  await admin.ask("POST", "/roles", REVIEWER);

  for (const name of ["reviewer", "Reviewer ", "EDITOR"]) {
    const { status, body } = await admin.ask("POST", "/roles", { name, permissions: [] });
    assertEquals([status, body.error.code], [409, "CONFLICT"]);
  }
  const { status, body } = await admin.ask("POST", "/roles", {
    name: "x",
    permissions: ["documents.read", "everything", 5],
  });
  assertEquals(status, 422);
  assertEquals(
    body.error.details.map((one: { field: string; code: string }) => `${one.field} ${one.code}`),
    ["permissions.1 INVALID_CHOICE", "permissions.2 INVALID_TYPE"],
  );
});

Deno.test("PATCH, DELETE /api/admin/roles/{id} leave the built-in roles as they are", async () => {
  await using context = await testContext();
  const { admin } = await setUpSite(peopleOf(context));
  const { body: { data: roles } } = await admin.ask("GET", "/roles");

  for (const role of roles) {
    const answers = [
      await admin.ask("PATCH", `/roles/${role.id}`, { name: "boss" }),
      await admin.ask("PATCH", `/roles/${role.id}`, { permissions: ["jobs.manage"] }),
      await admin.ask("DELETE", `/roles/${role.id}`),
    ];
    assertEquals(answers.map(({ status }) => status), [409, 409, 409]);
    const unchanged = await admin.ask("PATCH", `/roles/${role.id}`, { name: role.name });
    assertEquals([unchanged.status, unchanged.body], [200, role]);
  }
  assertEquals((await admin.ask("GET", "/roles")).body.data, roles);
  assertEquals(Object.keys(BUILT_IN_ROLES).length, roles.length);
});

Deno.test("DELETE /api/admin/roles/{id} refuses while a user has the role", async () => {
  await using context = await testContext();
  const { app, admin } = await setUpSite(peopleOf(context));
  const { body: role } = await admin.ask("POST", "/roles", REVIEWER);
  const { id } = await signedInUser(app, admin, "bo@x.org", ["reviewer"]);

  assertEquals((await admin.ask("DELETE", `/roles/${role.id}`)).status, 409);
  await admin.ask("PATCH", `/users/${id}`, { roles: [] });
  assertEquals((await admin.ask("DELETE", `/roles/${role.id}`)).status, 204);
  assertEquals((await admin.ask("GET", `/roles/${role.id}`)).status, 404);
  assertEquals((await admin.ask("PATCH", `/roles/${role.id}`, {})).status, 404);
});
