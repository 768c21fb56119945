/** SCIM changes as Entra ID and Okta send them, pages, and versions of resources. */
import { assertEquals } from "../../support/harness/assert.ts";
import { answered } from "../../support/sites/admin_answers.ts";
import { callApp, secondApp } from "../../support/sites/app.ts";
import { asker, assertScimError, directory, patch } from "../../support/sign_in/scim_site.ts";

const CORE = "urn:ietf:params:scim:schemas:core:2.0:User";
const ENTERPRISE = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User";

Deno.test("attributes are changed in every form that directories send", async () => {
  const { test, ask } = await directory();
  await using _ = test;
  const { id } = answered(await ask("POST", "/Users", { userName: "bo@example.org" }), 201);
  const changed = async (...operations: Parameters<typeof patch>) => {
    const user = answered(await ask("PATCH", `/Users/${id}`, patch(...operations)), 200);
    return [user.displayName, user.active, user.userName, user.externalId];
  };
  const list = (value: string) => [{ $ref: null, value }];
  assertEquals(
    await changed(
      { op: "Replace", path: "displayName", value: list("Bo E") },
      { op: "Add", path: "externalId", value: list("e1") },
      { op: "Replace", path: "active", value: list("False") },
    ),
    ["Bo E", false, "bo@example.org", "e1"],
  );
  assertEquals(
    await changed({
      op: "Replace",
      value: { "active": "True", [`${CORE}:displayName`]: "Bo F", "name.givenName": "Bo" },
    }),
    ["Bo F", true, "bo@example.org", "e1"],
  );
  assertEquals(
    await changed(
      { op: "add", path: `${ENTERPRISE}:department`, value: "Sales" },
      { op: "replace", value: { [ENTERPRISE]: { manager: { value: "x" } } } },
      { op: "replace", path: 'emails[type eq "work"].value', value: "other@example.org" },
      { op: "replace", path: `${CORE}:userName`, value: "bo2@example.org" },
      { op: "remove", path: "externalId" },
      { op: "replace", path: "name", value: { givenName: "Bo", familyName: "Ek" } },
    ),
    ["Bo Ek", true, "bo2@example.org", undefined],
  );
  const wrong = (op: Parameters<typeof patch>[0]) => ask("PATCH", `/Users/${id}`, patch(op));
  assertScimError(
    await wrong({ op: "replace", path: "active", value: "no" }),
    400,
    "invalidValue",
  );
  assertScimError(await wrong({ op: "replace", value: "active" }), 400, "invalidValue");
  assertScimError(await wrong({ op: "remove" }), 400, "noTarget");
  assertScimError(await wrong({ op: "remove", path: "userName" }), 400, "mutability");
});

Deno.test("parts of a name change the name, unless the whole name is given", async () => {
  const { test, ask } = await directory();
  await using _ = test;
  const created = { userName: "bo@example.org", displayName: "Bo van Ek" };
  const { id } = answered(await ask("POST", "/Users", created), 201);
  const changed = async (...operations: Parameters<typeof patch>) =>
    answered(await ask("PATCH", `/Users/${id}`, patch(...operations)), 200).displayName;
  const part = (path: string, value: string) => ({ op: "Replace", path, value });

  assertEquals(await changed(part("name.givenName", "Bea")), "Bea van Ek");
  assertEquals(await changed(part("name.familyName", "Holm")), "Bea Holm");
  assertEquals(
    await changed(part("name.givenName", "Cy"), part(`${CORE}:name.familyName`, "Dahl")),
    "Cy Dahl",
  );
  assertEquals(
    await changed(part("displayName", "Cy D"), part("name.givenName", "Cyrus")),
    "Cy D",
  );
});

