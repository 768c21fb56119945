/**
 * The columns of the list index: framing keys, and fields by their storage key.
 *
 * @module
 */

/** Framing keys that documents can be sorted by. */
export const FRAMING_SORTS = [
  "createdAt",
  "updatedAt",
  "publishedAt",
  "publishAt",
  "title",
  "slug",
  "status",
] as const;

/** A framing key that documents can be sorted by. */
export type FramingSort = typeof FRAMING_SORTS[number];

/** Stands for the user who created a document among the storage keys of fields, none of which has this form. */
export const CREATOR_KEY = "$by";

/** A column that lists sort by. */
export type ColumnKey = FramingSort | { fieldKey: string };

/** A column that lists filter by, or the id, which is not a column. */
export type FilterKey = ColumnKey | "id";

/** The column of a key. */
export function columnOfKey(key: ColumnKey): string {
  return typeof key === "string" ? framingColumn(key) : fieldColumn(key.fieldKey);
}

/** The key of a column. */
export function keyOfColumn(column: string): ColumnKey {
  const fieldKey = columnField(column);
  return fieldKey === undefined ? column.slice(1) as FramingSort : { fieldKey };
}

/** The column of a framing key. */
export function framingColumn(key: FramingSort): string {
  return `$${key}`;
}

/** The column of a field. */
export function fieldColumn(fieldKey: string): string {
  return `.${fieldKey}`;
}

/** The field of a column, or undefined for a framing key. */
export function columnField(column: string): string | undefined {
  return column.startsWith(".") ? column.slice(1) : undefined;
}
