/**
 * Columns of the tables that Payload's plugin exports: `tags_0_label` is part of the first row of the list `tags`. Other
 * underlines belong to names.
 *
 * @module
 */
import type { Json } from "../../../kv/model/entities/entity.ts";
import { isJsonObject, type JsonObject } from "../../../kv/model/values/json_object.ts";

/** The name of a list, the number of a row, and the name of a value in it. */
const COLUMN = /^(.+?)_(\d{1,4})(?:_(.+))?$/;

/** A row of a table with its lists. */
export function withArrays(data: JsonObject): JsonObject {
  const lists = new Set(
    Object.keys(data).flatMap((name) => {
      const [, list = "", number] = COLUMN.exec(name) ?? [];
      return number === "0" ? [list] : [];
    }),
  );
  if (lists.size === 0) return data;
  const result: JsonObject = {};
  const rows = new Map<string, Map<number, Json>>();
  for (const [name, value] of Object.entries(data)) {
    const [, list = "", number, key] = COLUMN.exec(name) ?? [];
    if (!lists.has(list) || Object.hasOwn(data, list)) {
      result[name] = value;
      continue;
    }
    result[list] ??= [];
    if (value === "" || value === null) continue;
    const own = rows.get(list) ?? new Map<number, Json>();
    rows.set(list, own);
    const row = own.get(Number(number)) ?? {};
    own.set(
      Number(number),
      key === undefined || !isJsonObject(row) ? value : { ...row, [key]: value },
    );
  }
  for (const [list, own] of rows) {
    result[list] = [...own].sort(([a], [b]) => a - b)
      .map(([, row]) => isJsonObject(row) ? withArrays(row) : row);
  }
  return result;
}
