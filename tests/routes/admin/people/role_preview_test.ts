/** Previews of roles: a session has the rights of one role, never more than its user's own, until it ends them. */
import { assert, assertEquals } from "../../../support/harness/assert.ts";
import { answered } from "../../../support/sites/admin_answers.ts";
import { testApp } from "../../../support/sites/app.ts";
import { ADMIN, type Admin, setUpAdmin, signIn } from "../../../support/sites/backups.ts";

const PASSWORD = "a password of some length";

async function team() {
  const app = await testApp();
  const ada = await setUpAdmin(app);
  const join = async (name: string, roles: string[]) => {
    const facts = { email: `${name}@example.org`, password: PASSWORD, displayName: name };
    const { id } = answered(await ada.ask("POST", "/users", { ...facts, roles }), 201);
    return { ...await signIn(app, facts), id: id as string };
  };
  return { app, ada, join, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() };
}

const preview = (user: Admin, role: string) => user.ask("PUT", "/session/preview", { role });

async function permissionsOf(user: Admin): Promise<string[]> {
  return answered(await user.ask("GET", "/session"), 200).user.permissions;
}

Deno.test("a previewed role replaces the rights of its session alone, until the preview ends", async () => {
  await using site = await team();
  const { app, ada } = site;
  const elsewhere = await signIn(app, ADMIN);
  const all = await permissionsOf(ada);

  assertEquals(answered(await preview(ada, "Author"), 200), { previewedRole: "author" });
  const { previewedRole, user } = answered(await ada.ask("GET", "/session"), 200);
  assertEquals([previewedRole, user.displayName], ["author", ADMIN.displayName]);
  assert(user.permissions.includes("documents.write"));
  assert(!user.permissions.includes("documents.publish"));
  assertEquals((await ada.ask("GET", "/users")).status, 403);
  assertEquals((await ada.ask("POST", "/collections", { slug: "a", name: "A" })).status, 403);
  assertEquals((await preview(ada, "editor")).status, 403, "authors do not see roles");
  assertEquals(await permissionsOf(elsewhere), all);

  assertEquals((await ada.ask("DELETE", "/session/preview")).status, 204);
  assertEquals(await permissionsOf(ada), all);
  assertEquals(answered(await ada.ask("GET", "/session"), 200).previewedRole, undefined);
});

Deno.test("what is done in a preview is recorded under the user's own name", async () => {
  await using site = await team();
  const { ada } = site;
  answered(await ada.ask("POST", "/collections", { slug: "notes", name: "Notes" }), 201);
  answered(await preview(ada, "author"), 200);

  const { id } = answered(
    await ada.ask("POST", "/documents", { collection: "notes", title: "One" }),
    201,
  );
  assertEquals((await ada.ask("POST", `/documents/${id}/publish`)).status, 403);

  answered(await ada.ask("DELETE", "/session/preview"), 204);
  const { data } = answered(await ada.ask("GET", `/versions/document/${id}`), 200);
  const me = answered(await ada.ask("GET", "/session"), 200).user;
  assertEquals(data.map((one: { changed_by: string }) => one.changed_by), [me.id]);
});

Deno.test("no preview gives a user more than their own rights", async () => {
  await using site = await team();
  const { ada, join } = site;
  const role = { name: "Structure", permissions: ["users.read", "collections.write"] };
  const { id: roleId } = answered(await ada.ask("POST", "/roles", role), 201);
  const bea = await join("bea", ["editor"]);
  for (const beyond of ["administrator", "Structure"]) {
    assertEquals((await preview(bea, beyond)).status, 403, beyond);
  }
  assertEquals((await preview(bea, "nothing")).json.error.details[0].field, "role");

  const own = await permissionsOf(bea);
  answered(await preview(bea, "author"), 200);
  assertEquals((await permissionsOf(bea)).length < own.length, true);
  // A role that grows, or goes, gives nothing either.
  const cem = await join("cem", ["editor"]);
  const small = answered(
    await ada.ask("POST", "/roles", { name: "Small", permissions: ["documents.read"] }),
    201,
  );
  answered(await preview(cem, "Small"), 200);
  assertEquals(await permissionsOf(cem), ["documents.read"]);
  const grown = { permissions: ["documents.read", "collections.write"] };
  answered(await ada.ask("PATCH", `/roles/${small.id}`, grown), 200);
  assertEquals(await permissionsOf(cem), own);
  answered(await ada.ask("PATCH", `/roles/${small.id}`, { permissions: ["documents.read"] }), 200);
  assertEquals(await permissionsOf(cem), ["documents.read"]);
  answered(await ada.ask("DELETE", `/roles/${small.id}`), 204);
  assertEquals(await permissionsOf(cem), own);
  answered(await ada.ask("DELETE", `/roles/${roleId}`), 204);
});

Deno.test("the studio shows a preview on every page, and what the role may see", async () => {
  await using site = await team();
  const { app, ada } = site;
  const pageOf = async (path: string) => {
    const answer = await app.call("GET", path, { headers: { cookie: ada.cookie } });
    return answer.text;
  };
  const roles = await pageOf("/admin/roles");
  assert(roles.includes('aria-label="Preview as Author"'));
  assert(!roles.includes('aria-label="Preview as Administrator"'));
  assert(!roles.includes("Exit preview"));

  answered(await preview(ada, "author"), 200);

  const overview = await pageOf("/admin");
  assert(overview.includes("Exit preview"));
  assert(overview.includes("<strong>Author</strong>"));
  assert(!overview.includes('href="/admin/webhooks"'));
  assert((await pageOf("/admin/webhooks")).includes("Exit preview"), "also where one may not go");
});
