import { comparedBlocks } from "../../../routes/studio/history/block_form.ts";
import { diffRichText } from "../../../routes/studio/history/rich_text_diff.ts";
import { countPassages, foldUnchanged } from "../../../routes/studio/history/unchanged_passages.ts";
import type { Json } from "../../../kv/model/entities/entity.ts";
import { assertEquals } from "../../support/harness/assert.ts";

const CONTEXT = { media: new Map(), describe: () => null };

/** A paragraph, or a block of another style; words in asterisks are bold. */
function block(key: string, text: string, form: Record<string, Json> = {}) {
  const children = text.split("*").map((part, n) => ({
    _type: "span",
    _key: `${key}${n}`,
    text: part,
    marks: n % 2 === 1 ? ["strong"] : [],
  }));
  return { _type: "block", _key: key, style: "normal", children, ...form };
}

function diff(before: Json, after: Json) {
  return diffRichText(comparedBlocks(before, CONTEXT), comparedBlocks(after, CONTEXT));
}

/** Each block as its kind and its words, with signs for words that went and came. */
function read(before: Json, after: Json): string[] {
  return diff(before, after).map(({ kind, runs, note }) => {
    const words = runs.map(({ kind, text, marks }) => {
      const shown = marks.length > 0 ? `*${text}*` : text;
      return kind === "same" ? shown : `${kind === "added" ? "+" : "-"}[${shown}]`;
    }).join("");
    return `${kind}: ${words}${note === null ? "" : ` (${note})`}`;
  });
}

Deno.test("diffRichText() compares blocks with the same key word by word", () => {
  const before = [block("a", "An old lamp"), block("b", "Nothing new"), block("c", "Gone")];
  const after = [block("a", "A new lamp"), block("b", "Nothing new"), block("d", "Arrived")];

  assertEquals(read(before, after), [
    "changed: -[An old ]+[A new ]lamp",
    "same: Nothing new",
    "removed: -[Gone]",
    "added: +[Arrived]",
  ]);
});

Deno.test("diffRichText() knows copies of blocks by their text", () => {
  const before = [block("a", "The lamp burns all night"), block("b", "Ships pass")];
  const after = [block("x", "The lamp burns all day"), block("y", "Ships pass")];

  assertEquals(read(before, after), [
    "changed: The lamp burns all -[night]+[day]",
    "same: Ships pass",
  ]);
});

Deno.test("diffRichText() pairs copies of objects with equal ones before others of their type", () => {
  const embed = (key: string, url: string) => ({ _type: "embed", _key: key, url });

  assertEquals(read([embed("a", "x.org"), embed("b", "y.org")], [embed("c", "y.org")]), [
    "removed: -[x.org]",
    "same: y.org",
  ]);
});

Deno.test("diffRichText() shows changed formatting, styles and links", () => {
  const link = (href: string) =>
    block("c", "Read on", {
      markDefs: [{ _type: "link", _key: "m", href }],
      children: [{ _type: "span", _key: "s", text: "Read on", marks: ["m"] }],
    });

  assertEquals(read([block("a", "An old lamp")], [block("a", "An *old* lamp")]), [
    "changed: An -[old ]+[*old*]+[ ]lamp",
  ]);
  assertEquals(read([block("b", "Lamps")], [block("b", "Lamps", { style: "h2" })]), [
    "changed: Lamps (Text → Heading)",
  ]);
  const [linked] = diff([link("https://example.org/a")], [link("https://example.org/b")]);
  assertEquals(linked?.runs.map(({ kind, href }) => [kind, href]), [
    ["removed", "https://example.org/a"],
    ["added", "https://example.org/b"],
  ]);
});

