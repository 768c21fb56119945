import fc from "fast-check";
import { diffWords } from "../../../routes/studio/history/word_diff.ts";
import { assertEquals } from "../../support/harness/assert.ts";

const joined = (runs: ReturnType<typeof diffWords>, without: "added" | "removed") =>
  runs.filter(({ kind }) => kind !== without).map(({ text }) => text).join("");

Deno.test("diffWords() names the words that came and went", () => {
  assertEquals(diffWords("the old lamp burns", "the new lamp burns bright"), [
    { kind: "same", text: "the " },
    { kind: "removed", text: "old " },
    { kind: "added", text: "new " },
    { kind: "same", text: "lamp " },
    { kind: "removed", text: "burns" },
    { kind: "added", text: "burns bright" },
  ]);
});

Deno.test("diffWords() leaves the end of a line where it is", () => {
  assertEquals(diffWords("Heading: A lamp\nRating: 4", "Heading: A light\nRating: 4"), [
    { kind: "same", text: "Heading: A " },
    { kind: "removed", text: "lamp" },
    { kind: "added", text: "light" },
    { kind: "same", text: "\nRating: 4" },
  ]);
});

Deno.test("diffWords() holds both texts whole, whatever they are", () => {
  const text = fc.array(fc.constantFrom("a", "b", "c ", "\n", " "), { maxLength: 40 })
    .map((parts) => parts.join(" "));
  fc.assert(fc.property(text, text, (before, after) => {
    const runs = diffWords(before, after);
    assertEquals(joined(runs, "added"), before);
    assertEquals(joined(runs, "removed"), after);
    if (before === after) assertEquals(runs.every(({ kind }) => kind === "same"), true);
  }));
});

Deno.test("diffWords() does not compare long texts word by word", () => {
  const before = "x ".repeat(20_000);
  const after = "y ".repeat(20_000);
  assertEquals(diffWords(before, after).map(({ kind }) => kind), ["removed", "added"]);
});
