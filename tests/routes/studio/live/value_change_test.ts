/** A change as paths: as little as tells it, and the server makes the same of it. */
import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { withoutValue, withValue } from "../../../../kv/model/entities/document_path.ts";
import type { Json } from "../../../../kv/model/entities/entity.ts";
import { changeOf } from "../../../../routes/studio/browser/document/live/value_change.ts";

/** A field after an operation, as the server applies it: strictly. */
function after(value: Json, path: string, set: Record<string, unknown>, unset: string[]): Json {
  const stepsOf = (one: string) => one.split(".").slice(1);
  let next = value;
  for (const one of unset) next = withoutValue(next, stepsOf(one));
  for (const [one, given] of Object.entries(set)) {
    const made = withValue(next, stepsOf(one), given as Json, "strict");
    if (made === undefined) throw new Error(`${path}: ${one} leads nowhere`);
    next = made;
  }
  return next;
}

const block = (_key: string, text: string) => ({ _type: "block", _key, text });

Deno.test("changeOf() names the part that has changed", () => {
  const of = (before: unknown, after: unknown) => changeOf("f", before, after);
  assertEquals(of("a", "b"), { set: { f: "b" }, unset: [] });
  assertEquals(of({ a: 1, b: 2 }, { a: 1, b: 3 }), { set: { "f.b": 3 }, unset: [] });
  assertEquals(of([{ a: "1" }, { a: "2" }], [{ a: "1" }, { a: "3" }]), {
    set: { "f.1.a": "3" },
    unset: [],
  });
  assertEquals(of([{ a: "1" }], []), { set: { f: [] }, unset: [] });
  assertEquals(of(null, undefined), { set: {}, unset: [] });
  const [a, b, c] = [block("a", "A"), block("b", "B"), block("c", "C")];
  assertEquals(of([a, b], [a, block("b", "B!")]), {
    set: { "f.b": block("b", "B!") },
    unset: [],
  });
  assertEquals(of([a, b], [a, c, b]), { set: { "f.+a": [c] }, unset: [] });
  assertEquals(of([a, b], [c, b]), { set: { "f.+": [c] }, unset: ["f.a"] });
  assertEquals(of([a, b], [b, a]), { set: { f: [b, a] }, unset: [] });
  assertEquals(of({ "a.b": 1 }, { "a.b": 2 }), { set: { f: { "a.b": 2 } }, unset: [] });
});

Deno.test("changeOf() brings the server to the local value, whatever has changed", () => {
  const scalar = fc.oneof(fc.string(), fc.integer(), fc.constant(null), fc.boolean());
  const { json } = fc.letrec((tie) => ({
    json: fc.oneof({ depthSize: "small" }, scalar, tie("object"), tie("list"), tie("keyed")),
    object: fc.dictionary(fc.constantFrom("a", "b", "c.d", "", "_type"), tie("json")),
    list: fc.array(tie("json"), { maxLength: 4 }),
    keyed: fc.uniqueArray(
      fc.record({ id: fc.constantFrom("x", "y", "z", "01J", "7"), text: tie("json") }),
      { selector: ({ id }) => id, maxLength: 5 },
    ),
  }));
  const plain = (value: unknown) => JSON.stringify(sorted(value));
  fc.assert(
    fc.property(json, json, (before, now) => {
      const { set, unset } = changeOf("f", before, now);
      const result = after(before as Json, "f", set, unset);
      assertEquals(plain(result), plain(now));
    }),
    { numRuns: 2_000 },
  );
});

/** Keys in one order, and none that hold nothing: what is missing is null. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== null)
    .sort(([one], [other]) => one < other ? -1 : 1);
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]));
}
