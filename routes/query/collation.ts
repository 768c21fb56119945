/**
 * `collate`: texts are sorted by the rules of a language instead of by code points.
 *
 * @module
 */
import type { ListQuery, SortKey } from "../../kv/index/query/list_query.ts";
import { collatorOf } from "../../kv/index/segments/collated_column.ts";
import { collatedKey } from "../../kv/index/segments/derived_column.ts";
import { LANGUAGE_CODE_CHARS_MAX } from "../../kv/limits/content.ts";
import type { Collection } from "../../kv/model/entities/collection.ts";
import { indexedFields } from "../../kv/model/fields/indexed_fields.ts";
import { isCanonical } from "../../kv/model/languages/language.ts";
import { fieldType } from "../../kv/model/fields/types/registry.ts";
import { parameterInvalid, type Parameters } from "./parameters.ts";

/** Reads `collate`; null for the order of code points. */
export function parseCollation(parameters: Parameters): string | null {
  const code = parameters.single("collate");
  if (code === undefined) return null;
  const isCode = code.length <= LANGUAGE_CODE_CHARS_MAX && isCanonical(code);
  if (isCode && collatorOf(code) !== undefined) return code;
  throw parameterInvalid("collate must be the code of a language that has an order of its own");
}

/** A query whose texts are in the order of a language; `asked` are its sort keys as they were given. */
export function inCollation<T extends Pick<ListQuery, "sort">>(
  query: T,
  code: string | null,
  asked: readonly SortKey[],
  collection: Collection,
): T {
  if (code === null) return query;
  const sort = query.sort.map((key, at) => {
    const given = asked[at];
    const isText = given !== undefined && holdsText(given, collection);
    return isText ? { ...key, by: collatedKey(code, key.by) } : key;
  });
  return { ...query, sort };
}

function holdsText({ by }: SortKey, collection: Collection): boolean {
  if (typeof by === "string") return by === "title" || by === "slug";
  const field = indexedFields(collection).find(({ key }) => key === by.fieldKey);
  return field !== undefined && fieldType(field.type).kind === "string";
}
