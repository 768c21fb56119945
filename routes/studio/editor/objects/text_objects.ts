/**
 * The built-in objects of rich text: code, tables, callouts, dividers and embedded players, in the shapes that
 * pages, feeds and the Markdown of the API render.
 *
 * @module
 */
import { isJsonObject } from "../../../../kv/model/values/json_object.ts";
import { freshKey } from "../keys.ts";
import type { Json, JsonObject } from "../schema.ts";

/** A kind of object that needs no definition. */
export interface TextObject {
  /** The `_type` of such objects. */
  name: string;
  label: string;
  /** Search words other than the label. */
  words: string;
  /** A new one, without a key. */
  make: () => JsonObject;
}

/** The tones of a callout, the most quiet first. */
export const CALLOUT_TONES: readonly (readonly [tone: string, label: string])[] = [
  ["note", "Note"],
  ["tip", "Tip"],
  ["important", "Important"],
  ["warning", "Warning"],
  ["caution", "Caution"],
];

/** Rows and columns of a new table. */
const NEW_TABLE = { rows: 3, columns: 3 };

/** In the order in which they are offered. */
export const TEXT_OBJECTS: readonly TextObject[] = [
  { name: "code", label: "Code block", words: "code pre snippet", make: () => code() },
  { name: "table", label: "Table", words: "table grid rows columns", make: newTable },
  { name: "callout", label: "Callout", words: "callout note tip warning info", make: callout },
  {
    name: "horizontal-rule",
    label: "Divider",
    words: "divider rule line hr separator",
    make: () => ({ _type: "horizontal-rule" }),
  },
  {
    name: "embed",
    label: "Embed",
    words: "embed video youtube vimeo spotify soundcloud audio",
    make: () => ({ _type: "embed", url: "" }),
  },
];

/** The kind of that name; undefined for any other. */
export function textObject(name: string): TextObject | undefined {
  return TEXT_OBJECTS.find((one) => one.name === name);
}

/** A block of code. */
export function code(text = "", language = ""): JsonObject {
  return { _type: "code", language, code: text };
}

/** A callout with these blocks in it. */
export function callout(content: JsonObject[] = [paragraph()], tone = "note"): JsonObject {
  return { _type: "callout", tone, content };
}

/** A table of cells, each of blocks; its first row heads the columns. */
export function table(rows: JsonObject[][][], headerRows: 0 | 1 = 1): JsonObject {
  return {
    _type: "table",
    headerRows,
    rows: rows.map((cells) => ({
      _type: "row",
      _key: freshKey(),
      cells: cells.map((value) => ({ _type: "cell", _key: freshKey(), value })),
    })),
  };
}

/** A paragraph of plain words. */
export function paragraph(words = ""): JsonObject {
  return {
    _type: "block",
    _key: freshKey(),
    style: "normal",
    markDefs: [],
    children: [{ _type: "span", _key: "s0", text: words, marks: [] }],
  };
}

/** The blocks of any value; a text becomes a paragraph. */
export function blocksOf(value: Json | undefined): JsonObject[] {
  if (typeof value === "string") return value === "" ? [] : [paragraph(value)];
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function newTable(): JsonObject {
  const row = () => Array.from({ length: NEW_TABLE.columns }, () => []);
  return table(Array.from({ length: NEW_TABLE.rows }, row));
}
