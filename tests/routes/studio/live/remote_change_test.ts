import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { applied } from "../../../../routes/studio/browser/document/live/remote_change.ts";
import { changeOf } from "../../../../routes/studio/browser/document/live/value_change.ts";

const element = fc.record({
  _key: fc.constantFrom("ka", "kb", "kc", "kd"),
  _type: fc.constant("q"),
  n: fc.nat(9),
}, { noNullPrototype: true });
const keyed = fc.uniqueArray(element, { selector: ({ _key }) => _key, maxLength: 4 });
const value = fc.oneof(fc.constant(null), fc.string({ maxLength: 3 }), keyed);

Deno.test("applied() of a sent change equals the shown value, also if that is empty", () => {
  assertEquals(applied("body", [{ _key: "ka" }], changeOf("body", [{ _key: "ka" }], null)), null);
  fc.assert(fc.property(value, value, (before, after) => {
    assertEquals(applied("body", before, changeOf("body", before, after)), after);
  }));
});
