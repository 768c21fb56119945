import { assertEquals } from "@std/assert";
import fc from "fast-check";
import type { Json } from "../../../../kv/model/entities/entity.ts";
import { parsePath, withoutValue, withValue } from "../../../../kv/model/entities/document_path.ts";

const row = (key: string, text = "") => ({ _key: key, text });
const set = (value: Json, path: string, replacement: Json, mode: "strict" | "rebase" = "strict") =>
  withValue(value, parsePath(path)!, replacement, mode);

Deno.test("parsePath() refuses what has no steps, or too many", () => {
  assertEquals(parsePath("gallery.2.caption"), ["gallery", "2", "caption"]);
  assertEquals([parsePath(""), parsePath("a..b"), parsePath(".a"), parsePath("a.")], [
    null,
    null,
    null,
    null,
  ]);
  assertEquals(parsePath("a.".repeat(60) + "a"), null);
  assertEquals(parsePath("a".repeat(513)), null);
});

Deno.test("withValue() finds elements by position and by key", () => {
  const rows = [row("a"), row("b")];
  assertEquals(set({ rows }, "rows.1.text", "x"), { rows: [row("a"), row("b", "x")] });
  assertEquals(set({ rows }, "rows.b.text", "x"), { rows: [row("a"), row("b", "x")] });
  assertEquals(set({ rows }, "rows.2", row("c")), { rows: [...rows, row("c")] });
  assertEquals(set({ rows }, "rows.c", row("c")), { rows: [...rows, row("c")] });
  assertEquals(set([{ id: "X", data: {} }], "X.data.title", "t"), [
    { id: "X", data: { title: "t" } },
  ]);
  assertEquals(set({}, "rows.0.text", "x"), { rows: [{ text: "x" }] });
  assertEquals(set({ rows: null }, "rows.0.text", "x"), { rows: [{ text: "x" }] });
});

Deno.test("withValue() inserts after an element, moves the following ones, and loses none", () => {
  const rows = [row("a"), row("b"), row("c")];
  const keys = (value: Json | undefined) => (value as { _key: string }[]).map(({ _key }) => _key);
  assertEquals(keys(set(rows, "+a", [row("n"), row("m")])), ["a", "n", "m", "b", "c"]);
  assertEquals(keys(set(rows, "+", row("n"))), ["n", "a", "b", "c"]);
  assertEquals(keys(set(rows, "+c", row("a"))), ["b", "c", "a"]);
  assertEquals(keys(set(rows, "+a", [row("a"), row("n")])), ["a", "n", "b", "c"]);
  assertEquals(keys(set(rows, "+gone", row("n"))), ["a", "b", "c", "n"]);
});

Deno.test("withValue() leads nowhere strictly, and to the nearest place in a rebase", () => {
  assertEquals(set([row("a")], "7.text", "x"), undefined);
  assertEquals(set([row("a")], "7.text", "x", "rebase"), [row("a"), { text: "x" }]);
  assertEquals(set([row("a")], "gone.text", "x", "rebase"), undefined);
  assertEquals(set("text", "a", "x"), undefined);
  assertEquals(set({ a: 1 }, "a.b", "x", "rebase"), undefined);
});

Deno.test("withoutValue() takes elements and members away, and minds nothing that is not there", () => {
  const value = { rows: [row("a"), row("b")], one: { two: 1 } };
  const without = (path: string) => withoutValue(value, parsePath(path)!);
  assertEquals(without("rows.a"), { ...value, rows: [row("b")] });
  assertEquals(without("rows.1"), { ...value, rows: [row("a")] });
  assertEquals(without("one.two"), { ...value, one: {} });
  for (const path of ["rows.2", "rows.c", "rows.c.text", "none", "one.none", "one.two.three.x"]) {
    assertEquals((without(path) as typeof value).rows, value.rows);
  }
});

Deno.test("withValue() neither changes what it was given nor fails on any path", () => {
  const step = fc.oneof(
    fc.constantFrom("0", "1", "9", "a", "b", "+", "+a", "__proto__", "constructor", "length"),
    fc.string({ minLength: 1, maxLength: 4 }),
  );
  fc.assert(fc.property(
    fc.jsonValue({ maxDepth: 4 }),
    fc.array(step, { minLength: 1, maxLength: 4 }),
    fc.jsonValue({ maxDepth: 2 }),
    (value, steps, replacement) => {
      const before = JSON.stringify(value);
      const after = withValue(value as Json, steps, replacement as Json, "rebase");
      withoutValue(value as Json, steps);
      assertEquals(JSON.stringify(value), before);
      if (after !== undefined) JSON.stringify(after);
      assertEquals(({} as Record<string, unknown>).polluted, undefined);
      // Setting twice is setting once: what is sent again does no harm.
      if (after === undefined) return;
      assertEquals(withValue(after, steps, replacement as Json, "rebase") !== undefined, true);
    },
  ));
});
