/**
 * Columns that are made of others when a query asks for them, and kept like any other: those of a language, and those
 * in the order of a language.
 *
 * @module
 */
import type { Sliced } from "../../store/slices.ts";
import type { Column } from "./column.ts";
import { collatedColumn, collatorOf } from "./collated_column.ts";
import {
  isInLanguage,
  languageColumn,
  languageSources,
  originalKey,
  type ViewedLanguage,
  viewedLanguage,
} from "./language_columns.ts";
import { type ColumnKey, columnOfKey, keyOfColumn } from "./list_columns.ts";

/** Whether a column is made of others. */
export function isDerived(column: string): boolean {
  return isInLanguage(column) || isCollated(column);
}

/** Whether a column is in the order of a language. */
export function isCollated(column: string): boolean {
  return column.startsWith(".^");
}

/** The column of a key in the order of a language. */
export function collatedKey(code: string, by: ColumnKey): ColumnKey {
  return { fieldKey: `^${code} ${columnOfKey(by)}` };
}

/** The collation of a column, and the column that it is made of. */
function collatedParts(column: string): { code: string; inner: string } {
  const space = column.indexOf(" ");
  return { code: column.slice(2, space), inner: column.slice(space + 1) };
}

/** The column that a column in the order of a language is made of; any other one is its own. */
export function uncollated(column: string): string {
  return isCollated(column) ? collatedParts(column).inner : column;
}

/** The view of the language that columns are derived for; null if none is, or if they are of several views. */
export function languageOf(columns: readonly string[]): ViewedLanguage | null {
  const views = columns.map(uncollated).filter(isInLanguage).map(viewedLanguage);
  const [view] = views;
  return view !== undefined && views.every(({ name }) => name === view.name) ? view : null;
}

/** The same key of documents as they are written. */
export function keyAsWritten(by: ColumnKey): ColumnKey {
  const column = columnOfKey(by);
  if (!isCollated(column)) return originalKey(by);
  const { code, inner } = collatedParts(column);
  return collatedKey(code, originalKey(keyOfColumn(inner)));
}

/** The stored columns that a derived one is made of. */
export function sourceColumns(column: string): string[] {
  if (isInLanguage(column)) return languageSources(column);
  const { inner } = collatedParts(column);
  return isDerived(inner) ? sourceColumns(inner) : [inner];
}

/** Makes a derived column of `rows` rows from its sources. */
export function* derivedColumn(
  name: string,
  rows: number,
  columnOf: (source: string) => Column,
): Sliced<Column> {
  if (isInLanguage(name)) return yield* languageColumn(name, rows, columnOf);
  const { inner } = collatedParts(name);
  const column = isDerived(inner) ? yield* derivedColumn(inner, rows, columnOf) : columnOf(inner);
  return yield* inCollation(name, column);
}

/** The column of a name in the order of a language, made of that which it is made of. */
export function* inCollation(name: string, column: Column): Sliced<Column> {
  const collator = collatorOf(collatedParts(name).code);
  return collator === undefined ? column : yield* collatedColumn(column, collator);
}
