import type { DocumentAction } from "../../../../kv/model/entities/document_rights.ts";
import type { Json } from "../../../../kv/model/entities/entity.ts";
import { answered, assertRefusal } from "../../../support/sites/admin_answers.ts";
import { type Answer, type TestApp, testApp } from "../../../support/sites/app.ts";
import { assert, assertEquals } from "../../../support/harness/assert.ts";
import { paddedPng } from "../../../support/sites/images.ts";

type Ask = (method: string, path: string, body?: Json) => Promise<Answer>;

/** Signs in a user whose only role allows these actions in posts. */
async function person(
  test: TestApp,
  name: string,
  actions: DocumentAction[],
  permissions: string[] = ["collections.read", "versions.read", "media.read"],
): Promise<Ask> {
  const collections = actions.length === 0 ? [] : [{ collection: "posts", actions }];
  answered(await test.admin("POST", "/roles", { name, permissions, collections }), 201);
  const email = `${name}@example.org`;
  const password = "a password of some length";
  const user = { email, displayName: name, password, roles: [name] };
  answered(await test.admin("POST", "/users", user), 201);
  const signedIn = await test.call("POST", "/api/admin/session", {
    body: { email, password },
    address: `198.51.100.${name.length}`,
  });
  const cookie = signedIn.headers.get("set-cookie")!.split(";")[0]!;
  return (method, path, body) => {
    const given = body === undefined ? {} : { body };
    return test.call(method, `/api/admin${path}`, { ...given, headers: { cookie } });
  };
}

async function twoCollections(): Promise<TestApp> {
  const test = await testApp();
  await test.setUp();
  const fields = [{ name: "image", label: "Image", type: "media" }];
  await test.collection({ slug: "posts", name: "Posts", fields });
  await test.collection({ slug: "pages", name: "Pages", fields });
  return test;
}

async function documentIn(ask: Ask, collection: string, rest: Record<string, Json> = {}) {
  const body = { collection, title: `In ${collection}`, ...rest };
  return answered(await ask("POST", "/documents", body), 201).id as string;
}

/** What each route on a document takes. */
const ROUTES: readonly [DocumentAction, method: string, path: string, body?: Json][] = [
  ["read", "GET", "/documents/:id"],
  ["read", "GET", "/versions/document/:id"],
  ["edit", "PATCH", "/documents/:id", { title: "Changed" }],
  ["edit", "PATCH", "/documents/:id/working-copy", { title: "Changed" }],
  ["edit", "DELETE", "/documents/:id/working-copy"],
  ["edit", "POST", "/documents/:id/preview"],
  ["edit", "GET", "/documents/:id/live"],
  ["edit", "POST", "/documents/:id/review"],
  ["publish", "POST", "/documents/:id/review/return"],
  ["edit", "DELETE", "/documents/:id/review"],
  ["read", "GET", "/documents/:id/comments"],
  ["edit", "POST", "/documents/:id/comments", { text: "A word" }],
  ["publish", "POST", "/documents/:id/publish"],
  ["publish", "POST", "/documents/:id/unpublish"],
  ["publish", "POST", "/documents/:id/schedule", { publishAt: 4_000_000_000 }],
  ["publish", "POST", "/documents/:id/archive"],
  ["delete", "POST", "/documents/:id/untrash"],
  ["delete", "DELETE", "/documents/:id"],
  ["delete", "POST", "/documents/:id/remove"],
];

const GIVEN: readonly DocumentAction[][] = [
  ["read"],
  ["create"],
  ["editOwn"],
  ["edit"],
  ["publish"],
  ["delete"],
  ["create", "editOwn", "publish"],
];

Deno.test("every route on a document asks for the right to do it, in the document's collection", async () => {
  for (const actions of GIVEN) {
    await using test = await twoCollections();
    const ask = await person(test, actions.join("-").toLowerCase(), actions);
    const foreign = await documentIn(test.admin, "posts");
    const elsewhere = await documentIn(test.admin, "pages");

    for (const [action, method, path, body] of ROUTES) {
      const may = action === "read" || actions.includes(action);
      const here = await ask(method, path.replace(":id", foreign), body);
      const there = await ask(method, path.replace(":id", elsewhere), body);

      const name = `${actions}: ${method} ${path}`;
      assertEquals(here.status === 403, !may, `${name} answers ${here.status} ${here.text}`);
      assertEquals(there.status, 403, name);
    }
    const created = await ask("POST", "/documents", { collection: "posts", title: "New" });
    assertEquals(created.status, actions.includes("create") ? 201 : 403, `${actions}`);
    const public_ = { collection: "posts", title: "Out", status: "published" };
    const mayOut = actions.includes("create") && actions.includes("publish");
    assertEquals((await ask("POST", "/documents", public_)).status, mayOut ? 201 : 403);
    const other = await ask("POST", "/documents", { collection: "pages", title: "New" });
    assertEquals(other.status, 403);
  }
});

