/** Plain text that is pasted: Markdown becomes what it means, and an address over words a link. */
import { assertEquals } from "@std/assert";
import { EditorState, TextSelection } from "prosemirror-state";
import { fromPortable } from "../../../../../routes/studio/editor/paste/from_portable.ts";
import {
  embedAlone,
  linkOver,
  readPlainText,
} from "../../../../../routes/studio/editor/paste/paste_text.ts";

/** Each block as its style, and its text with the marks of its parts. */
function read(text: string): string[] {
  return readPlainText(text).content.content.map((block) => {
    const parts = block.children.map((node) => {
      const words = node.isText ? node.text! : "\n";
      const marks = node.marks.map(({ type }) => type.name).join();
      return marks === "" ? words : `[${marks}:${words}]`;
    });
    return `${block.attrs.listItem ?? block.attrs.style} ${parts.join("")}`;
  });
}

Deno.test("readPlainText() keeps fenced code together, its lines and their indentation", () => {
  const text = "Before\n\n```ts\nif (lit) {\n  # not a heading\n\n}\n```\n- after";
  assertEquals(read(text), [
    "normal Before",
    "normal [code:if (lit) {][code:\n][code:\u00a0\u00a0# not a heading][code:\n][code:\n][code:}]",
    "bullet after",
  ]);
  assertEquals(read("```\nnever closed"), ["normal ```", "normal never closed"]);
});

Deno.test("readPlainText() keeps the cells of a table apart", () => {
  assertEquals(read("| Ship | Crew |\n|:-----|-----:|\n| **Anna** | 12 |"), [
    "normal Ship | Crew",
    "normal [strong:Anna] | 12",
  ]);
});

Deno.test("linkOver() makes words a link, and nothing else of them", () => {
  const block = {
    _type: "block",
    _key: "a",
    style: "normal",
    markDefs: [],
    children: [{ _type: "span", _key: "s", text: "The lamp was lit", marks: [] }],
  };
  const state = EditorState.create({ doc: fromPortable([block]) });
  const over = state.apply(state.tr.setSelection(TextSelection.create(state.doc, 5, 9)));

  const linked = over.apply(linkOver(over, " https://example.org/lamp\n")!);
  assertEquals(linked.doc.textContent, "The lamp was lit");
  const [, lamp] = linked.doc.firstChild!.children;
  assertEquals([lamp!.text, lamp!.marks[0]!.attrs.def.href], ["lamp", "https://example.org/lamp"]);
  for (const text of ["lamp", "two https://example.org", "javascript:alert(1)"]) {
    assertEquals(linkOver(over, text), null);
  }
  assertEquals(linkOver(state, "https://example.org"), null, "there is nothing to link");
});

Deno.test("readPlainText() makes objects of what a text may hold", () => {
  const text = "```js\na\n```\n***\n| a | b |\n|---|---|\n> [!NOTE]\n> words";
  const typesOf = (offered: string[]) =>
    readPlainText(text, new Set(offered)).content.content.map(({ attrs }) =>
      attrs.raw?._type ?? attrs.style
    );
  const all = ["code", "table", "callout", "horizontal-rule"];
  assertEquals(typesOf(all), ["code", "horizontal-rule", "table", "callout"]);
  assertEquals(typesOf(["table"]), ["normal", "normal", "table", "normal"]);
});

Deno.test("embedAlone() embeds an address in an empty block, and nothing else", () => {
  const block = (text: string, listItem?: string) => ({
    _type: "block",
    _key: "a",
    style: "normal",
    ...(listItem !== undefined && { listItem, level: 1 }),
    markDefs: [],
    children: [{ _type: "span", _key: "s", text, marks: [] }],
  });
  const embedded = (text: string, url = "https://vimeo.com/76979871", listItem?: string) => {
    const state = EditorState.create({ doc: fromPortable([block(text, listItem)]) });
    return embedAlone(state, url)?.doc.firstChild?.attrs.raw.url ?? null;
  };
  assertEquals(embedded(""), "https://vimeo.com/76979871");
  assertEquals(embedded("words"), null);
  assertEquals(embedded("", "https://example.org/film"), null);
  assertEquals(embedded("", undefined, "bullet"), null);
});
