/** Collections as they were, on a site that is larger than what is worked out at once. */
import type { Content } from "../../../kv/documents/content.ts";
import { stageDocument } from "../../../kv/documents/write.ts";
import { UNATTENDED } from "../../../kv/model/entities/entity.ts";
import { versionedWrite } from "../../../kv/versioning/versioned_write.ts";
import { PastReader } from "../../../kv/history/past_collections.ts";
import type { Collection } from "../../../kv/model/entities/collection.ts";
import { Refusal } from "../../../kv/refusals.ts";
import { assert, assertEquals, assertRejects } from "../../support/harness/assert.ts";
import { headless, NOON_SECONDS } from "../../support/sites/headless.ts";

/** Deletes a document for good. */
async function erase(content: Content, collection: Collection, id: string): Promise<void> {
  await versionedWrite(content.context, UNATTENDED, async (transaction) => {
    const head = await transaction.head("document", id);
    await stageDocument(transaction, content, { collection, head, after: null });
  });
}

/**
 * Six posts and two hundred notes; then a post changes, one is trashed, one is erased, one comes, and notes are
 * trashed and erased.
 */
async function story() {
  const test = await headless([]);
  const note = await test.collection({ slug: "notes", name: "Notes", fields: [] });
  const posts = [];
  for (let n = 0; n < 6; n++) posts.push(await test.post({ title: `P${n}` }));
  const notes = await Promise.all(
    Array.from({ length: 200 }, (_, n) => test.v1("POST", "/notes", { body: { title: `N${n}` } })),
  );
  test.context.advance(10_000);
  await test.v1("PATCH", `/posts/${posts[0].id}`, { body: { title: "Changed" } });
  await test.v1("DELETE", `/posts/${posts[1].id}`);
  await erase(test.deps.content, test.posts, posts[2].id);
  await test.post({ title: "Later" });
  await test.v1("DELETE", `/notes/${notes[0]!.json.id}`);
  await erase(test.deps.content, note, notes[1]!.json.id);
  test.context.advance(10_000);
  const { content } = test.deps;
  const schema = await content.schema.current();
  /** Titles and, with them, how many round trips they took. */
  const titlesOf = async (reader: PastReader, collection: Collection) => {
    const before = test.context.store.counts.reads;
    const { rows } = await reader.at(schema, NOON_SECONDS, [collection]);
    const titles = rows.get(collection.id)!.map(({ title }) => title).sort().join(" ");
    return { titles, reads: test.context.store.counts.reads - before };
  };
  return { test, content, note, titlesOf };
}

Deno.test("at: the bound counts the documents of a collection, not those of the site", async () => {
  const { test, content, note, titlesOf } = await story();
  await using _closed = test;
  const bounded = new PastReader(content, { documentsMax: 6 });
  const posts = await titlesOf(bounded, test.posts);
  assertEquals(posts.titles, "P0 P1 P2 P3 P4 P5");
  assert(posts.reads < 15, `${posts.reads}: versions of two hundred notes are not read`);

  const refused = await assertRejects(() => titlesOf(bounded, note), Refusal);
  const before = test.context.store.counts.reads;
  await assertRejects(
    () => titlesOf(new PastReader(content, { documentsMax: 190 }), note),
    Refusal,
  );
  const reads = test.context.store.counts.reads - before;
  assert(reads < 15, `${reads}: a collection that is too large is refused before it is read`);
  assertEquals(refused.code, "PARAMETER_INVALID");
  assert(/up to 6 documents, and notes had more/.test(refused.message));
  assertEquals((await titlesOf(bounded, test.posts)).titles, "P0 P1 P2 P3 P4 P5");
});

Deno.test("at: cached data of one collection is not used for another", async () => {
  const { test, content, note, titlesOf } = await story();
  await using _closed = test;
  const bounded = new PastReader(content, { documentsMax: 200 });
  assertEquals((await titlesOf(bounded, test.posts)).titles, "P0 P1 P2 P3 P4 P5");
  assertEquals((await titlesOf(bounded, test.posts)).reads, 0);
  assertEquals((await titlesOf(bounded, note)).titles.split(" ").length, 200);
});