Deno.test("editing one's own is for who has created a document, however long ago, and no one else", async () => {
  await using test = await twoCollections();
  const ada = await person(test, "linus", ["create", "editOwn"]);
  const grace = await person(test, "grace", ["create", "editOwn"]);
  const id = await documentIn(ada, "posts");

  answered(await ada("PATCH", `/documents/${id}`, { title: "Hers" }), 200);
  assertRefusal(await grace("PATCH", `/documents/${id}`, { title: "No" }), 403, "FORBIDDEN");
  answered(await test.admin("PATCH", `/documents/${id}`, { title: "The editor's" }), 200);
  answered(await ada("PATCH", `/documents/${id}`, { title: "Still hers" }), 200);
  assertRefusal(await ada("DELETE", `/documents/${id}`), 403, "FORBIDDEN");
});

Deno.test("changing public content requires the right to publish in that collection", async () => {
  await using test = await twoCollections();
  const writer = await person(test, "writer", ["edit"]);
  const editor = await person(test, "editor-of-posts", ["edit", "publish"]);
  const id = await documentIn(test.admin, "posts", { status: "published" });

  assertRefusal(await writer("PATCH", `/documents/${id}`, { title: "No" }), 403, "FORBIDDEN");
  answered(await writer("PATCH", `/documents/${id}/working-copy`, { title: "Proposed" }), 200);
  answered(await editor("PATCH", `/documents/${id}`, { title: "Yes" }), 200);
});

Deno.test("lists, previews, views and uses show no document of a collection that one does not see", async () => {
  await using test = await twoCollections();
  const ask = await person(test, "reader", ["read"]);
  const form = new FormData();
  form.set("file", new File([paddedPng(500)], "a.png", { type: "image/png" }));
  const medium = answered(await test.admin("POST", "/media", undefined, { raw: form }), 201).id;
  const seen = await documentIn(test.admin, "posts", { image: medium });
  const hidden = await documentIn(test.admin, "pages", { image: medium });
  for (const id of [seen, hidden]) {
    answered(await test.admin("POST", `/documents/${id}/preview`), 201);
  }
  for (const collection of ["posts", "pages"]) {
    const view = { name: collection, collection, query: "status=draft", shared: true };
    answered(await test.admin("POST", "/views", view), 201);
  }

  const ids = async (path: string, key = "id") =>
    answered(await ask("GET", path), 200).data.map((one: Record<string, Json>) => one[key]);
  assertEquals(await ids("/documents"), [seen]);
  assertEquals(await ids("/documents?q=In"), [seen]);
  assertEquals(await ids("/documents?collection=posts"), [seen]);
  assertRefusal(await ask("GET", "/documents?collection=pages"), 403, "FORBIDDEN");
  assertEquals(await ids("/previews", "documentId"), [seen]);
  assertEquals(await ids("/views", "collection"), ["posts"]);
  assertEquals(await ids(`/media/${medium}/uses`), [seen]);
  assertRefusal(
    await ask("POST", "/views", { name: "x", collection: "posts", query: "q=a", shared: true }),
    403,
    "FORBIDDEN",
  );
});

Deno.test("the history of a document is as hidden as the document", async () => {
  await using test = await twoCollections();
  const ask = await person(test, "historian", ["editOwn"]);
  const [seen, hidden] = [
    await documentIn(test.admin, "posts"),
    await documentIn(test.admin, "pages"),
  ];
  const versionOf = async (id: string) =>
    answered(await test.admin("GET", `/versions/document/${id}`), 200).data[0].id as string;
  const [ofSeen, ofHidden] = [await versionOf(seen), await versionOf(hidden)];

  answered(await ask("GET", `/versions/${ofSeen}`), 200);
  answered(await ask("GET", `/versions/${ofSeen}/diff`), 200);
  assertRefusal(await ask("PATCH", `/versions/${ofSeen}`, { name: "Mine" }), 403, "FORBIDDEN");
  for (const path of [`/versions/${ofHidden}`, `/versions/${ofHidden}/diff`]) {
    assertRefusal(await ask("GET", path), 403, "FORBIDDEN");
  }
});

