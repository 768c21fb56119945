/** A store of format 2 is packed in the background despite concurrent changes. */
import { currentKey, formatKey, versionKey } from "../../../kv/keys.ts";
import { siteEntryKey, sitemapPartPrefix } from "../../../kv/pages/page_keys.ts";
import { beginsPart } from "../../../kv/pages/sitemap_parts.ts";
import { Operation } from "../../../kv/store/operation.ts";
import { finishFormat, FORMAT } from "../../../kv/upgrade/stored_format.ts";
import { decodeState, encodeState, unpackedBytes } from "../../../kv/versioning/state_codec.ts";
import { assert, assertEquals } from "../../support/harness/assert.ts";
import { Harness } from "../../support/harness/harness.ts";
import { NOON, type TestContext, testContext } from "../../support/harness/context.ts";

interface Row {
  n: number;
  body: Uint8Array;
}

/** A store of format 2 with so many documents of one version, each with a line of the sitemap. */
async function oldStore(count: number): Promise<{ context: TestContext; ids: string[] }> {
  const context = await testContext();
  const harness = new Harness(1);
  const ids = Array.from({ length: count }, (_, n) => harness.newId(NOON + n));
  for (const [n, id] of ids.entries()) {
    const text = `${n} `.repeat(n % 3 === 0 ? 10 : 900);
    const body = encodeState({ id, title: `Story ${n}`, data: { text } });
    const row = { n: 1, vid: id, at: 1, body };
    await context.store.commit(
      new Operation().set(currentKey("document", id), row)
        .set(versionKey("document", id, 1), { ...row, by: null, summary: null })
        .set(siteEntryKey(id), [`/posts/${n}`, 1_700_000_000 + n])
        .set(["listing_marks", "posts", n], "-".repeat(16)),
    );
  }
  await context.store.commit(new Operation().set(formatKey, { format: 2 }));
  return { context, ids };
}

Deno.test("states of an older store are packed, the sitemap gets its parts, and stored lists are removed", async () => {
  const { context, ids } = await oldStore(1_100);
  await using _ = context;
  const { store } = context;
  const before = new Map<string, unknown>();
  for (const id of ids) {
    const { value } = await store.get<Row>(currentKey("document", id));
    before.set(id, decodeState(value!.body));
  }

  await finishFormat(context);

  let packed = 0;
  for (const id of ids) {
    const rows = await store.getMany([currentKey("document", id), versionKey("document", id, 1)]);
    for (const { value } of rows) {
      const { body } = value as Row;
      assertEquals(decodeState(body), before.get(id));
      if (unpackedBytes(body) > body.byteLength) packed += 1;
      else assert(body.byteLength < 700);
    }
  }
  assertEquals(packed, 2 * ids.filter((_, n) => n % 3 !== 0).length);
  const parts = await store.listAll({ prefix: sitemapPartPrefix });
  assertEquals(parts.map(({ key }) => key[1]), ids.filter(beginsPart));
  assertEquals(await store.listAll({ prefix: ["listing_marks"] }), []);
  assertEquals((await store.get(formatKey)).value, { format: FORMAT });
});

Deno.test("a row that is changed while a store is packed keeps the change", async () => {
  const { context, ids } = await oldStore(20);
  await using _ = context;
  const { store } = context;
  const commit = store.commit.bind(store);
  let commits = 0;
  store.commit = async (operation) => {
    if (commits++ === 2) {
      for (const id of ids) {
        const key = currentKey("document", id);
        const row = { n: 2, vid: id, at: 2, body: encodeState({ id, title: "Changed" }) };
        await commit(new Operation().set(key, row));
      }
    }
    return await commit(operation);
  };

  await finishFormat(context);

  for (const id of ids) {
    const { value } = await store.get<Row>(currentKey("document", id));
    assertEquals(decodeState(value!.body) as unknown, { id, title: "Changed" });
  }
});
