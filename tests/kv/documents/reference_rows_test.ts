import { assertEquals } from "@std/assert";
import {
  countReferrers,
  ReferenceLookup,
  referrersOf,
  stageReferences,
} from "../../../kv/documents/reference_rows.ts";
import { REFERENCE_ROWS_MAX } from "../../../kv/limits/store.ts";
import type { DocumentState } from "../../../kv/model/entities/document.ts";
import { referencedIds } from "../../../kv/model/fields/referenced_ids.ts";
import { Operation } from "../../../kv/store/operation.ts";
import { testApp } from "../../support/sites/app.ts";
import { testContext } from "../../support/harness/context.ts";

const id = (n: number) => `01ARZ3NDEKTSV4RRFF${String(n).padStart(8, "0")}`;
type Parts = Pick<DocumentState, "data" | "blocks">;

Deno.test("referencedIds() finds ids wherever they stand, but no block's own", () => {
  const state: Parts = {
    data: {
      hero: id(1),
      text: `not ${id(9)} inside words`,
      gallery: [{ image: id(2), id: id(3) }],
      body: [{ _type: "image", _key: id(8), media: id(4) }],
    },
    blocks: [{ type: "quote", id: id(7), data: { portrait: id(5), again: id(1) } }],
  };

  assertEquals([...referencedIds(state)].sort(), [1, 2, 3, 4, 5].map(id));
});

Deno.test("stageReferences() keeps the rows of exactly the referenced entities", async () => {
  await using context = await testContext();
  const lookup = new ReferenceLookup(context);
  const states: (Parts | null)[] = [
    { data: { a: id(1), b: id(2) }, blocks: [] },
    { data: { a: id(2), b: [id(3)] }, blocks: [] },
    { data: {}, blocks: [] },
    { data: { a: id(1) }, blocks: [] },
    null,
  ];
  let before: Parts | null = null;
  for (const after of states) {
    const operation = new Operation();
    stageReferences(operation, id(50), before, after);
    await context.store.commit(operation);
    before = after;

    const isReferenced = await lookup.current();

    const wanted = after === null ? new Set() : referencedIds(after);
    for (const n of [1, 2, 3]) {
      assertEquals(isReferenced(id(n)), wanted.has(id(n)));
      assertEquals(await referrersOf(context, id(n), 10), wanted.has(id(n)) ? [id(50)] : []);
    }
  }
});

Deno.test("a document that references more than get a row is found all the same", async () => {
  await using test = await testApp();
  await test.setUp();
  await test.collection({ slug: "walls", name: "Walls", fields: [{ name: "all", type: "json" }] });
  const many = Array.from({ length: REFERENCE_ROWS_MAX + 20 }, (_, n) => id(n));
  const made = await test.admin("POST", "/documents", {
    collection: "walls",
    title: "All of them",
    all: many,
  });
  const lookup = new ReferenceLookup(test.context);

  const isReferenced = await lookup.current();

  assertEquals(many.filter((one) => !isReferenced(one)), []);
  assertEquals(isReferenced(id(9_999)), false);
  assertEquals(await referrersOf(test.context, many.at(-1)!, 10), [made.json.id]);
  const asked = [many[0]!, many.at(-1)!, id(9_999)];
  assertEquals(await countReferrers(test.context, asked, 10), [1, 1, 0]);
  await test.admin("PATCH", `/documents/${made.json.id}`, { all: many.slice(0, 2) });
  const now = await lookup.current();
  assertEquals(many.filter(now), many.slice(0, 2));
});

Deno.test("countReferrers() counts each document once, up to a maximum, with a read for each id", async () => {
  await using context = await testContext();
  const operation = new Operation();
  for (let n = 0; n < 12; n++) {
    const data = { cover: id(1), again: [id(1)], ...(n < 3 && { portrait: id(2) }) };
    stageReferences(operation, id(100 + n), null, { data, blocks: [] });
  }
  await context.store.commit(operation);

  assertEquals(await countReferrers(context, [id(1), id(2), id(3)], 100), [12, 3, 0]);
  assertEquals(await countReferrers(context, [id(1), id(2)], 10), [10, 3]);
  assertEquals(await countReferrers(context, [], 10), []);
});
