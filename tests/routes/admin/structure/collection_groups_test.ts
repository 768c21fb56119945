import { answered, assertRefusal } from "../../../support/sites/admin_answers.ts";
import { ADA, type TestApp, testApp } from "../../../support/sites/app.ts";
import {
  assertEquals,
  assertNotEquals,
  assertStringIncludes,
} from "../../../support/harness/assert.ts";
import type { Json } from "../../../../kv/model/entities/entity.ts";

async function signIn(test: TestApp, email: string, password: string): Promise<string> {
  const { headers } = await test.call("POST", "/api/admin/session", { body: { email, password } });
  return headers.get("set-cookie")!.split(";")[0]!;
}

/** The sections of the navigation: their headings, whether they are open, the collections in them. */
async function sections(test: TestApp, cookie: string) {
  const { text } = await test.call("GET", "/admin", { headers: { cookie } });
  const nav = text.split('<div class="nav">')[1]!.split('<div class="sidebar-foot">')[0]!;
  return nav.split("<details").slice(1).map((section) => ({
    heading: /<summary><span>([^<]*)/.exec(section)![1]!,
    key: /data-nav-group="([\w-]+)"/.exec(section)![1]!,
    isOpen: /^[^>]* open/.test(section),
    links: [...section.matchAll(/href="\/admin\/content\/([\w-]+)"/g)].map(([, slug]) => slug),
  }));
}

Deno.test("a group and a position are properties of a collection with versions, kept in files of the schema", async () => {
  await using test = await testApp();
  await test.setUp();
  const create = (body: Record<string, Json>) =>
    test.admin("POST", "/collections", { name: "Some", fields: [], ...body } as never);
  const patch = (change: Json) => test.admin("PATCH", "/collections/products", change);
  const shown = async () => {
    const { group, position } = answered(await test.admin("GET", "/collections/products"), 200);
    return [group, position];
  };

  const plain = answered(await create({ slug: "authors" }), 201);
  const made = answered(await create({ slug: "products", group: "Catalog", position: 0 }), 201);
  assertEquals(["group" in plain, "position" in plain], [false, false]);
  assertEquals([made.group, made.position], ["Catalog", 0]);

  const wrong: Json[] = [{ group: "x".repeat(61) }, { group: 1 }];
  for (const position of [-1, 0.5, 1_000_001, "1"]) wrong.push({ position });
  for (const one of wrong) assertRefusal(await patch(one), 422, "VALIDATION_FAILED");

  const { etag, files } = answered(await test.admin("GET", "/schema"), 200);
  const file = files["collections/products.json"];
  assertEquals([file.group, file.position], ["Catalog", 0]);
  const pushed = {
    etag,
    files: { ...files, "collections/products.json": { ...file, group: "Shop", position: 4 } },
  };
  const { operations } = answered(
    await test.admin("POST", "/schema/diff", { files: pushed.files }),
    200,
  );
  assertEquals(operations.map(({ line }: { line: string }) => line), [
    "change collection products: group, position",
  ]);
  assertEquals((await test.admin("POST", "/schema/push", pushed)).status, 202);
  await test.runner.drain();
  assertEquals(await shown(), ["Shop", 4]);

  answered(await patch({ group: "", position: null }), 200);
  assertEquals(await shown(), [undefined, undefined]);
  const { data } = answered(await test.admin("GET", `/versions/collection/${made.id}`), 200);
  answered(await test.admin("POST", `/versions/${data.at(-1).id}/restore`), 200);
  assertEquals(await shown(), ["Catalog", 0]);
});

Deno.test("arranging a collection renders no page of the site", async () => {
  await using test = await testApp();
  await test.setUp();
  answered(
    await test.admin("POST", "/collections", { slug: "notes", name: "Notes", fields: [] } as never),
    201,
  );
  const jobs = async () => {
    test.context.advance(60_000);
    await test.runner.drain();
    return answered(await test.admin("GET", "/jobs?type=RENDER_SITE"), 200).data;
  };
  const before = await jobs();

  answered(await test.admin("PATCH", "/collections/notes", { group: "Old", position: 3 }), 200);
  assertEquals(await jobs(), before);
  answered(await test.admin("PATCH", "/collections/notes", { name: "Notices" }), 200);
  assertNotEquals(await jobs(), before);
});

