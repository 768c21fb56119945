import { checkComplete, fillDefaults } from "../../../../kv/model/input/document_check.ts";
import type { Json } from "../../../../kv/model/entities/entity.ts";
import { assertEquals } from "../../../support/harness/assert.ts";
import {
  codes,
  collectionOf,
  draft,
  field,
  ID,
  nested,
  schemaOf,
} from "../../../support/sites/fields.ts";

const collection = collectionOf(
  field("body", "text", { maxLength: 3 }, true),
  field("tags", "multi_select", { choices: ["a"] }, true),
  field("flag", "boolean", { default: false }, true),
  field("count", "number", { default: 7 }, true),
  field("cover", "media", { mimes: ["image/png"] }),
  field("rows", "repeater", { fields: [nested("link", "reference", {}, true)] }),
  field("parts", "block"),
);
const schema = schemaOf(collection, { quote: [nested("text", "text", {}, true)] });

const check = (values: Record<string, Json>) => checkComplete(draft(values), collection, schema);

Deno.test("checkComplete() asks for every required value, and takes false and 0 for values", () => {
  assertEquals(codes(check({}).details), [
    "body REQUIRED",
    "count REQUIRED",
    "flag REQUIRED",
    "tags REQUIRED",
  ]);
  const full = { k_body: "x", k_tags: ["a"], k_flag: false, k_count: 0 };
  assertEquals(check(full).details, []);
  assertEquals(codes(check({ ...full, k_body: " ", k_tags: [] }).details), [
    "body REQUIRED",
    "tags REQUIRED",
  ]);
});

Deno.test("checkComplete() looks into nested values and collects all references", () => {
  const { details, references } = check({
    k_body: "x",
    k_tags: ["a"],
    k_flag: true,
    k_count: 1,
    k_cover: ID,
    k_rows: [{ link: ID }, {}],
    k_parts: [{ type: "quote", id: "q", data: {} }],
  });
  assertEquals(codes(details), ["parts.0.data.text REQUIRED", "rows.1.link REQUIRED"]);
  assertEquals(references, [
    { kind: "media", id: ID, path: "cover", mimes: ["image/png"] },
    { kind: "document", id: ID, path: "rows.0.link" },
  ]);
});

Deno.test("checkComplete() does not mind values that today's definitions would refuse", () => {
  const values = { k_body: "too long", k_tags: ["gone"], k_flag: 1, k_count: "x", k_parts: [{}] };
  assertEquals(codes(check(values).details), ["parts.0.type REQUIRED"]);
  assertEquals(check({ ...values, k_parts: [{ type: "gone", id: "x", data: {} }] }).details, []);
});

Deno.test("fillDefaults() gives defaults to omitted fields", () => {
  const values: Record<string, Json> = { k_count: null };
  fillDefaults(values, collection);
  assertEquals(values, { k_count: null, k_flag: false });
});
