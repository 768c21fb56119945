import { assertEquals } from "@std/assert";
import {
  Mentioned,
  mentioning,
  MENTIONS_MAX,
  stageMentions,
} from "../../../kv/documents/mention_rows.ts";
import type { DocumentState } from "../../../kv/model/document.ts";
import { mentionsOf } from "../../../kv/model/mentions.ts";
import { Operation } from "../../../kv/store/operation.ts";
import { testApp } from "../../support/app.ts";
import { testContext } from "../../support/context.ts";

const id = (n: number) => `01ARZ3NDEKTSV4RRFF${String(n).padStart(8, "0")}`;
type Parts = Pick<DocumentState, "data" | "blocks">;

Deno.test("mentionsOf() finds ids wherever they stand, but no block's own", () => {
  const state: Parts = {
    data: {
      hero: id(1),
      text: `not ${id(9)} inside words`,
      gallery: [{ image: id(2), id: id(3) }],
      body: [{ _type: "image", _key: id(8), media: id(4) }],
    },
    blocks: [{ type: "quote", id: id(7), data: { portrait: id(5), again: id(1) } }],
  };

  assertEquals([...mentionsOf(state)].sort(), [1, 2, 3, 4, 5].map(id));
});

Deno.test("stageMentions() keeps the rows of exactly what is mentioned", async () => {
  await using context = await testContext();
  const mentioned = new Mentioned(context);
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
    stageMentions(operation, id(50), before, after);
    await context.store.commit(operation);
    before = after;

    const isMentioned = await mentioned.current();

    const wanted = after === null ? new Set() : mentionsOf(after);
    for (const n of [1, 2, 3]) {
      assertEquals(isMentioned(id(n)), wanted.has(id(n)));
      assertEquals(await mentioning(context, id(n), 10), wanted.has(id(n)) ? [id(50)] : []);
    }
  }
});

Deno.test("a document that mentions more than get a row is found all the same", async () => {
  await using test = await testApp();
  await test.setUp();
  await test.collection({ slug: "walls", name: "Walls", fields: [{ name: "all", type: "json" }] });
  const many = Array.from({ length: MENTIONS_MAX + 20 }, (_, n) => id(n));
  const made = await test.admin("POST", "/documents", {
    collection: "walls",
    title: "All of them",
    all: many,
  });
  const mentioned = new Mentioned(test.context);

  const isMentioned = await mentioned.current();

  assertEquals(many.filter((one) => !isMentioned(one)), []);
  assertEquals(isMentioned(id(9_999)), false);
  assertEquals(await mentioning(test.context, many.at(-1)!, 10), [made.json.id]);
  await test.admin("PATCH", `/documents/${made.json.id}`, { all: many.slice(0, 2) });
  const now = await mentioned.current();
  assertEquals(many.filter(now), many.slice(0, 2));
});
