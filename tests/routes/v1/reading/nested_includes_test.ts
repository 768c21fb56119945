/** Includes of references inside of repeaters and groups. */
import type { Json } from "../../../../kv/model/entities/entity.ts";
import { assert, assertEquals, assertNotEquals } from "../../../support/harness/assert.ts";
import { setUpAdmin } from "../../../support/sites/backups.ts";
import { headless } from "../../../support/sites/headless.ts";

const to = (collection: string) => ({ type: "reference", options: { collection } });

/** Posts with people in the rows of a repeater, and in a group within a group. */
async function story() {
  const test = await headless([
    {
      name: "credits",
      type: "repeater",
      options: {
        fields: [
          { name: "role", type: "text" },
          { name: "person", ...to("people") },
          {
            name: "photos",
            type: "repeater",
            options: { fields: [{ name: "file", type: "media" }] },
          },
        ],
      },
    },
    {
      name: "about",
      type: "group",
      options: {
        fields: [{
          name: "main",
          type: "group",
          options: { fields: [{ name: "who", ...to("people") }] },
        }],
      },
    },
  ]);
  const fields = [{ name: "city", ...to("cities") }];
  await test.collection({ slug: "cities", name: "Cities", fields: [] });
  await test.collection({ slug: "people", name: "People", fields });
  const create = async (slug: string, body: Record<string, Json>): Promise<string> =>
    (await test.v1("POST", `/${slug}`, { body: { status: "published", ...body } })).json.id;
  const oslo = await create("cities", { title: "Oslo" });
  const ada = await create("people", { title: "Ada", city: oslo });
  const bo = await create("people", { title: "Bo", status: "draft" });
  const id = await create("posts", {
    title: "Post",
    credits: [{ role: "text", person: ada }, { role: "pictures", person: bo }, { role: "none" }],
    about: { main: { who: ada } },
  });
  return { test, id, ada, bo, oslo };
}

Deno.test("include reaches into repeaters and groups, over three levels of references", async () => {
  const { test, id, ada, oslo } = await story();
  await using _test = test;
  const query = "include=credits.person.city,about.main.who";
  const one = await test.v1("GET", `/posts/${id}?${query}`);
  assertEquals(one.status, 200, one.text);
  const { credits, about } = one.json;
  assertEquals(credits.map(({ role }: { role: string }) => role), ["text", "pictures", "none"]);
  assertEquals(credits.map(({ person }: { person?: { title: string } }) => person?.title), [
    "Ada",
    "Bo",
    undefined,
  ]);
  assertEquals([credits[0].person.city.id, credits[0].person.city.title], [oslo, "Oslo"]);
  assertEquals(about.main.who.title, "Ada");
  assertEquals(about.main.who.city, oslo, "included only where it was asked for");
  const listed = await test.v1("GET", `/posts?${query}&fields=title`);
  assertEquals(listed.json.data, [{ id, title: "Post", credits, about }]);

  const plain = await test.v1("GET", `/posts/${id}`);
  assertEquals(plain.json.credits[0].person, ada, "what is kept in memory is left alone");
  const back = await test.v1("PATCH", `/posts/${id}`, { body: one.json });
  assertEquals([back.status, back.json], [200, plain.json]);
});

Deno.test("nested includes show what the token may see, and have tags that follow it", async () => {
  const { test, id, ada, bo } = await story();
  await using _test = test;
  const path = `/posts/${id}?include=credits.person`;
  const token = await test.token({ scopes: ["posts:read", "people:read"] });
  const seen = await test.v1("GET", path, { token });
  assertEquals(seen.json.credits[0].person.title, "Ada");
  assertEquals(seen.json.credits[1].person, bo, "a draft stays an id");
  const narrow = await test.token({ scopes: ["posts:read"] });
  assertEquals((await test.v1("GET", path, { token: narrow })).json.credits[0].person, ada);

  const tag = seen.headers.get("etag")!;
  await test.v1("PATCH", `/people/${ada}`, { body: { title: "Ada L." } });
  const again = await test.v1("GET", path, { token, headers: { "if-none-match": tag } });
  assertEquals([again.status, again.json.credits[0].person.title], [200, "Ada L."]);
  assertNotEquals(again.headers.get("etag"), tag);
});