Deno.test("the navigation lists collections by group, position and slug; groups stay as they were left", async () => {
  await using test = await testApp();
  await test.setUp();
  const collections: [slug: string, arranged: Json & object][] = [
    ["articles", {}],
    ["brands", { group: "Catalog", position: 9 }],
    ["cities", { group: "Zones & places" }],
    ["prices", { group: "Catalog" }],
    ["authors", {}],
    ["shops", { group: "Catalog", position: 2 }],
  ];
  for (const [slug, arranged] of collections) {
    const body = { slug, name: slug, fields: [], ...arranged };
    answered(await test.admin("POST", "/collections", body as never), 201);
  }
  const cookie = await signIn(test, ADA.email, ADA.password);

  const first = await sections(test, cookie);
  assertEquals(first.map(({ heading, links }) => [heading, links]).slice(0, 3), [
    ["Catalog", ["shops", "brands", "prices"]],
    ["Content", ["articles", "authors"]],
    ["Zones &amp; places", ["cities"]],
  ]);
  // The same order where new documents begin: the menu of the overview and the palette.
  answered(await test.admin("PATCH", "/collections/shops", { singular: "Shop" }), 200);
  const { text } = await test.call("GET", "/admin", { headers: { cookie } });
  const order = ["shops", "brands", "prices", "articles", "authors", "cities"];
  const begun = (part: string) =>
    [...part.matchAll(/\/admin\/content\/(\w+)\/new/g)].map(([, slug]) => slug);
  const [, menu = ""] = text.split('id="new-document"');
  assertEquals(begun(menu.split("</div>")[0]!), order);
  assertStringIncludes(menu.split("</div>")[0]!, "Shop</");
  const palette = /<script type="application\/json"[^>]*>[^<]*New shop[^<]*/.exec(text)![0];
  assertEquals(begun(palette), order);

  const closed = `${cookie}; studio-closed=${first[0]!.key}.System`;
  assertEquals(
    (await sections(test, closed)).filter(({ isOpen }) => !isOpen).map(({ heading }) => heading),
    ["Catalog", "System"],
  );
});

Deno.test("the section System is closed at first for users who only write", async () => {
  await using test = await testApp();
  await test.setUp();
  const password = "a password of some length";
  const role = { name: "writers", permissions: ["documents.read", "documents.write", "jobs.read"] };
  answered(await test.admin("POST", "/roles", role), 201);
  await test.admin("POST", "/users", {
    email: "wim@example.org",
    displayName: "Wim",
    password,
    roles: ["writers"],
  });
  const writer = await signIn(test, "wim@example.org", password);
  const ada = await signIn(test, ADA.email, ADA.password);
  const isOpen = async (cookie: string) =>
    (await sections(test, cookie)).find(({ key }) => key === "System")?.isOpen;

  assertEquals([await isOpen(writer), await isOpen(ada)], [false, true]);
  assertEquals(await isOpen(`${writer}; studio-closed=Content`), true);
});

Deno.test("a collection with a singular name says it of a new document; others say what they said", async () => {
  await using test = await testApp();
  await test.setUp();
  for (const slug of ["authors", "faqs", "notes"]) {
    await test.collection({ slug, name: slug, fields: [] });
  }
  const set = (slug: string, singular: string | null) =>
    test.admin("PATCH", `/collections/${slug}`, { singular });
  const cookie = await signIn(test, ADA.email, ADA.password);
  const pageOf = async (path: string) =>
    (await test.call("GET", `/admin${path}`, { headers: { cookie } })).text;
  const heading = async (slug: string) =>
    /<title>([^<·]*)/.exec(await pageOf(`/content/${slug}/new`))![1]!.trim();

  assertEquals(answered(await set("authors", "Guest author"), 200).singular, "Guest author");
  answered(await set("faqs", "FAQ entry"), 200);
  assertRefusal(await set("notes", "x".repeat(201)), 422, "VALIDATION_FAILED");

  assertEquals(await heading("authors"), "New guest author");
  assertEquals(await heading("faqs"), "New FAQ entry");
  assertEquals(await heading("notes"), "New in notes");
  assertStringIncludes(await pageOf("/content/authors?"), "New guest author");
  const { files } = answered(await test.admin("GET", "/schema"), 200);
  assertEquals(files["collections/authors.json"].singular, "Guest author");
  assertEquals("singular" in answered(await set("authors", null), 200), false);
  assertEquals(await heading("authors"), "New in authors");
});
