/** The change feed where a commit has more changes than a page: the position is within the newest commit. */
import { recordChange } from "../../../../kv/changes/change_log.ts";
import { Operation } from "../../../../kv/store/operation.ts";
import { assertEquals } from "../../../support/harness/assert.ts";
import { type Headless, headless } from "../../../support/sites/headless.ts";

const DOCUMENTS = 12;

/** Changes documents with one commit, as writes that come together are; answers the cursor before it. */
async function changeTogether(test: Headless): Promise<string> {
  const ids: string[] = [];
  for (let n = 0; n < DOCUMENTS; n++) ids.push((await test.post({ title: `Title ${n}` })).id);
  const { json } = await test.v1("GET", "/_changes?limit=1000", { token: test.full });
  const { bySlug } = await test.deps.content.schema.current();
  const { id: collectionId } = bySlug.get("posts")!;
  const operation = new Operation();
  for (const id of ids) {
    const at = Math.floor(test.context.now() / 1000);
    recordChange(operation, { id, n: 2, collectionId, before: "draft", after: "draft", at });
  }
  await test.context.store.commit(operation);
  return json.meta.cursor;
}

for (const limit of [1, 5]) {
  Deno.test(`pages of ${limit} leave out nothing of the newest commit`, async () => {
    await using test = await headless();
    let since = await changeTogether(test);
    const ids: string[] = [];
    for (let hasMore = true; hasMore;) {
      const path = `/_changes?limit=${limit}&since=${since}`;
      const { json } = await test.v1("GET", path, { token: test.full });
      ids.push(...json.data.map(({ id }: { id: string }) => id));
      since = json.meta.cursor;
      hasMore = json.meta.hasMore;
    }
    assertEquals([ids.length, new Set(ids).size], [DOCUMENTS, DOCUMENTS]);
  });
}

Deno.test("an element's own cursor continues within its commit", async () => {
  await using test = await headless();
  const since = await changeTogether(test);
  const after = async (cursor: string) =>
    (await test.v1("GET", `/_changes?since=${cursor}`, { token: test.full })).json;
  const { data } = await after(since);
  assertEquals(data.length, DOCUMENTS);
  assertEquals((await after(data[3].cursor)).data, data.slice(4));
});
