/**
 * A document's row in list indexes: its framing and the values of its indexed and sortable fields.
 *
 * @module
 */
import type { Collection } from "../model/entities/collection.ts";
import type { DocumentState, Status } from "../model/entities/document.ts";
import { modernizedValues } from "../model/fields/field_migration.ts";
import type { IndexValue } from "../model/fields/field_type.ts";
import { FIELD_TYPES } from "../model/fields/types/registry.ts";
import { columnValue, indexedFields } from "../model/fields/indexed_fields.ts";
import { inLanguage } from "../model/languages/in_language.ts";
import { outdatedRoots, ownRoots, statusOf } from "../model/languages/translation.ts";
import { itemsColumn, type ItemsCondition } from "./query/condition.ts";
import { meetsItems } from "./query/item_condition.ts";
import { isLanguageKey, languageKey, ORIGINAL_KEY } from "./segments/language_columns.ts";
import { columnField, CREATOR_KEY, type FramingSort } from "./segments/list_columns.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A document as lists see it. */
export interface IndexRow {
  id: string;
  /** Number of the document's version, 1 or more. */
  n: number;
  status: Status;
  createdAt: number;
  updatedAt: number;
  publishedAt: number | null;
  publishAt: number | null;
  slug: string;
  title: string;
  /**
   * By storage key, for each field that was indexed or sortable when the row was made. A field that
   * is not listed is unknown, one with an empty list has no value.
   */
  values: Record<string, IndexValue[]>;
}

/** A document that is no longer there. */
export interface GoneRow {
  id: string;
  gone: true;
}

/** The storage keys of the fields that a collection's index holds, and the key of the creator. */
export function indexedKeys(collection: Collection): string[] {
  return [...indexedFields(collection).map((field) => field.key), CREATOR_KEY];
}

/** The row of version `n` of a document, its texts cut. */
export function indexRow(
  collection: Collection,
  state: DocumentState,
  n: number,
  charsMax?: number,
): IndexRow {
  const { id, status, createdAt, updatedAt, publishedAt, publishAt, slug, title } = state;
  const values: Record<string, IndexValue[]> = Object.create(null);
  // Of a version from before a field changed its type; what blocks hold is in no index.
  const isOld = collection.fields.some(({ key, formerly }) =>
    formerly !== undefined && !Object.hasOwn(state.data, key)
  );
  const data = isOld ? modernizedValues(state.data, collection, new Map()) : state.data;
  for (const field of indexedFields(collection)) {
    const value = columnValue(data, field);
    values[field.key] = value === null ? [] : FIELD_TYPES[field.type].indexValues(value, charsMax);
  }
  // Rows of earlier releases lack it; the index fills it in like the values of a field that was indexed later.
  values[CREATOR_KEY] = state.createdBy === undefined ? [] : [state.createdBy];
  addLanguages(values, collection, state, charsMax);
  return { id, n, status, createdAt, updatedAt, publishedAt, publishAt, slug, title, values };
}

/** Adds what a document has of its own in each of its languages, whether or not the site has those now. */
function addLanguages(
  values: IndexRow["values"],
  collection: Collection,
  state: DocumentState,
  charsMax?: number,
): void {
  if (state.originalLanguage !== undefined) values[ORIGINAL_KEY] = [state.originalLanguage];
  if (state.translations === undefined) return;
  values[languageKey("", "$has")] = Object.keys(state.data);
  // Texts may be long: the digest of each is the same for all translations.
  const digests = new Map<string, string>();
  for (const [code, translation] of Object.entries(state.translations)) {
    const { title, slug, publishedAt, publishAt, updatedAt, data } = translation;
    const framing = { title, slug, publishedAt, publishAt, updatedAt };
    for (const [name, value] of Object.entries(framing)) {
      if (value !== null) values[languageKey(code, `$${name}`)] = [value];
    }
    values[languageKey(code, "$status")] = [statusOf(state, translation)];
    values[languageKey(code, "$has")] = ownRoots(translation);
    const outdated = outdatedRoots(state, translation, digests);
    if (outdated.length > 0) values[languageKey(code, "$outdated")] = outdated;
    for (const field of indexedFields(collection)) {
      const value = columnValue(data, field);
      if (value === null) continue;
      const found = FIELD_TYPES[field.type].indexValues(value, charsMax);
      if (found.length > 0) values[languageKey(code, `.${field.key}`)] = found;
    }
  }
}

/** The same with texts as long as they are, and with what only the document decides. */
export function wholeRow(
  collection: Collection,
  state: DocumentState,
  n: number,
  items: readonly ItemsCondition[] = [],
): IndexRow {
  const row = indexRow(collection, state, n, Infinity);
  for (const condition of items) {
    const { view } = condition;
    const shown = view === undefined ? state : inLanguage(state, collection, view)?.state;
    const meets = shown !== undefined && meetsItems(condition, shown);
    row.values[itemsColumn(condition).fieldKey] = [meets];
  }
  return row;
}

/** A row's values in a column; undefined when the row does not know the field. */
export function columnValues(row: IndexRow, column: string): IndexValue[] | undefined {
  const fieldKey = columnField(column);
  if (fieldKey === undefined) return [row[column.slice(1) as FramingSort]];
  if (Object.hasOwn(row.values, fieldKey)) return row.values[fieldKey];
  return isLanguageKey(fieldKey) ? [] : undefined;
}

/** A row as the bytes that its delta holds; the id is in the key. */
export function encodeRow(row: IndexRow | GoneRow): Uint8Array {
  const packed = "gone" in row ? [0] : [
    row.n,
    row.status,
    row.createdAt,
    row.updatedAt,
    row.publishedAt,
    row.publishAt,
    row.slug,
    row.title,
    Object.entries(row.values),
  ];
  return encoder.encode(JSON.stringify(packed));
}

type Packed = [
  number,
  Status,
  number,
  number,
  number | null,
  number | null,
  string,
  string,
  [string, IndexValue[]][],
];

/** The row of a document from the bytes of its delta. */
export function decodeRow(id: string, bytes: Uint8Array): IndexRow | GoneRow {
  const packed = JSON.parse(decoder.decode(bytes)) as Packed;
  if (packed[0] === 0) return { id, gone: true };
  const [n, status, createdAt, updatedAt, publishedAt, publishAt, slug, title, entries] = packed;
  const values: Record<string, IndexValue[]> = Object.create(null);
  for (const [key, list] of entries) values[key] = list;
  return { id, n, status, createdAt, updatedAt, publishedAt, publishAt, slug, title, values };
}
