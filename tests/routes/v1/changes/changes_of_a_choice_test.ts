/** The change feed of chosen collections: a choice filters what is reported, and removes nothing. */
import { assert, assertEquals } from "../../../support/harness/assert.ts";
import { Mirror, page } from "../../../support/stores/change_mirror.ts";
import { headless } from "../../../support/sites/headless.ts";

Deno.test("a cursor continues with another choice of collections, which removes nothing", async () => {
  await using test = await headless();
  await test.collection({ slug: "pages", name: "Pages" });
  for (const title of ["One", "Two", "Three"]) await test.post({ title });
  await test.v1("POST", "/pages", { body: { title: "Page" } });
  const mirror = new Mirror(test, test.full, "limit=1");
  await mirror.catchUp();
  assertEquals(mirror.documents.size, 4);

  for (const query of ["limit=1", "limit=1000", "include=none"]) {
    const narrowed = await page(test, `collection=pages&${query}&since=${mirror.cursor}`);
    assertEquals([query, narrowed.data], [query, []]);
    const wider = await page(test, `since=${narrowed.meta.cursor}`);
    assertEquals([query, wider.data], [query, []]);
  }

  // Changes of the others are passed over; what is chosen is reported.
  await test.post({ title: "Four" });
  const { id } = (await test.v1("POST", "/pages", { body: { title: "Other" } })).json;
  for (const query of ["limit=10", "include=none", "wait=20"]) {
    const chosen = await page(test, `collection=pages&${query}&since=${mirror.cursor}`);
    assertEquals(chosen.data.map((one) => [one.change, one.id]), [["upserted", id]]);
  }
  const both = await page(test, `collection=posts,pages&since=${mirror.cursor}`);
  assertEquals(both.data.map((one) => one.collection), ["posts", "pages"]);
  await mirror.catchUp();
  assertEquals(mirror.documents.size, 6);
});

Deno.test("in the middle of the first documents, too, a choice removes nothing and loses nothing", async () => {
  await using test = await headless();
  await test.collection({ slug: "pages", name: "Pages" });
  for (const title of ["One", "Two", "Three"]) await test.post({ title });
  await test.v1("POST", "/pages", { body: { title: "Page" } });
  const mirror = new Mirror(test, test.full, "limit=1");
  const first = await page(test, "limit=2");
  for (const { id, document } of first.data) mirror.documents.set(id, document);
  let { cursor } = first.meta;
  for (let turn = 0; turn < 3; turn++) {
    const { data, meta } = await page(test, `limit=1&collection=pages&since=${cursor}`);
    for (const { change, id, document, collection } of data) {
      assertEquals([change, collection], ["upserted", "pages"]);
      mirror.documents.set(id, document);
    }
    cursor = meta.cursor;
  }
  mirror.cursor = cursor;
  await mirror.catchUp();
  assertEquals(mirror.documents.size, 4);
});

Deno.test("a stream of chosen collections removes nothing of the others", async () => {
  await using test = await headless();
  await test.collection({ slug: "pages", name: "Pages" });
  await test.post({ title: "Post" });
  const { meta } = await page(test, "limit=10");
  const response = await test.app.fetch(
    new Request(`http://localhost/api/v1/_changes?collection=pages&since=${meta.cursor}`, {
      headers: { authorization: `Bearer ${test.full}`, accept: "text/event-stream" },
    }),
    { remoteAddr: { transport: "tcp", hostname: "192.0.2.1", port: 1 } },
  );
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  await test.v1("POST", "/pages", { body: { title: "Page" } });
  let text = "";
  while (!text.includes("data:")) text += (await reader.read()).value ?? "";
  assert(!text.includes('"removed"') && text.includes('"pages"'), text);
  await reader.cancel();
});

Deno.test("a chosen collection that the token loses is removed, and comes back", async () => {
  await using test = await headless();
  await test.setUp();
  await test.collection({ slug: "pages", name: "Pages" });
  const { id } = (await test.v1("POST", "/pages", { body: { title: "Page" } })).json;
  await test.post({ title: "Post" });
  let { meta: { cursor } } = await page(test, "limit=10");
  for (const [exposed, change] of [[false, "removed"], [true, "upserted"]] as const) {
    await test.admin("PATCH", "/collections/pages", { exposed });
    const { data, meta } = await page(test, `collection=pages&since=${cursor}`);
    assertEquals(data.map((one) => [one.change, one.id]), [[change, id]]);
    cursor = meta.cursor;
  }
});
