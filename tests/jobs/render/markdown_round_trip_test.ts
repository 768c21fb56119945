/** Markdown means what the text says: a parser makes the same blocks of it, whatever characters they have. */
import fc from "fast-check";
import { markdownToPortableText } from "@portabletext/markdown";
import { portableTextMarkdown } from "../../../jobs/render/rich_text/portable_text.ts";
import { assertEquals } from "../../support/harness/assert.ts";
import { seedCount } from "../../support/harness/whole_run.ts";

/** What Markdown reads as syntax, and what stands around it. */
const PARTS = [
  ..."#*_~`<>[]()!&\\-+|=:\"'/,^${}\t\n\r é日•".split(""),
  ...[
    "a",
    "B c",
    "# ",
    "##",
    "**",
    "__",
    "~~",
    "``",
    "```",
    "~~~",
    "<b>",
    "> ",
    "![",
    "&amp;",
    "- ",
  ],
  ...["+ ", "1. ", "1)", "5.", "---", "===", "    ", "  ", "<!--", "<?", "[ ] ", "[x] ", "[!NOTE]"],
  ...["json:object", "\u00a0", "\u2003", "\u2028", "\u0080", "\ufeff", "\ufdd0", "\ufdd1a", "😀"],
];

const text = fc.oneof(
  { weight: 6, arbitrary: fc.array(fc.constantFrom(...PARTS), { minLength: 1, maxLength: 4 }) },
  { weight: 1, arbitrary: fc.array(fc.string({ unit: "binary", maxLength: 5 }), { maxLength: 2 }) },
).map((parts) =>
  parts.join("").replace(/[\ud800-\udfff]/g, (one) => one.isWellFormed() ? one : "")
);
const span = fc.record({
  text,
  marks: fc.constantFrom<string[]>(
    [],
    [],
    ["strong"],
    ["em"],
    ["code"],
    ["strike-through"],
    ["link"],
    ["strong", "em"],
  ),
});
const block = fc.record({
  kind: fc.constantFrom<[style: string, listItem?: string]>(
    ["normal"],
    ["normal"],
    ["h1"],
    ["h3"],
    ["blockquote"],
    ["normal", "bullet"],
    ["normal", "number"],
    ["h2", "bullet"],
  ),
  spans: fc.array(span, { minLength: 1, maxLength: 3 }),
});

/** A text with its marks; white space at its ends, and how much there is of it, means nothing. */
type Run = [text: string, marks: string];

function runsOf(
  children: { text?: string; marks?: string[] }[],
  links: ReadonlySet<string>,
): Run[] {
  const runs: Run[] = [];
  for (const { text = "?", marks = [] } of children) {
    if (text === "") continue;
    const isSpace = text.trim() === "";
    const known = marks.map((mark) => links.has(mark) ? "link" : mark)
      .filter((mark) => mark === "link" || !isSpace);
    const name = [...new Set(known)].sort().join();
    const last = runs.at(-1);
    if (last?.[1] === name) last[0] += text;
    else runs.push([text, name]);
  }
  const plain = runs.map(([text, marks]): Run => [text.replace(/\s+/g, " ").trim(), marks])
    .filter(([text]) => text !== "");
  // White space that has lost its mark was between two runs of one.
  return plain.reduce<Run[]>((merged, [text, marks]) => {
    const last = merged.at(-1);
    if (last?.[1] === marks) last[0] = `${last[0]} ${text}`;
    else merged.push([text, marks]);
    return merged;
  }, []);
}

// deno-lint-ignore no-explicit-any
function shapeOf(blocks: any[]): unknown[] {
  return blocks.map(({ _type, style, listItem, children, markDefs, code }) => {
    if (_type !== "block") return [_type, code];
    const links = new Set<string>(markDefs.map(({ _key }: { _key: string }) => _key));
    return [listItem === undefined ? style : "normal", listItem ?? null, runsOf(children, links)];
  }).filter(([, , runs]) => runs === undefined || (runs as Run[]).length > 0);
}

/** Blocks that were read as something else before. */
const REPLAYED: [text: string, marks: string[]][][] = [
  [["\\", []], ["```", []], ["#", ["em"]]],
  [["\\!", []], ["#", ["link"]]],
  [["json:object", []], ["a", ["strong"]], ["#", ["strong", "em"]]],
  [["\\", []], ["Ⰰ", []], ["#", ["strike-through"]]],
  [["\u2028!", ["em"]]],
  [["\ufeff", []], ["a", ["em"]]],
  [["\u0080", []], ["#", ["strong", "em"]]],
  [["_\u2028#", []], ["#", ["strong", "em"]]],
  [["[_json:object#", []], ["#", ["strong", "em"]], ["#", []]],
  [["#", ["em"]], ["a_b", []], ["#", ["em"]]],
];
const replayed = REPLAYED.flatMap((said) => {
  const spans = said.map(([text, marks]) => ({ text, marks }));
  const kinds: [style: string, listItem?: string][] = [["normal"], ["normal", "bullet"], ["h1"]];
  return kinds.map((kind): [{ kind: typeof kind; spans: typeof spans }[]] => [[{ kind, spans }]]);
});

Deno.test("portableTextMarkdown() is read as the same blocks, over all characters and kinds of blocks", () => {
  fc.assert(
    fc.property(fc.array(block, { minLength: 1, maxLength: 3 }), (some) => {
      const blocks = some.map(({ kind: [style, listItem], spans }, n) => ({
        _type: "block",
        _key: `b${n}`,
        style,
        ...(listItem !== undefined && { listItem, level: 1 }),
        markDefs: [{ _type: "link", _key: "link", href: "https://example.org/a" }],
        children: spans.map(({ text, marks }, m) => ({
          _type: "span",
          _key: `s${m}`,
          text,
          marks,
        })),
      }));
      // Several lines of code alone are a block of it.
      const isCode = blocks.some(({ children, style, ...rest }) =>
        style === "normal" && !("listItem" in rest) &&
        children.every(({ marks }) => marks.join() === "code") &&
        /[\r\n]/.test(children.map(({ text }) => text).join(""))
      );
      fc.pre(!isCode);
      const markdown = portableTextMarkdown(blocks, () => null);
      const said = blocks.map((one) => ({
        ...one,
        children: one.children.map((child) => ({ ...child, text: shown(child.text) })),
      }));
      assertEquals(shapeOf(markdownToPortableText(markdown)), shapeOf(said), markdown);
    }),
    { numRuns: seedCount(800, 4_000), examples: replayed },
  );
});

/** A text without what no page shows. */
function shown(text: string): string {
  // deno-lint-ignore no-control-regex
  return text.replace(
    /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufdd0-\ufdef\ufeff\ufffe\uffff]/g,
    "",
  );
}

Deno.test("a line break in a heading is a space, and blank lines end no block", () => {
  const markdown = (style: string, text: string, listItem?: string) =>
    portableTextMarkdown([{
      _type: "block",
      style,
      ...(listItem !== undefined && { listItem, level: 1 }),
      children: [{ _type: "span", text, marks: [] }],
    }], () => null).trim();
  assertEquals(markdown("h2", "One\ntwo"), "## One two");
  assertEquals(markdown("normal", "One\n\n# two"), "One  \n\\# two");
  assertEquals(markdown("normal", "\n\nOne", "bullet"), "- One");
  assertEquals(markdown("normal", "[ ] not a task", "bullet"), "- \\[ ] not a task");
  assertEquals(markdown("blockquote", "[!NOTE] no callout"), "> \\[!NOTE] no callout");
});
