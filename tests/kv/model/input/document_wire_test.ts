import { adminWire, toWire } from "../../../../kv/model/input/document_wire.ts";
import { FIELD_TYPE_NAMES } from "../../../../kv/model/fields/field_definition.ts";
import { assertEquals } from "../../../support/harness/assert.ts";
import { collectionOf, draft, field, ID } from "../../../support/sites/fields.ts";

Deno.test("toWire() shows framing, every field by its name in order, and the block tree", () => {
  const collection = collectionOf(
    field("rating", "number"),
    field("note", "text"),
    field("any", "json"),
  );
  const state = draft({ k_any: [0], k_rating: 0, k_gone: 1 });
  const expected = {
    id: ID,
    slug: "a-post",
    title: "A post",
    status: "draft",
    createdAt: 1,
    updatedAt: 2,
    publishedAt: null,
    rating: 0,
    note: null,
    any: [0],
    blocks: [],
  };
  assertEquals(JSON.stringify(toWire(state, collection)), JSON.stringify(expected));
});

Deno.test("toWire() shows null for values that an earlier type left behind", () => {
  const collection = collectionOf(...FIELD_TYPE_NAMES.map((type) => field(type, type)));
  const kept = (value: unknown) => {
    const values = Object.fromEntries(FIELD_TYPE_NAMES.map((type) => [`k_${type}`, value]));
    const wire = toWire(draft(values as Record<string, never>), collection);
    return FIELD_TYPE_NAMES.filter((type) => wire[type] !== null);
  };
  const texts = ["text", "select", "url", "email", "json", "media", "reference"];
  assertEquals(kept("x") as string[], texts);
  assertEquals(kept(1), ["number", "datetime", "json"]);
  assertEquals(kept(true), ["boolean", "json"]);
  assertEquals(kept([]), ["rich_text", "multi_select", "json", "references", "repeater", "block"]);
  assertEquals(kept({}), ["json", "group"]);
  assertEquals(kept(null), []);
});

Deno.test("adminWire() adds the collection and the time of publishing", () => {
  const state = { ...draft({}), publishAt: 9 };
  const { collection, publishAt } = adminWire(state, collectionOf());
  assertEquals([collection, publishAt], ["posts", 9]);
});
