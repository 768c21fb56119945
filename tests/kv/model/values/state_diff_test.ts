import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { DIFF_CHANGES_MAX } from "../../../../kv/limits/content.ts";
import type { Json, State } from "../../../../kv/model/entities/entity.ts";
import { diffStates } from "../../../../kv/model/values/state_diff.ts";

Deno.test("diffStates() lists additions, removals and changes, by path", () => {
  const before = { title: "One", data: { body: "a", tags: ["x", "y"] }, publishedAt: null };
  const after = { title: "Two", data: { tags: ["x", "z", "w"], rating: 3 }, publishedAt: null };

  const { changes, truncated } = diffStates(before, after);

  assertEquals(truncated, false);
  assertEquals(changes, [
    { path: "title", kind: "changed", before: "One", after: "Two" },
    { path: "data.body", kind: "removed", before: "a", after: null },
    { path: "data.tags.1", kind: "changed", before: "y", after: "z" },
    { path: "data.tags.2", kind: "added", before: null, after: "w" },
    { path: "data.rating", kind: "added", before: null, after: 3 },
  ]);
});

Deno.test("diffStates() compares with nothing where an entity was deleted", () => {
  assertEquals(diffStates(null, { name: "a" }).changes, [
    { path: "name", kind: "added", before: null, after: "a" },
  ]);
  assertEquals(diffStates({ name: "a" }, null).changes, [
    { path: "name", kind: "removed", before: "a", after: null },
  ]);
  assertEquals(diffStates(null, null).changes, []);
});

Deno.test("diffStates() tells shapes apart and takes inherited names for what they are", () => {
  const paths = (before: Json, after: Json) =>
    diffStates({ a: before }, { a: after }).changes.map(({ path }) => path);
  assertEquals(paths([], {}), ["a"]);
  assertEquals(paths(null, {}), ["a"]);
  assertEquals(paths({ constructor: 1 }, {}), ["a.constructor"]);
  assertEquals(paths({ a: 1, b: 2 }, { b: 2, a: 1 }), []);
});

Deno.test("diffStates() says when there is more than it lists", () => {
  const many = (value: number): State => ({ list: Array.from({ length: 5_000 }, () => value) });

  const { changes, truncated } = diffStates(many(1), many(2));

  assertEquals([changes.length, truncated], [DIFF_CHANGES_MAX, true]);
});

Deno.test("diffStates() finds nothing between equal states, and something between others", () => {
  const state = fc.dictionary(fc.string(), fc.jsonValue()) as fc.Arbitrary<State>;
  fc.assert(fc.property(state, state, (one, other) => {
    assertEquals(diffStates(one, structuredClone(one)).changes, []);
    const same = sorted(one) === sorted(other);
    assert((diffStates(one, other).changes.length === 0) === same);
  }));
});

/** JSON that does not depend on the order of keys. */
function sorted(value: Json): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(sorted).join()}]`;
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${sorted(value[key]!)}`).join()}}`;
}
