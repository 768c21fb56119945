/** SCIM: users and the members of roles, as directories provision them. */
import { assert, assertEquals } from "../../support/harness/assert.ts";
import { answered } from "../../support/sites/admin_answers.ts";
import { storeText } from "../../support/sites/people.ts";
import { assertScimError, directory, patch } from "../../support/sign_in/scim_site.ts";

Deno.test("only a token with the scope scim may provision", async () => {
  const { test, token } = await directory();
  await using _ = test;
  assertScimError(await test.call("GET", "/scim/v2/Users"), 401);
  assertScimError(await test.call("GET", "/scim/v2/Users", { token: await test.token() }), 403);
  assertEquals((await test.call("GET", "/scim/v2/Users", { token })).status, 200);
  assertEquals((await test.call("GET", "/api/v1/notes", { token })).status, 404);
  const config = await test.call("GET", "/scim/v2/ServiceProviderConfig", { token });
  assertEquals([config.json.patch.supported, config.json.filter.maxResults], [true, 100]);
  assertEquals((await test.call("GET", "/scim/v2/Schemas", { token })).json.totalResults, 2);
  assertEquals((await test.call("GET", "/scim/v2/ResourceTypes/User", { token })).status, 200);
  assertScimError(await test.call("GET", "/scim/v2/Nothing", { token }), 404);
  for (const path of ["/ServiceProviderConfig", "/ResourceTypes", "/Schemas/x"]) {
    const answer = await test.call("DELETE", `/scim/v2${path}`, { token });
    assertScimError(answer, 405);
    assertEquals(answer.headers.get("allow"), "GET, HEAD");
  }
  const schemas = (await test.call("GET", "/scim/v2/Schemas", { token })).json.Resources;
  const described = schemas[0].attributes.map(({ name }: { name: string }) => name);
  const [user] = (await test.call("GET", "/scim/v2/Users", { token })).json.Resources;
  const members = Object.keys(user).filter((name) => !["schemas", "id", "meta"].includes(name));
  assertEquals(members.filter((name) => !described.includes(name)), []);
});

Deno.test("a user is created, found, changed as Entra and Okta do, and disabled", async () => {
  const { test, ask } = await directory();
  await using _ = test;
  const created = await ask("POST", "/Users", {
    schemas: ["urn:ietf:params:scim:schemas:core:2.0:User"],
    userName: "bo@example.org",
    externalId: "e1",
    name: { givenName: "Bo", familyName: "Ek" },
    emails: [{ value: "bo@example.org", type: "work", primary: true }],
    active: true,
  });
  const user = answered(created, 201);
  assertEquals(created.headers.get("location"), user.meta.location);
  assertEquals(created.headers.get("etag"), user.meta.version);
  const { id, meta, ...rest } = user;
  assertEquals(rest, {
    schemas: ["urn:ietf:params:scim:schemas:core:2.0:User"],
    externalId: "e1",
    userName: "bo@example.org",
    displayName: "Bo Ek",
    name: { formatted: "Bo Ek" },
    active: true,
    emails: [{ value: "bo@example.org", type: "work", primary: true }],
    groups: [],
  });
  assertEquals(meta.location, `http://localhost/scim/v2/Users/${id}`);
  assert((await storeText(test.context)).includes("invitation"));
  const twice = await ask("POST", "/Users", { userName: "BO@example.org" });
  assertScimError(twice, 409, "uniqueness");
  const found = async (filter: string) =>
    (await ask("GET", `/Users?filter=${encodeURIComponent(filter)}`)).json.totalResults;
  assertEquals(await found('userName eq "BO@EXAMPLE.ORG"'), 1);
  assertEquals(await found('USERNAME Eq "bo@example.org" AND externalId eq "e1"'), 1);
  assertEquals(await found(`id eq "${id}" and externalId eq "e2"`), 0);
  for (
    const filter of ['displayName eq "Bo"', 'userName co "bo"', 'userName eq "a" or id eq "b"']
  ) {
    const answer = await ask("GET", `/Users?filter=${encodeURIComponent(filter)}`);
    assertScimError(answer, 400, "invalidFilter");
  }
  const few = (await ask("GET", `/Users/${id}?attributes=userName,name.formatted`)).json;
  assertEquals(Object.keys(few), ["schemas", "id", "userName", "name"]);
  const shorter = (await ask("GET", `/Users/${id}?excludedAttributes=groups,emails`)).json;
  assertEquals(["groups" in shorter, "emails" in shorter, "meta" in shorter], [false, false, true]);
  const page = (await ask("GET", "/Users?startIndex=2&count=1")).json;
  assertEquals([page.totalResults, page.startIndex, page.itemsPerPage], [2, 2, 1]);

  const path = `/Users/${id}`;
  const disabled = await ask(
    "PATCH",
    path,
    patch({ op: "Replace", path: "active", value: "False" }),
  );
  assertEquals(answered(disabled, 200).active, false);
  const okta = patch({ op: "replace", value: { active: true, displayName: "Bo E" } });
  assertEquals(answered(await ask("PATCH", path, okta), 200).displayName, "Bo E");
  const [version] = (await test.admin("GET", `/versions/user/${id}`)).json.data;
  assertEquals([version.changed_by, version.change_summary], [null, "Entra"]);
  const stale = await ask("PATCH", path, okta, { "if-match": 'W/"old"' });
  assertScimError(stale, 412);
  const etag = (await ask("GET", path)).headers.get("etag") ?? "";
  assertEquals((await ask("GET", path, undefined, { "if-none-match": etag })).status, 304);
  const put = { userName: "bo2@example.org", displayName: "Bo 2", active: true };
  assertEquals(
    answered(await ask("PUT", path, put, { "if-match": etag }), 200).userName,
    put.userName,
  );
  assertScimError(await ask("PATCH", path, { Operations: [{ op: "move" }] }), 400, "invalidSyntax");
  assertScimError(await ask("POST", "/Users", { userName: "no address" }), 400, "invalidValue");

  assertEquals((await ask("DELETE", path)).status, 204);
  assertEquals(answered(await ask("GET", path), 200).active, false);
  assertScimError(await ask("GET", "/Users/none"), 404);
  assertScimError(await ask("POST", "/Users", { userName: "bo2@example.org" }), 409, "uniqueness");
});

