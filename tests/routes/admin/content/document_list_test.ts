import type { Json } from "../../../../kv/model/entities/entity.ts";
import { answered, assertRefusal, listed } from "../../../support/sites/admin_answers.ts";
import { type TestApp, testApp } from "../../../support/sites/app.ts";
import { assertEquals } from "../../../support/harness/assert.ts";

/** Posts and pages, one of each in every status; titles tell which. */
async function site(): Promise<TestApp> {
  const test = await testApp();
  await test.setUp();
  const rating = { name: "rating", type: "number", indexed: true, sortable: true };
  await test.collection({ slug: "posts", name: "Posts", fields: [rating] });
  await test.collection({ slug: "pages", name: "Pages" });
  for (const collection of ["posts", "pages"]) {
    for (const status of ["draft", "published", "scheduled", "archived", "trashed"]) {
      await make(test, { collection, title: `${collection} ${status}` }, status);
    }
  }
  return test;
}

async function make(test: TestApp, body: Record<string, Json>, status = "draft"): Promise<string> {
  test.context.advance(1_000);
  const born = ["published", "scheduled"].includes(status) ? { status } : {};
  const { id } = answered(await test.admin("POST", "/documents", { ...body, ...born }), 201);
  if (status === "archived") answered(await test.admin("POST", `/documents/${id}/archive`), 200);
  if (status === "trashed") answered(await test.admin("DELETE", `/documents/${id}`), 204);
  return id;
}

async function titles(test: TestApp, query: string): Promise<string[]> {
  return listed(await test.admin("GET", `/documents?${query}`)).map(({ title }) => title);
}

Deno.test("GET /api/admin/documents lists every collection, newest first, without the trash", async () => {
  await using test = await site();
  const { data, meta } = answered(await test.admin("GET", "/documents"), 200);
  assertEquals(data.map(({ title }: { title: string }) => title), [
    "pages archived",
    "pages scheduled",
    "pages published",
    "pages draft",
    "posts archived",
    "posts scheduled",
    "posts published",
    "posts draft",
  ]);
  assertEquals(meta, { page: 1, perPage: 20, total: 8 });
  assertEquals([data[0].collection, "rating" in data[0], data[4].rating], ["pages", false, null]);
  assertEquals(data[0], answered(await test.admin("GET", `/documents/${data[0].id}`), 200));
});

Deno.test("GET /api/admin/documents by collection and status, trashed and any too", async () => {
  await using test = await site();
  for (const status of ["draft", "published", "scheduled", "archived", "trashed"]) {
    assertEquals(await titles(test, `status=${status}`), [`pages ${status}`, `posts ${status}`]);
    assertEquals(await titles(test, `status=${status}&collection=posts`), [`posts ${status}`]);
  }
  assertEquals((await titles(test, "status=any")).length, 10);
  assertEquals((await titles(test, "status=any&collection=pages")).length, 5);
  assertEquals(await titles(test, "collection=posts&status=draft,trashed"), [
    "posts trashed",
    "posts draft",
  ]);
  for (const status of ["live", "Draft", "", "any,live"]) {
    const answer = await test.admin("GET", `/documents?status=${status}`);
    const details = ["status INVALID_FILTER_VALUE"];
    assertRefusal(answer, 422, "VALIDATION_FAILED", details);
  }
  const nowhere = await test.admin("GET", "/documents?collection=nothing");
  assertRefusal(nowhere, 404, "COLLECTION_NOT_FOUND");
});

