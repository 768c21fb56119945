/** Code in Markdown is code: neither shortcodes nor headings are found in it. */
import fc from "fast-check";
import type { Json } from "../../../kv/model/entities/entity.ts";
import { isJsonObject } from "../../../kv/model/values/json_object.ts";
import { markdownToBlocks, plainMarkdown } from "../../../jobs/transfers/text/markdown.ts";
import { markdownParts } from "../../../jobs/transfers/text/markdown_code.ts";
import { assert, assertEquals } from "../../support/harness/assert.ts";

const kindsOf = (blocks: Json[]) => blocks.map((block) => isJsonObject(block) ? block._type : null);

Deno.test("imports and tags inside code stay code; outside they are shortcodes", () => {
  const page = [
    "import Tabs from './tabs'",
    "",
    "Before `{% tag %}` and ``a ` {{< b >}}``:",
    "",
    "```ts",
    'import { createClient } from "./cms.ts";',
    "export const x = 1;",
    "{% render 'x' %} <Tabs />",
    "```",
    "",
    "- item",
    "  ~~~",
    "  export A=1",
    "  ~~~",
    "",
    "{% note %}",
    "",
    "````md",
    "```",
    "export B=1",
    "```",
    "````",
  ].join("\n");
  const { blocks, warnings } = markdownToBlocks(page);
  assertEquals(warnings.map((warning) => warning.split('"')[1]), [
    "import Tabs from './tabs'",
    "{% note %}",
  ]);
  const codes = blocks.filter((block) => isJsonObject(block) && block._type === "code")
    .map((block) => isJsonObject(block) && block.code);
  assert(String(codes[0]).startsWith("import { createClient }"), String(codes[0]));
  assert(String(codes[0]).includes("<Tabs />"));
  assertEquals(codes.at(-1), "```\nexport B=1\n```");
  assertEquals(kindsOf(blocks).filter((kind) => kind === "html").length, 2);
});

Deno.test("markdownParts() loses nothing, and an open fence ends with the text", () => {
  const pieces = ["`", "``", "```", "~~~", "\n", "\n\n", "a ", "# b", "    ", "> ", "import x\n"];
  fc.assert(fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 30 }), (given) => {
    const text = given.join("");
    assertEquals(markdownParts(text).map((part) => part.text).join(""), text);
  }));
  assertEquals(markdownParts("a\n```js\nimport b\n").at(-1), {
    text: "```js\nimport b\n",
    kind: "fence",
  });
});

Deno.test("plainMarkdown() is the text of a heading", () => {
  assertEquals(
    plainMarkdown("The `cms` **command** of [us](https://a.example)"),
    "The cms command of us",
  );
  assertEquals(plainMarkdown("snake_case_name"), "snake_case_name");
});