Deno.test("groups are roles, of which a directory changes the members only", async () => {
  const { test, ada, ask } = await directory();
  await using _ = test;
  const user = answered(await ask("POST", "/Users", { userName: "bo@example.org" }), 201);
  const groups = answered(await ask("GET", "/Groups"), 200).Resources;
  const names = groups.map(({ displayName }: { displayName: string }) => displayName);
  assertEquals(names, ["author", "editor", "viewer"]);
  const editor = groups[1];
  const path = `/Groups/${editor.id}`;
  const added = await ask(
    "PATCH",
    path,
    patch({
      op: "Add",
      path: "members",
      value: [{ value: user.id }],
    }),
  );
  assertEquals(answered(added, 200).members[0].value, user.id);
  assertEquals((await test.admin("GET", `/users/${user.id}`)).json.roles, ["editor"]);
  const removal = patch({ op: "remove", path: `members[value eq "${user.id}"]` });
  assertEquals(answered(await ask("PATCH", path, removal), 200).members, []);
  answered(await ask("PUT", path, { displayName: "editor", members: [{ value: user.id }] }), 200);
  const entra = patch({ op: "Remove", path: "members", value: [{ value: user.id }] });
  assertEquals(answered(await ask("PATCH", path, entra), 200).members, []);
  assertScimError(await ask("POST", "/Groups", { displayName: "new" }), 403);
  assertScimError(await ask("DELETE", path), 403);
  const renamed = patch({ op: "replace", path: "displayName", value: "chief" });
  assertScimError(await ask("PATCH", path, renamed), 403, "mutability");
  const unknown = patch({ op: "add", path: "members", value: [{ value: "nobody" }] });
  assertScimError(await ask("PATCH", path, unknown), 400, "invalidValue");

  const roles = (await test.admin("GET", "/roles")).json.data;
  const admin = roles.find(({ name }: { name: string }) => name === "administrator");
  assertScimError(await ask("GET", `/Groups/${admin.id}`), 404);
  const moved = (userName: string) => patch({ op: "replace", path: "userName", value: userName });
  assertScimError(await ask("PATCH", `/Users/${ada.id}`, moved("eve@example.org")), 403);
  answered(await ask("PATCH", `/Users/${ada.id}`, moved(ada.email.toUpperCase())), 200);
  answered(await test.admin("PATCH", "/settings", { "auth.scimAdministrators": true }), 200);
  answered(await ask("PATCH", `/Users/${ada.id}`, moved("ada@corp.example")), 200);
  assertEquals(answered(await ask("GET", `/Groups/${admin.id}`), 200).members[0].value, ada.id);
  const last = patch({ op: "remove", path: "members" });
  assertScimError(await ask("PATCH", `/Groups/${admin.id}`, last), 409);
  assertScimError(await ask("DELETE", `/Users/${ada.id}`), 409);
});
