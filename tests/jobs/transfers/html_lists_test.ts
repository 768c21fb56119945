import { htmlToBlocks } from "../../../jobs/transfers/text/html.ts";
import type { JsonObject } from "../../../kv/model/values/json_object.ts";
import { assertEquals } from "../../support/harness/assert.ts";

/** Each block as its kind and its words. */
function blocksOf(html: string): [kind: string, text: string][] {
  return htmlToBlocks(html).blocks.map((block) => {
    const { listItem, level, style, children } = block as JsonObject;
    const text = (children as JsonObject[]).map((child) => child.text).join("");
    return [listItem === undefined ? String(style) : `${listItem} ${level}`, text];
  });
}

Deno.test("paragraphs of a list item are lines of one item", () => {
  assertEquals(
    blocksOf(
      "<p>Before</p> <ul> <li> <p>A <b>bold</b></p> <p>B</p> </li> <li><div>C</div>D" +
        "<ol><li><p>E</p><p>F</p></li></ol></li> <li>G</li> </ul> <p>After</p>",
    ),
    [
      ["normal", "Before"],
      ["bullet 1", "A bold\nB"],
      ["bullet 1", "C\nD"],
      ["number 2", "E\nF"],
      ["bullet 1", "G"],
      ["normal", "After"],
    ],
  );
});
