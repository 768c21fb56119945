/** What the overview and forms offer to people with rights in single collections. */
import { assert, assertEquals, assertStringIncludes } from "../../support/harness/assert.ts";
import { type TestApp, testApp } from "../../support/sites/app.ts";

const PASSWORD = "a password of some length";

/** A user whose only role has these actions in the collection of notes; returns their client. */
async function person(test: TestApp, name: string, actions: string[]) {
  const role = {
    name: `${name}s`,
    permissions: [],
    collections: [{ collection: "notes", actions }],
  };
  assertEquals((await test.admin("POST", "/roles", role)).status, 201);
  const body = { email: `${name}@example.org`, password: PASSWORD };
  await test.admin("POST", "/users", { ...body, displayName: name, roles: [role.name] });
  const session = await test.call("POST", "/api/admin/session", { body });
  const cookie = session.headers.get("set-cookie")!.split(";")[0]!;
  return {
    page: async (path: string) =>
      (await test.call("GET", `/admin${path}`, { headers: { cookie } })).text,
    create: async (title: string) => {
      const document = { collection: "notes", title };
      const options = { headers: { cookie }, body: document };
      assertEquals((await test.call("POST", "/api/admin/documents", options)).status, 201);
    },
  };
}

Deno.test("GET /admin offers to go on with what one may change, however much others begin", async () => {
  await using test = await testApp();
  await test.setUp();
  await test.collection({ slug: "notes", name: "Notes", fields: [] });
  const author = await person(test, "author", ["create", "editOwn"]);
  const reader = await person(test, "reader", ["read"]);
  await author.create("Mine of old");
  for (let n = 0; n < 20; n++) {
    test.context.advance(1_000);
    await test.admin("POST", "/documents", { collection: "notes", title: `By others ${n}` });
  }

  const shown = await author.page("");
  assertStringIncludes(shown, "Continue writing");
  assertStringIncludes(shown, ">Mine of old<");
  assert(!shown.includes("By others"), shown);
  assert(!(await reader.page("")).includes("Continue writing"));
});

Deno.test("GET /admin/documents/:id does not lead to what one may not see", async () => {
  await using test = await testApp();
  await test.setUp();
  await test.collection({ slug: "people", name: "People", fields: [] });
  const fields = [{ name: "author", type: "reference" }];
  await test.collection({ slug: "notes", name: "Notes", fields });
  const reader = await person(test, "reader", ["read"]);
  const made = async (body: Record<string, string>) =>
    (await test.admin("POST", "/documents", body)).json.id as string;
  const author = await made({ collection: "people", title: "Mary" });
  const note = await made({ collection: "notes", title: "Harbour", author });

  const form = await reader.page(`/documents/${note}`);

  assertStringIncludes(form, "Restricted document");
  assert(!form.includes(`href="/admin/documents/${author}"`));
});
