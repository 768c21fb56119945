/** The change feed of a token that sees one collection: the documents of others are none of its concern. */
import { callApp, secondApp } from "../../../support/sites/app.ts";
import { assert, assertEquals } from "../../../support/harness/assert.ts";
import { headless } from "../../../support/sites/headless.ts";

Deno.test("the feed reads nothing of collections that its token does not see", async () => {
  await using test = await headless();
  const big = { name: "big", label: "Big", type: "json" };
  await test.collection({ slug: "archive", name: "Archive", fields: [big] });
  const { objects } = test.context;
  /** Writes a large document, whose contents are lost. */
  const writeLost = async () => {
    const body = { title: "Large", big: "x".repeat(300_000) };
    assertEquals((await test.v1("POST", "/archive", { body })).status, 201);
    const stored = await Array.fromAsync(objects.list(""));
    assert(stored.length > 0);
    for (const { key } of stored) await objects.delete(key);
  };
  await writeLost();
  const { id } = await test.post({ title: "Small" });
  const { app } = secondApp(test.context);
  const token = await test.token({ scopes: ["posts:read", "posts:read-drafts"] });
  const ask = async (query = "") => {
    const answer = await callApp(app, "GET", `/api/v1/_changes${query}`, { token });
    assertEquals(answer.status, 200, answer.text);
    const { data, meta } = answer.json;
    return { ids: data.map((one: { id: string }) => one.id), meta };
  };
  const { ids, meta: { cursor } } = await ask();
  assertEquals(ids, [id]);
  await writeLost();
  const later = await test.post({ title: "Later" });
  assertEquals((await ask(`?since=${cursor}`)).ids, [later.id]);
});