Deno.test("include refuses fields that are not references, and lists those that are", async () => {
  const { test } = await story();
  await using _test = test;
  for (
    const name of [
      "credits",
      "credits.role",
      "about.main",
      "credits.photos",
      "credits.person.title",
    ]
  ) {
    const { status, json } = await test.v1("GET", `/posts?include=${name}`);
    assertEquals([name, status, json.error.code], [name, 400, "INCLUDE_INVALID"]);
  }
  const { json } = await test.v1("GET", "/posts?include=nothing");
  const names = "credits.person, credits.photos.file, about.main.who";
  assert(json.error.message.includes(names), json.error.message);
  assertEquals((await test.v1("GET", "/posts?include=credits.photos.file")).status, 200);

  const { json: meta } = await test.v1("GET", "/_meta");
  const include = meta.paths["/api/v1/posts"].get.parameters
    .find(({ name }: { name: string }) => name === "include").schema.items.enum;
  assertEquals(include, [
    "credits.person",
    "credits.person.city",
    "credits.photos.file",
    "about.main.who",
    "about.main.who.city",
  ]);
  const types = (await test.v1("GET", "/_meta/types.ts")).text;
  assert(/\bcredits: ReferenceRows<\{ person: "people"/.test(types), "the types module knows them");
});

Deno.test("one answer includes 5,000 documents at most", async () => {
  const { test } = await story();
  await using _test = test;
  const rows = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      person: `01M8BRN9JRFFNEPSHK${String(index).padStart(8, "0")}`,
    }));
  const draft = async (title: string, count: number) =>
    (await test.v1("POST", "/posts", { body: { title, credits: rows(count) } })).json.id;
  const fits = await draft("Fits", 5_000);
  assertEquals((await test.v1("GET", `/posts/${fits}?include=credits.person`)).status, 200);
  const over = await draft("Over", 5_001);
  const { status, json } = await test.v1("GET", `/posts/${over}?include=credits.person`);
  assertEquals([status, json.error.code], [400, "INCLUDE_INVALID"]);
  assert(json.error.message.includes("5000"), json.error.message);
});

Deno.test("include reaches into blocks of a type, in fields and in the block tree", async () => {
  const test = await headless([
    { name: "parts", type: "block", options: { allowed: ["quote", "section"] } },
  ]);
  await using _test = test;
  const admin = await setUpAdmin(test);
  await test.collection({ slug: "people", name: "People", fields: [] });
  const block = async (name: string, fields: Json[]) => {
    const { status, json } = await admin.ask("POST", "/blocks", { name, label: name, fields });
    assertEquals(status, 201, JSON.stringify(json));
  };
  await block("quote", [{ name: "by", ...to("people") }, { name: "words", type: "text" }]);
  await block("picture", [{ name: "file", type: "media" }]);
  await block("section", [{ name: "within", type: "block" }, { name: "lead", ...to("people") }]);
  const { json: ada } = await test.v1("POST", "/people", {
    body: { title: "Ada", status: "published" },
  });
  const quote = (id: string) => ({ id, type: "quote", data: { by: ada.id, words: "Yes." } });
  const created = await admin.ask("POST", "/documents", {
    collection: "posts",
    title: "Post",
    parts: [
      quote("a"),
      { id: "b", type: "section", data: { within: [quote("c")], lead: ada.id } },
    ],
    blocks: [quote("d")],
  });
  assertEquals(created.status, 201, JSON.stringify(created.json));
  const { id } = created.json;
  const includes = ["parts.quote.by", "parts.section.within.quote.by", "blocks.quote.by"];
  for (const path of [`/posts/${id}`, "/posts"]) {
    const { json, text } = await test.v1("GET", `${path}?include=${includes.join()}`);
    const { parts, blocks } = path === "/posts" ? json.data[0] : json;
    const shown = [parts[0], parts[1].data.within[0], blocks[0]];
    assertEquals(
      shown.map(({ data }) => [data.by.title, data.words]),
      Array(3).fill(["Ada", "Yes."]),
      text,
    );
    assertEquals(parts[1].data.lead, ada.id, "it was not asked for");
  }
  const one = await test.v1("GET", `/posts/${id}?include=${includes.join()}`);
  const back = await test.v1("PATCH", `/posts/${id}`, { body: one.json });
  const plain = await test.v1("GET", `/posts/${id}`);
  assertEquals([back.status, back.json], [200, plain.json], back.text);
  assertEquals(plain.json.parts[0].data.by, ada.id);
  const part = await test.v1("GET", `/posts/${id}?include=blocks.quote.by&fields=title`);
  assertEquals(Object.keys(part.json), ["id", "title", "blocks"]);

  for (
    const name of ["parts.picture.file", "parts.by", "parts.quote", "blocks", "blocks.quote.words"]
  ) {
    assertEquals((await test.v1("GET", `/posts?include=${name}`)).status, 400, name);
  }
  const { json: meta } = await test.v1("GET", "/_meta");
  const { schema } = meta.paths["/api/v1/posts"].get.parameters
    .find(({ name }: { name: string }) => name === "include");
  for (const name of [...includes, "blocks.picture.file"]) {
    assert(schema.items.enum.includes(name), name);
  }
});
