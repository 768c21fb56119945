/**
 * Columns that are asked for and that a collection does not have: none of its documents has a value there.
 *
 * @module
 */
import type { Collection } from "../../model/entities/collection.ts";
import { indexedKeys } from "../index_row.ts";
import { isDerived } from "./derived_column.ts";
import { isLanguageColumn } from "./language_columns.ts";
import { columnField } from "./list_columns.ts";

/** The columns of fields that the collection's index does not hold. */
export function absentColumns(collection: Collection, columns: string[]): Set<string> {
  const absent = new Set<string>();
  const present = new Set(indexedKeys(collection));
  for (const column of columns) {
    const key = columnField(column);
    if (key === undefined || isDerived(column) || isLanguageColumn(column)) continue;
    if (!present.has(key)) absent.add(column);
  }
  return absent;
}