Deno.test("no screen shows a document of a collection that one does not see, or offers what one may not do", async () => {
  await using test = await twoCollections();
  await person(test, "reader", ["read"]);
  const seen = await documentIn(test.admin, "posts", { title: "Open letter" });
  const hidden = await documentIn(test.admin, "pages", { title: "Sealed letter" });
  const body = { email: "reader@example.org", password: "a password of some length" };
  const signedIn = await test.call("POST", "/api/admin/session", { body });
  const cookie = signedIn.headers.get("set-cookie")!.split(";")[0]!;
  const open = (path: string) => test.call("GET", path, { headers: { cookie } });

  for (
    const path of [
      "/admin",
      "/admin/content",
      "/admin/schedule",
      "/admin/activity",
      "/admin/content/posts",
    ]
  ) {
    const { status, text } = await open(path);
    assertEquals(status, 200, path);
    assert(!text.includes("Sealed letter"), `${path} shows it`);
    assert(!text.includes("/content/pages"), `${path} leads there`);
    assert(!text.includes("/new"), `${path} offers to write`);
  }
  assert((await open("/admin/activity")).text.includes("Open letter"));
  const form = (await open(`/admin/documents/${seen}`)).text;
  assert(form.includes("Read only"));
  for (const offer of [">Publish …<", "Move to trash"]) {
    assert(!form.includes(offer), offer);
  }
  for (
    const path of [
      "/content/pages",
      "/content/posts/new",
      `/documents/${hidden}`,
      `/documents/${hidden}/preview`,
      `/documents/${hidden}/uses`,
      `/documents/${hidden}/checks`,
      `/versions/document/${hidden}`,
    ]
  ) {
    assertEquals((await open(`/admin${path}`)).status, 403, path);
  }
});

Deno.test("roles name collections by slug, keep them through a rename, and give no more than one has", async () => {
  await using test = await twoCollections();
  const collections = [{ collection: "posts", actions: ["edit"] }];
  const role = answered(
    await test.admin("POST", "/roles", { name: "Desk", permissions: [], collections }),
    201,
  );
  assertEquals(role.collections, [{ collection: "posts", actions: ["read", "editOwn", "edit"] }]);

  answered(await test.admin("PATCH", "/collections/posts", { slug: "articles" }), 200);
  const renamed = answered(await test.admin("GET", `/roles/${role.id}`), 200);
  assertEquals(renamed.collections[0].collection, "articles");

  for (const collection of ["posts", "articles"]) {
    const twice = [collection, collection].map((slug) => ({ collection: slug, actions: ["read"] }));
    const answer = await test.admin("PATCH", `/roles/${role.id}`, { collections: twice });
    assertRefusal(answer, 422, "VALIDATION_FAILED");
  }
  const emptied = answered(
    await test.admin("PATCH", `/roles/${role.id}`, { collections: [] }),
    200,
  );
  assertEquals("collections" in emptied, false);

  const wide = [{ collection: "pages", actions: ["edit"] }];
  answered(
    await test.admin("POST", "/roles", { name: "Wide", permissions: [], collections: wide }),
    201,
  );
  const ask = await person(test, "granter", [], ["users.manage", "roles.manage", "users.read"]);
  const user = { email: "new@x.org", displayName: "New", roles: ["Wide"] };
  assertRefusal(await ask("POST", "/users", user), 403, "FORBIDDEN");
  const own = { name: "Own", permissions: [], collections: wide };
  assertRefusal(await ask("POST", "/roles", own), 403, "FORBIDDEN");
});

Deno.test("includes and filters of a list do not tell of documents that one does not see", async () => {
  await using test = await testApp();
  await test.setUp();
  await test.collection({
    slug: "pages",
    name: "Pages",
    fields: [{ name: "secret", label: "Secret", type: "text", indexed: true }],
  });
  const options = { collection: "pages" };
  const fields = [{ name: "page", label: "Page", type: "reference", indexed: true, options }];
  await test.collection({ slug: "posts", name: "Posts", fields });
  const page = await documentIn(test.admin, "pages", { secret: "Sealed letter" });
  const post = await documentIn(test.admin, "posts", { page });
  const ask = await person(test, "reader", ["read"]);

  const list = "/documents?collection=posts&include=page";
  const whole = answered(await test.admin("GET", list), 200);
  const { text } = await ask("GET", list);
  const filter = encodeURIComponent(
    JSON.stringify({ page: { match: { secret: "Sealed letter" } } }),
  );

  assert(JSON.stringify(whole).includes("Sealed letter"));
  assert(text.includes(post) && !text.includes("Sealed letter"), text);
  const refused = await ask("GET", `/documents?collection=posts&filter=${filter}`);
  assertRefusal(refused, 403, "FORBIDDEN");
});
