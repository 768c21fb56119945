import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { BODY_DEPTH_MAX, CURSOR_CHARS_MAX, QUERY_CHARS_MAX } from "../../../kv/limits/requests.ts";
import { parseCollection } from "../../../kv/model/input/collection_input.ts";
import type { Collection, Schema } from "../../../kv/model/entities/collection.ts";
import { Refusal } from "../../../kv/refusals.ts";
import { formatCursor, parseCursor } from "../../../routes/query/cursor.ts";
import { filterTarget } from "../../../routes/query/filter_target.ts";
import { parseJsonAt } from "../../../routes/query/json_position.ts";
import { Parameters } from "../../../routes/query/parameters.ts";
import { refuseWrongFilter } from "../../../routes/query/webhook_filter.ts";

/** The fault of a JSON text and where it is. */
function faultOf(text: string): string {
  try {
    parseJsonAt(text, (fault, at) => {
      throw new RangeError(`${at}: ${fault}`);
    });
    return "none";
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return error.message;
  }
}

const codeOf = (work: () => unknown) => assertThrows(work, Refusal).code;

Deno.test("parseJsonAt() reports the fault of a text, and its position", () => {
  const faults = {
    "": "0: it ends too soon",
    " x": "1: a value is expected",
    "[1 2]": "3: , or ] is expected",
    "[1": "2: , or ] is expected",
    '{"a":1 "b":2}': "7: , or } is expected",
    "[1,]": "3: a value is expected",
    '{"a":1,}': "7: a key in quotation marks is expected",
    '{"a" 1}': "5: : is expected",
    '{"a":1, "a":2}': "8: the key comes twice",
    "1 2": "2: nothing may follow",
    ' {"a": [1, {"b": null}]} ': "none",
  };
  for (const [text, fault] of Object.entries(faults)) assertEquals(faultOf(text), fault, text);
});

Deno.test("parseJsonAt() counts levels", () => {
  const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
  assertEquals(faultOf(nested(BODY_DEPTH_MAX + 1)), "none");
  assertEquals(
    faultOf(nested(BODY_DEPTH_MAX + 2)),
    `${BODY_DEPTH_MAX + 1}: it is nested too deeply`,
  );
});

Deno.test("parseJsonAt() accepts what JSON.parse() does, except for a key that comes twice", () => {
  const isJson = (text: string) => {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  };
  const piece = fc.constantFrom(
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    '"a"',
    '"b"',
    "1",
    "-0.5e3",
    "null",
    " ",
  );
  fc.assert(fc.property(fc.array(piece, { maxLength: 9 }).map((all) => all.join("")), (text) => {
    const fault = faultOf(text);
    if (!fault.endsWith("the key comes twice")) assertEquals(fault === "none", isJson(text), text);
  }));
});

Deno.test("cursors that clients hold stay valid: their text does not change", () => {
  const position = { id: "01JD0000000000000000000000", values: ["a", null, 3] };
  const text = "WyI0OThiNTdhNCIsIjAxSkQwMDAwMDAwMDAwMDAwMDAwMDAwMDAwIiwiYSIsbnVsbCwzXQ";
  assertEquals(formatCursor(position, "C -rating"), text);
  assertEquals(parseCursor(text, "C -rating", 3), position);
  assertEquals(parseCursor("", "C -rating", 3), "start");
  for (const [order, keys] of [["C rating", 3], ["C -rating", 2]] as const) {
    assertEquals(codeOf(() => parseCursor(text, order, keys)), "CURSOR_INVALID");
  }
});

Deno.test("a cursor may have as many characters as the limit says", () => {
  const id = "01JD0000000000000000000000";
  const textOf = (chars: number) => formatCursor({ id, values: ["x".repeat(chars)] }, "C title");
  const free = CURSOR_CHARS_MAX / 4 * 3 - Math.ceil(textOf(0).length / 4 * 3);
  const longest = Array.from({ length: 9 }, (_, n) => textOf(free + n - 4))
    .findLast(({ length }) => length <= CURSOR_CHARS_MAX)!;
  assertEquals(longest.length, CURSOR_CHARS_MAX);
  assertEquals(typeof parseCursor(longest, "C title", 1), "object");
  assertEquals(codeOf(() => parseCursor(`${longest}A`, "C title", 1)), "CURSOR_INVALID");
});

Deno.test("a query string has a limit, and its refusal names the longest part", () => {
  const filter = (length: number) =>
    `sort=a&filter=${"x".repeat(length - "sort=a&filter=".length)}`;
  assertEquals(new Parameters(`?${filter(QUERY_CHARS_MAX)}`).all.length, 2);
  assertEquals(codeOf(() => new Parameters(filter(QUERY_CHARS_MAX + 1))), "FILTER_INVALID");
  const sorts = Array(QUERY_CHARS_MAX).fill("sort=a").join("&");
  assertEquals(codeOf(() => new Parameters(`filter=x&${sorts}`)), "SORT_FIELD_INVALID");
  assertEquals(codeOf(() => new Parameters("z".repeat(QUERY_CHARS_MAX + 1))), "PARAMETER_INVALID");
});

/** A collection as a schema has it. */
function collectionOf(slug: string, fields: Record<string, unknown>[]): Collection {
  const labelled = fields.map((field) => ({ label: field.name, indexed: true, ...field }));
  const input = parseCollection({ slug, name: slug, fields: labelled } as never);
  const known = input.fields.map((field, n) => ({ ...field, key: `k${n}` }));
  return { ...input, id: slug, fields: known } as unknown as Collection;
}

Deno.test("filters say what fits a field", () => {
  const posts = collectionOf("posts", [
    { name: "topic", type: "select", options: { choices: ["news", "howto"] } },
    { name: "related", type: "reference" },
    { name: "featured", type: "boolean" },
    { name: "summary", type: "text" },
    { name: "rating", type: "number" },
  ]);
  const keys = { framing: [], filtered: [] } as never;
  const fits = posts.fields.map(({ name }) => filterTarget(name, posts, keys).validValues);
  assertEquals(fits, [
    "one of news, howto",
    "an ID",
    "true or false",
    "text of at most 500 characters",
    "a value of the type number",
  ]);
});

Deno.test("a webhook's filter is refused if no collection takes it, or one that it names does not", () => {
  const posts = collectionOf("posts", [{ name: "rating", type: "number" }]);
  const pages = collectionOf("pages", []);
  const schema = { collections: [posts, pages], bySlug: new Map() } as unknown as Schema;
  const filter = { rating: 3 } as never;
  refuseWrongFilter(filter, null, schema);
  refuseWrongFilter(filter, ["posts"], schema);
  refuseWrongFilter(filter, [], schema);
  assertEquals(
    codeOf(() => refuseWrongFilter(filter, ["posts", "pages"], schema)),
    "FILTER_FIELD_INVALID",
  );
  const wrong = { rating: "many" } as never;
  assertThrows(() => refuseWrongFilter(wrong, null, schema), Refusal);
});
