/**
 * Relations of Directus that go through a table of their own: many to many, and many to any, which holds blocks.
 *
 * @module
 */
import type { Json } from "../../../kv/model/entities/entity.ts";
import { isJsonObject, type JsonObject } from "../../../kv/model/values/json_object.ts";
import type { ReadableFile } from "../reading/source_file.ts";
import { parseJson } from "../reading/json_text.ts";
import { csv } from "./csv.ts";
import { baseName, hasExtension, newFacts } from "./format.ts";
import { elementsOf } from "./json.ts";

/** Fields and relations as Directus describes them. */
export interface Model {
  fields: JsonObject[];
  relations: JsonObject[];
}

/** A relation through a table. */
export interface Junction {
  table: string;
  /** The collection whose field this is. */
  of: string;
  field: string;
  /** The columns of the table for the item that has the field, and for the one that it refers to. */
  by: string;
  to: string;
  /** The collection that it refers to; null for any of several. */
  target: string | null;
}

/** The values of fields through tables, by collection and item. */
export type JunctionValues = Map<string, Record<string, Json[]>>;

/** The description of the relation whose one side is this field. */
export function manySide(
  relations: readonly JsonObject[],
  collection: Json | undefined,
  field: Json | undefined,
): JsonObject | undefined {
  return relations.map(({ meta }) => meta).filter(isJsonObject)
    .find((one) => one.one_collection === collection && one.one_field === field);
}

/** The items of a file, JSON or CSV. */
export async function* itemsIn(file: ReadableFile): AsyncGenerator<JsonObject> {
  if (!hasExtension(file, "csv")) {
    for await (const { value } of elementsOf(file)) yield value;
    return;
  }
  for await (const { data } of csv.read({ files: [file], facts: newFacts() })) {
    const filled = Object.entries(data).filter(([, value]) => value !== "");
    yield Object.fromEntries(filled.map(([name, value]) => [name, cellValue(value)]));
  }
}

/** Cells hold lists and objects as JSON. */
function cellValue(value: Json): Json {
  if (typeof value !== "string" || !/^[[{]/.test(value)) return value;
  return parseJson(value) ?? value;
}

/** The special behavior of a field. */
export function specialsOf({ meta }: JsonObject): string[] {
  return isJsonObject(meta) && Array.isArray(meta.special) ? meta.special.map(String) : [];
}

/** Columns that Directus itself fills. */
const BOOKKEEPING = /^(?:user|date)_(?:created|updated)$/;

/** The values of an item that are its content. */
export function contentOf(item: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(item).filter(([name, value]) => value !== null && !BOOKKEEPING.test(name)),
  );
}

/** Every relation through a table. */
export function junctionsOf({ fields, relations }: Model): Junction[] {
  return fields.flatMap((described): Junction[] => {
    const { collection, field } = described;
    const specials = specialsOf(described);
    if (!specials.includes("m2m") && !specials.includes("m2a") && !specials.includes("files")) {
      return [];
    }
    const side = manySide(relations, collection, field);
    if (side === undefined || typeof side.junction_field !== "string") return [];
    const table = String(side.many_collection);
    const other = relations.find((one) =>
      one.collection === table && one.field === side.junction_field
    );
    const target = other?.related_collection;
    return [{
      table,
      of: String(collection),
      field: String(field),
      by: String(side.many_field),
      to: side.junction_field,
      target: typeof target === "string" ? target : null,
    }];
  });
}

/** The collections whose items are blocks of others. */
export function blockTables({ relations }: Model): Set<string> {
  const found = new Set<string>();
  for (const { meta } of relations) {
    const { one_allowed_collections: allowed } = isJsonObject(meta) ? meta : {};
    const names = typeof allowed === "string" ? allowed.split(",") : allowed;
    for (const name of Array.isArray(names) ? names : []) found.add(String(name));
  }
  return found;
}

/** The values of all fields whose relations go through tables: ids of items, and blocks. */
export async function readJunctions(
  model: Model,
  junctions: readonly Junction[],
  items: readonly ReadableFile[],
): Promise<JunctionValues> {
  const values: JunctionValues = new Map();
  if (junctions.length === 0) return values;
  const blocks = await readBlocks(model, items);
  const rows = await readTables(junctions, items);
  for (const { table, of, field, by, to, target } of junctions) {
    for (const row of rows.get(table) ?? []) {
      const owner = `${of} ${String(row[by])}`;
      const found = values.get(owner) ?? {};
      values.set(owner, found);
      const value = target === null ? blockOf(row, to, blocks) : row[to] ?? null;
      if (value !== null) (found[field] ??= []).push(value);
    }
  }
  return values;
}

/** The sorted rows of each table: both sides of a relation can have fields for it. */
async function readTables(
  junctions: readonly Junction[],
  items: readonly ReadableFile[],
): Promise<Map<string, JsonObject[]>> {
  const tables = new Map(junctions.map(({ table }): [string, JsonObject[]] => [table, []]));
  for (const file of items) {
    const rows = tables.get(baseName(file.path));
    if (rows === undefined) continue;
    for await (const row of itemsIn(file)) rows.push(row);
  }
  for (const rows of tables.values()) {
    rows.sort((a, b) => Number(a.sort ?? 0) - Number(b.sort ?? 0));
  }
  return tables;
}

/** The items that can be blocks, by collection and id. */
async function readBlocks(
  model: Model,
  items: readonly ReadableFile[],
): Promise<Map<string, JsonObject>> {
  const tables = blockTables(model);
  const found = new Map<string, JsonObject>();
  for (const file of items) {
    const table = baseName(file.path);
    if (!tables.has(table)) continue;
    for await (const item of itemsIn(file)) found.set(`${table} ${String(item.id)}`, item);
  }
  return found;
}

function blockOf(
  row: JsonObject,
  to: string,
  blocks: ReadonlyMap<string, JsonObject>,
): JsonObject | null {
  const kind = String(row.collection ?? "");
  const { id: _, ...content } = blocks.get(`${kind} ${String(row[to])}`) ?? {};
  return kind === "" ? null : { ...contentOf(content), _block: kind, id: row.id ?? "" };
}
