/** References and media: what they point to must be there once the document is public. */
import { assertEquals } from "../../../support/harness/assert.ts";
import { assertRefused, headless, NO_ID } from "../../../support/sites/headless.ts";

const FIELDS = [
  { name: "related", type: "reference", indexed: true },
  { name: "page", type: "reference", options: { collection: "pages" } },
  { name: "cover", type: "media" },
  {
    name: "links",
    type: "repeater",
    options: { fields: [{ name: "to", label: "To", type: "reference" }] },
  },
];

Deno.test("drafts may have dangling references, published documents may not", async () => {
  await using test = await headless(FIELDS);
  const references = { related: NO_ID, page: NO_ID, cover: NO_ID, links: [{}, { to: NO_ID }] };
  for (const status of ["draft", "scheduled"]) {
    await test.post({ title: "T", status, ...references });
  }
  const body = { title: "T", status: "published", ...references };
  assertRefused(await test.v1("POST", "/posts", { body }), 422, "VALIDATION_FAILED", [
    "related INVALID_REFERENCE",
    "page INVALID_REFERENCE",
    "cover INVALID_REFERENCE",
    "links.1.to INVALID_REFERENCE",
  ]);
});

for (const value of ["", "x", NO_ID.toLowerCase(), `${NO_ID}0`, "8ZZZZZZZZZZZZZZZZZZZZZZZZZ"]) {
  Deno.test(`a draft may not point at ${JSON.stringify(value)}, which is no id`, async () => {
    await using test = await headless(FIELDS);
    const body = { title: "T", related: value, cover: value };
    assertRefused(await test.v1("POST", "/posts", { body }), 422, "VALIDATION_FAILED", [
      "related INVALID_REFERENCE",
      "cover INVALID_REFERENCE",
    ]);
  });
}

for (const value of [1, true, {}, [NO_ID]]) {
  Deno.test(`a reference is no ${JSON.stringify(value)}`, async () => {
    await using test = await headless(FIELDS);
    const body = { title: "T", related: value, cover: value };
    assertRefused(await test.v1("POST", "/posts", { body }), 422, "VALIDATION_FAILED", [
      "related INVALID_TYPE",
      "cover INVALID_TYPE",
    ]);
  });
}

Deno.test("a reference leads to a document of the right collection that is not trashed", async () => {
  await using test = await headless(FIELDS);
  await test.collection({ slug: "pages", name: "Pages" });
  const page = (await test.v1("POST", "/pages", { body: { title: "P" } })).json;
  const other = await test.post({ title: "Other" });
  const status = "published";
  const right = await test.post({ title: "T", status, page: page.id, related: other.id });
  const wrong = await test.v1("POST", "/posts", { body: { title: "T", status, page: other.id } });
  assertRefused(wrong, 422, "VALIDATION_FAILED", ["page INVALID_REFERENCE"]);
  await test.v1("DELETE", `/pages/${page.id}`);
  // What leads nowhere by now may stay as it is, but nothing new may lead there.
  const body = { title: "U", related: other.id };
  const patched = await test.v1("PATCH", `/posts/${right.id}`, { body });
  assertEquals([patched.status, patched.json.title, patched.json.page], [200, "U", page.id]);
  const added = await test.v1("POST", "/posts", { body: { title: "T", status, page: page.id } });
  assertRefused(added, 422, "VALIDATION_FAILED", ["page INVALID_REFERENCE"]);
  const cleared = await test.v1("PATCH", `/posts/${right.id}`, { body: { ...body, page: null } });
  assertEquals([cleared.status, cleared.json.title], [200, "U"]);
});

Deno.test("a published document may point at itself", async () => {
  await using test = await headless(FIELDS);
  const { id } = await test.post({ title: "T", status: "published" });
  const answer = await test.v1("PATCH", `/posts/${id}`, { body: { related: id } });
  assertEquals([answer.status, answer.json.related], [200, id]);
  assertEquals((await test.v1("GET", `/posts?field.related=${id}`)).json.meta.total, 1);
});

Deno.test("a published document stays as it is when a reference target is removed", async () => {
  await using test = await headless(FIELDS);
  const target = await test.post({ title: "Target" });
  const post = await test.post({ title: "T", status: "published", related: target.id });
  await test.v1("DELETE", `/posts/${target.id}`);
  assertEquals((await test.v1("GET", `/posts/${post.id}`)).json, post);
  const same = await test.v1("PATCH", `/posts/${post.id}`, { body: post });
  assertEquals(
    [same.status, same.json],
    [200, post],
    "what is sent back unchanged changes nothing",
  );
});