Deno.test("GET /api/admin/documents?q= looks into titles, in any case and spelling", async () => {
  await using test = await site();
  await make(test, { collection: "posts", title: "Crème Brûlée" });
  await make(test, { collection: "pages", title: "100% _sure_" });
  assertEquals(await titles(test, "q=crème"), ["Crème Brûlée"]);
  assertEquals(await titles(test, "q=BRÛL"), ["Crème Brûlée"]);
  assertEquals(await titles(test, `q=${encodeURIComponent("0% _")}`), ["100% _sure_"]);
  assertEquals(await titles(test, "q=trashed"), []);
  assertEquals(await titles(test, "q=trashed&status=any&collection=posts"), ["posts trashed"]);
  assertEquals((await titles(test, "q=")).length, 10);
  assertEquals(await titles(test, "q=%20POSTS%20&sort=title&perPage=2"), [
    "posts archived",
    "posts draft",
  ]);
  const long = await test.admin("GET", `/documents?q=${"x".repeat(101)}`);
  assertRefusal(long, 422, "VALIDATION_FAILED", ["q TOO_LONG"]);
});

Deno.test("GET /api/admin/documents sorts by framing keys, and by fields within one collection", async () => {
  await using test = await site();
  for (const rating of [3, 1, 2]) {
    await make(test, { collection: "posts", title: `R${rating}`, rating });
  }
  const posts = "collection=posts&status=draft";
  assertEquals(await titles(test, `${posts}&sort=rating`), ["R1", "R2", "R3", "posts draft"]);
  assertEquals(await titles(test, `${posts}&sort=-rating`), ["R3", "R2", "R1", "posts draft"]);
  assertEquals(await titles(test, `${posts}&field.rating=1&field.rating=3&sort=title`), [
    "R1",
    "R3",
  ]);
  assertEquals((await titles(test, "sort=-title"))[0], "R3");
  assertEquals(await titles(test, "sort=status,-slug&perPage=4"), [
    "posts archived",
    "pages archived",
    "R3",
    "R2",
  ]);
  const refused: [string, string][] = [
    ["sort=rating", "SORT_FIELD_INVALID"],
    ["collection=pages&sort=rating", "SORT_FIELD_INVALID"],
    ["sort=", "SORT_FIELD_INVALID"],
    ["sort=title&sort=nothing", "SORT_FIELD_INVALID"],
    ["field.rating=1", "FILTER_FIELD_INVALID"],
    ["collection=pages&field.rating=1", "FILTER_FIELD_INVALID"],
  ];
  for (const [query, code] of refused) {
    const answer = await test.admin("GET", `/documents?${query}`);
    assertEquals([answer.status, answer.json.error.code], [400, code], query);
  }
  const odd = await test.admin("GET", `/documents?${posts}&field.rating=many`);
  assertRefusal(odd, 422, "VALIDATION_FAILED", ["field.rating INVALID_FILTER_VALUE"]);
});

Deno.test("GET /api/admin/documents pages over several collections without gap or repetition", async () => {
  await using test = await site();
  const token = await test.token();
  for (let n = 0; n < 7; n++) {
    const collection = n % 2 === 0 ? "posts" : "pages";
    await test.call("POST", `/api/v1/${collection}`, { token, body: { title: "Same" } });
  }
  for (const sort of ["title", "-title", "createdAt", "-updatedAt", "status,title", "slug"]) {
    const whole = listed(await test.admin("GET", `/documents?sort=${sort}&perPage=100`));
    assertEquals(whole.length, 15);
    const paged: unknown[] = [];
    for (let page = 1; page <= 5; page++) {
      const answer = await test.admin("GET", `/documents?sort=${sort}&perPage=4&page=${page}`);
      assertEquals(answer.json.meta, { page, perPage: 4, total: 15 });
      paged.push(...listed(answer));
    }
    assertEquals(paged, whole, sort);
  }
});

Deno.test("GET /api/admin/documents shows every write at once", async () => {
  await using test = await site();
  const id = await make(test, { collection: "posts", title: "New" });
  assertEquals((await titles(test, ""))[0], "New");
  answered(await test.admin("PATCH", `/documents/${id}`, { title: "Newer" }), 200);
  assertEquals((await titles(test, ""))[0], "Newer");
  answered(await test.admin("DELETE", `/documents/${id}`), 204);
  assertEquals((await titles(test, ""))[0], "pages archived");
  assertEquals((await titles(test, "status=trashed"))[0], "Newer");
});