Deno.test("a replacement that leaves `active` out does not enable a disabled user", async () => {
  const { test, ask } = await directory();
  await using _ = test;
  const { id } = answered(await ask("POST", "/Users", { userName: "bo@example.org" }), 201);
  answered(await test.admin("POST", `/users/${id}/disable`), 200);
  const put = { userName: "bo@example.org", displayName: "Bo" };
  const kept = answered(await ask("PUT", `/Users/${id}`, put), 200);
  assertEquals([kept.displayName, kept.active], ["Bo", false]);
  assertEquals(
    answered(await ask("PUT", `/Users/${id}`, { ...put, active: true }), 200).active,
    true,
  );
});

Deno.test("of two changes of one version of a resource, the second is refused", async () => {
  const { test, token, ask } = await directory();
  await using _ = test;
  const { app } = secondApp(test.context);
  const there = asker({ call: (...call) => callApp(app, ...call) }, token);
  const user = answered(await ask("POST", "/Users", { userName: "bo@example.org" }), 201);
  const [editor] = answered(
    await ask("GET", '/Groups?filter=displayName eq "editor"'),
    200,
  ).Resources;
  const cases = [
    [`/Users/${user.id}`, user.meta.version, (text: string) => ({ displayName: text })],
    [`/Groups/${editor.id}`, editor.meta.version, (text: string) => ({
      members: text === "here" ? [{ value: user.id }] : [],
    })],
  ] as const;
  for (const [path, version, value] of cases) {
    const change = (text: string) => patch({ op: "replace", value: value(text) });
    const headers = { "if-match": version };
    answered(await ask("PATCH", path, change("here"), headers), 200);
    assertScimError(await there("PATCH", path, change("there"), headers), 412);
    const { meta } = answered(await ask("GET", path), 200);
    const both = await Promise.all([
      ask("PATCH", path, change("once"), { "if-match": meta.version }),
      there("PATCH", path, change("twice"), { "if-match": meta.version }),
    ]);
    assertEquals(both.map(({ status }) => status).sort(), [200, 412], path);
  }
});

Deno.test("groups take Okta's forms, and lists come in pages", async () => {
  const { test, ask } = await directory();
  await using _ = test;
  const ids: string[] = [];
  for (const name of ["bo", "cem", "dee"]) {
    const { id } = answered(await ask("POST", "/Users", { userName: `${name}@example.org` }), 201);
    ids.push(id);
  }
  const [editor] = answered(await ask("GET", '/Groups?filter=displayName eq "Editor"'), 200)
    .Resources;
  const path = `/Groups/${editor.id}`;
  const members = async (...operations: Parameters<typeof patch>) =>
    answered(await ask("PATCH", path, patch(...operations)), 200).members
      .map(({ value }: { value: string }) => ids.indexOf(value)).sort();
  const [bo = "", cem = "", dee = ""] = ids;
  assertEquals(
    await members(
      { op: "replace", value: { id: editor.id, displayName: "editor" } },
      { op: "add", path: "members", value: [{ value: bo, display: "bo" }, { value: cem }] },
    ),
    [0, 1],
  );
  assertEquals(await members({ op: "add", value: { members: [{ value: dee }] } }), [0, 1, 2]);
  assertEquals(await members({ op: "Remove", path: `Members[Value eq "${cem}"]` }), [0, 2]);
  assertEquals(await members({ op: "replace", path: "members", value: [{ value: cem }] }), [1]);

  const page = async (query: string) => {
    const { totalResults, startIndex, Resources } = answered(await ask("GET", query), 200);
    return [totalResults, startIndex, Resources.length];
  };
  assertEquals(await page("/Users"), [4, 1, 4]);
  assertEquals(await page("/Users?startIndex=3&count=3"), [4, 3, 2]);
  assertEquals(await page("/Users?startIndex=0&count=0"), [4, 1, 0]);
  assertEquals(await page("/Users?startIndex=9"), [4, 9, 0]);
  assertEquals(await page("/Users?count=-1"), [4, 1, 0]);
  assertEquals(await page(`/Groups?filter=${encodeURIComponent(`id eq "${editor.id}"`)}`), [
    1,
    1,
    1,
  ]);
  assertScimError(await ask("GET", "/Users?count=all"), 400, "invalidValue");
});
