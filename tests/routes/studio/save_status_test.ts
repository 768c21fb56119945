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

  assertEquals(words("title"), "Not saved: fix Title");
  assertEquals(words("body.0", "body.1"), "Not saved: fix Text");
  assertEquals(words("title", "body"), "Not saved: fix Title and Text");
  assertEquals(words("unheard"), "Not saved: fix unheard");
});

Deno.test("a creation that failed for another reason says it", () => {
  const words = uncreatedWords({ message: "Can't reach the server.", details: [] }, labelOf);

  assertEquals(words, "Not saved. Can't reach the server.");
});