Deno.test("diffRichText() compares code, tables and other objects by their text", () => {
  const code = (text: string, language: string) => ({
    _type: "code",
    _key: "c",
    code: text,
    language,
  });
  const cell = (text: string) => ({ _type: "cell", value: [block(text, text)] });
  const table = (...cells: string[]) => ({
    _type: "table",
    _key: "t",
    rows: [{ _type: "row", cells: cells.map(cell) }],
  });

  assertEquals(read([code("let a", "js")], [code("let b", "js")]), ["changed: let -[a]+[b]"]);
  assertEquals(read([code("let a", "js")], [code("let a", "ts")]), [
    "changed: let a (Settings changed)",
  ]);
  assertEquals(read([table("Lamp", "Oil")], [table("Lamp", "Gas")]), [
    "changed: Lamp | -[Oil]+[Gas]",
  ]);
  const rule = { _type: "horizontal-rule", _key: "r" };
  assertEquals(read([], [rule, { ...code("x", ""), _key: "d" }]), ["added: ", "added: +[x]"]);
});

Deno.test("diffRichText() shows that an image was replaced", () => {
  const medium = (url: string) => ({
    url,
    mime: "image/png" as const,
    filename: "lamp.png",
    alt: "",
    width: 30,
    height: 20,
  });
  const context = {
    media: new Map([["m1", medium("/media/1.png")], ["m2", medium("/media/2.png")]]),
    describe: () => null,
  };
  const image = (media: string) => [{ _type: "image", _key: "i", media }];

  const [replaced] = diffRichText(
    comparedBlocks(image("m1"), context),
    comparedBlocks(image("m2"), context),
  );

  assertEquals(
    [replaced?.kind, replaced?.note, replaced?.before?.image?.url, replaced?.after?.image?.url],
    ["changed", "Image replaced", "/media/1.png", "/media/2.png"],
  );
});

Deno.test("diffRichText() still ends if everything differs", () => {
  const many = (sign: string) =>
    Array.from({ length: 900 }, (_, n) => block(`${sign}${n}`, `${sign}${n}`));

  const kinds = diff(many("a"), many("b")).map(({ kind }) => kind);

  assertEquals([kinds.length, kinds[0], kinds.at(-1)], [1_800, "removed", "added"]);
});

Deno.test("diffRichText() shows blocks as replaced once a text has too many changes", () => {
  const words = (sign: string) => Array.from({ length: 200 }, () => `${sign} same`).join(" ");
  const text = (sign: string) => Array.from({ length: 20 }, (_, n) => block(`k${n}`, words(sign)));

  const rows = diff(text("a"), text("b"));

  assertEquals(rows[0]!.runs.some(({ kind }) => kind === "same"), true);
  assertEquals(rows.at(-1)!.runs.map(({ kind }) => kind), ["removed", "added"]);
});

Deno.test("foldUnchanged() folds what is not next to a change", () => {
  const texts = (signs: string) => [...signs].map((sign, n) => block(`k${n}`, `${sign} ${n}`));
  const parts = (before: string, after: string) =>
    foldUnchanged(diff(texts(before), texts(after))).map((part) =>
      part.kind === "fold"
        ? `${part.rows.length} folded`
        : part.diff.kind + (part.begins ? "!" : "")
    );

  assertEquals(parts("aaaaaaaa", "aaaabbaa"), [
    "3 folded",
    "same",
    "changed!",
    "changed",
    "same",
    "same",
  ]);
  assertEquals(parts("aaa", "aaa"), ["3 folded"]);
  assertEquals(countPassages(diff(texts("aaaaaaaa"), texts("baaabbab"))), 3);
});

Deno.test("comparedBlocks() numbers list entries as the editor does", () => {
  const entry = (listItem: string, level: number) => block("k", "Lamp", { listItem, level });
  const markers = comparedBlocks([
    entry("number", 1),
    entry("number", 2),
    entry("number", 2),
    entry("number", 1),
    entry("bullet", 1),
    entry("number", 1),
    block("k", "Text"),
    entry("number", 1),
  ], CONTEXT).map(({ form }) => form.marker);

  assertEquals(markers, ["1.", "1.", "2.", "2.", "•", "1.", "", "1."]);
});
