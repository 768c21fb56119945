import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { parseUniqueJson } from "../../../../kv/model/values/unique_json.ts";

Deno.test("parseUniqueJson() reads every JSON text as JSON.parse does", () => {
  fc.assert(fc.property(fc.json({ maxDepth: 6 }), (text) => {
    assertEquals(parseUniqueJson(text), JSON.parse(text));
  }));
});

Deno.test("parseUniqueJson() refuses a key that comes twice in one object, however it is spelled", () => {
  const key = fc.string({ minLength: 1 });
  fc.assert(fc.property(key, fc.json(), fc.json(), (name, first, second) => {
    const spelled = [...name].map((character) =>
      character.length === 1
        ? `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`
        : character
    ).join("");
    const text = `[{${JSON.stringify(name)}: ${first}, "x${spelled}": 1, "${spelled}": ${second}}]`;
    assertThrows(() => parseUniqueJson(text), SyntaxError, "twice");
  }));
  assertEquals(parseUniqueJson('[{"a":{"a":[{"a":1}]}},{"a":2}]'), [{ a: { a: [{ a: 1 }] } }, {
    a: 2,
  }]);
  assertThrows(() => parseUniqueJson("[".repeat(100) + "]".repeat(100)), SyntaxError, "deeply");
});
