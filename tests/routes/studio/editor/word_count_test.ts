import { assertEquals } from "@std/assert";
import { fromPortable } from "../../../../routes/studio/editor/paste/from_portable.ts";
import {
  callout,
  code,
  paragraph,
  table,
} from "../../../../routes/studio/editor/objects/text_objects.ts";
import { countWords, wordsOf } from "../../../../routes/studio/editor/word_count.ts";

Deno.test("countWords() counts words of any script, not signs", () => {
  assertEquals(countWords("The captain’s lamp – 40 watts, on-board."), 7);
  assertEquals(countWords(" … — !\n"), 0);
  assertEquals(countWords("灯台の光") > 1, true);
});

Deno.test("wordsOf() counts what stands in code, tables and callouts, too", () => {
  const cells = table([[[paragraph("two words")], []]]);
  const content = [paragraph("Before them"), code("let it"), cells, callout([paragraph("Mind")])];
  assertEquals(wordsOf(fromPortable(content)), 7);
  assertEquals(wordsOf(fromPortable(null)), 0);
});
