import { fieldLabel, uncreatedWords } from "../../../routes/studio/browser/document/save_status.ts";
import { assertEquals } from "../../support/harness/assert.ts";

const labelOf = (name: string) => fieldLabel([["body", "Text"]], name);

Deno.test("a creation that is refused names its fields by their labels, once each", () => {
  const detail = (field: string) => ({ field, code: "INVALID", message: "Is wrong" });
  const words = (...fields: string[]) =>
    uncreatedWords(
      { message: "Fix the highlighted fields.", details: fields.map(detail) },
      labelOf,
    );

  assertEquals(words("title"), "Not saved: Title needs another look");
  assertEquals(words("body.0", "body.1"), "Not saved: Text needs another look");
  assertEquals(words("title", "body"), "Not saved: Title and Text need another look");
  assertEquals(words("unheard"), "Not saved: unheard needs another look");
});

Deno.test("a creation that failed for another reason says it", () => {
  const words = uncreatedWords({ message: "Can't reach the server.", details: [] }, labelOf);

  assertEquals(words, "Not saved. Can't reach the server.");
});
