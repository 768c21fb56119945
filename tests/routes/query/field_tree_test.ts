import { assertEquals, assertThrows } from "@std/assert";
import { Refusal } from "../../../kv/refusals.ts";
import { FIELD_PATH_LEVELS_MAX } from "../../../routes/input/limits.ts";
import type { FieldTree } from "../../../routes/query/field_path.ts";
import {
  bringIncludes,
  type FieldNames,
  narrowed,
  parseFieldTree,
} from "../../../routes/query/field_tree.ts";
import type { Include } from "../../../routes/query/include.ts";
import { blocksOf, collectionOf, field, nested } from "../../support/sites/fields.ts";

/** Groups in groups: `a.b.c.d` is as deep as paths may be. */
const POSTS = collectionOf(
  field("a", "group", {
    fields: [
      nested("b", "group", {
        fields: [nested("c", "group", { fields: [nested("d", "text"), nested("e", "text")] })],
      }),
    ],
  }),
  field("rows", "repeater", { fields: [nested("blocks", "repeater", { fields: [] })] }),
);

const NAMES: FieldNames = {
  keys: ["id", "title", "blocks"],
  mediumKeys: ["id", "alt", "url"],
  blocks: blocksOf({ quote: [nested("text", "text"), nested("source", "text")] }),
  find: () => undefined,
};

/** An include of a document's key, with includes inside it. */
function include(name: string, kind: Include["kind"], inner: Include[] = []): Include {
  return { name, kind, inner, targets: new Map() } as unknown as Include;
}

function treeOf(paths: string[], includes: Include[] = []): FieldTree {
  return parseFieldTree(paths, [{ collection: POSTS, includes }], NAMES)!;
}

const aboutOf = (path: string) => assertThrows(() => treeOf([path]), Refusal).message;

Deno.test("a path may be as deep as the limit, and names keys inside of values", () => {
  assertEquals("a.b.c.d".split(".").length, FIELD_PATH_LEVELS_MAX);
  const value = { id: "1", title: "T", a: { b: { c: { d: "x", e: "y" }, f: 1 } } };
  assertEquals(narrowed(value, treeOf(["a.b.c.d"])), { id: "1", a: { b: { c: { d: "x" } } } });
  const about = aboutOf(`a.b.c.d.${"e".repeat(300)}`);
  assertEquals(about.endsWith(`e: at most ${FIELD_PATH_LEVELS_MAX} levels are allowed`), true);
  assertEquals(about.includes("e".repeat(93)), false);
});

Deno.test("a refusal names the unknown path, as far as a message may be long", () => {
  assertEquals(aboutOf("a.x").includes("a.x"), true);
  assertEquals(aboutOf("").includes("an empty name"), true);
  const long = aboutOf("x".repeat(1_000));
  assertEquals([long.includes("x".repeat(200)), long.includes("x".repeat(201))], [true, false]);
});

Deno.test("`blocks` of a document are blocks by type, and a list of rows of that name is not", () => {
  const block = { type: "quote", id: "b", data: { text: "x", source: "y" } };
  assertEquals(narrowed({ id: "1", blocks: [block] }, treeOf(["blocks.quote.text"])), {
    id: "1",
    blocks: [{ type: "quote", id: "b", data: { text: "x" } }],
  });
  assertThrows(() => treeOf(["rows.blocks.quote"]), Refusal);
});

Deno.test("an included medium keeps its id, whatever is named of it", () => {
  const tree = treeOf(["cover.alt"], [include("cover", "media")]);
  const cover = { id: "m", alt: "A hat", url: "/m" };
  assertEquals(narrowed({ id: "1", cover }, tree), { id: "1", cover: { id: "m", alt: "A hat" } });
});

Deno.test("an include is kept beside the named keys of the value around it", () => {
  const inner = [include("b", "rows")];
  const tree = treeOf(["a.b.c", "title"]);
  bringIncludes(tree, [include("a", "rows", inner), include("author", "document")]);
  assertEquals([tree.keys.get("author"), tree.keys.get("title")], [null, null]);
  const around: FieldTree = { kind: "document", keys: new Map() };
  const group: FieldTree = { kind: "rows", keys: new Map([["named", null]]) };
  around.keys.set("group", group);
  bringIncludes(around, [include("group", "rows", [include("cover", "media")])]);
  assertEquals([...group.keys.keys()], ["named", "cover"]);
  // A value that is named as a whole has all of its includes already.
  const whole = treeOf(["a"]);
  bringIncludes(whole, [include("a", "rows", inner)]);
  assertEquals(whole.keys.get("a"), null);
});
