/** Changes that are made while a consumer receives every document. */
import { compactChanges } from "../../../../kv/changes/compaction.ts";
import { assertEquals } from "../../../support/harness/assert.ts";
import { type Headless, headless } from "../../../support/sites/headless.ts";

interface Page {
  data: { id: string; version: number }[];
  meta: { cursor: string; hasMore: boolean };
}

async function page(test: Headless, query: string): Promise<Page> {
  return (await test.v1("GET", `/_changes?${query}`, { token: test.full })).json;
}

Deno.test("documents that change during the sync are reported once, with the changes", async () => {
  await using test = await headless();
  const posts = [];
  for (let n = 0; n < 4; n++) posts.push(await test.post({ title: `Post ${n}` }));
  const [first, , third, fourth] = posts;
  const all = await page(test, "limit=1");
  await test.v1("PATCH", `/posts/${fourth!.id}`, { body: { rating: 1 } });
  await compactChanges(test.context);
  await test.v1("PATCH", `/posts/${third!.id}`, { body: { rating: 2 } });
  await test.v1("PATCH", `/posts/${first!.id}`, { body: { rating: 3 } });
  const fifth = await test.post({ title: "Post 4" });
  for (let { cursor, hasMore } = all.meta; hasMore;) {
    const next = await page(test, `limit=1&since=${cursor}`);
    all.data.push(...next.data);
    ({ cursor, hasMore } = next.meta);
  }
  assertEquals(all.data.map(({ id, version }) => [id, version]), [
    [first!.id, 1],
    [posts[1]!.id, 1],
    [fourth!.id, 2],
    [third!.id, 2],
    [first!.id, 2],
    [fifth.id, 1],
  ]);
});
