/**
 * `fields`, `include` and `richText`: which keys of a document a response has, which IDs it
 * replaces, and the format of rich text.
 *
 * @module
 */
import type { Collection } from "../../kv/model/entities/collection.ts";
import { FRAMING_KEYS } from "../../kv/model/entities/document.ts";
import { Refusal } from "../../kv/refusals.ts";
import { type Include, type IncludeScope, parseIncludes } from "./include.ts";
import { parameterInvalid, type Parameters } from "./parameters.ts";

/** Keys that every document has. */
export const DOCUMENT_KEYS = [...FRAMING_KEYS, "blocks"] as const;

/** Keys that only documents found by `q` have, and only when they are asked for. */
export const RANK_KEYS = ["_rank", "_snippet"] as const;

/** Formats of rich text other than blocks. */
export const RICH_TEXT_FORMS = ["html", "markdown"] as const;

/** A form of rich text. */
export type RichTextForm = typeof RICH_TEXT_FORMS[number];

/** Forms of a list besides pages. */
export const LIST_FORMATS = ["csv", "ndjson"] as const;

/** A form of a list. */
export type ListFormat = typeof LIST_FORMATS[number];

/** The shape of a document in a response. */
export interface Projection {
  /** Null for all keys. */
  fields: ReadonlySet<string> | null;
  includes: Include[];
  richText: RichTextForm | null;
}

/** Whether a document is answered as it always is. */
export function isWhole({ fields, includes, richText }: Projection): boolean {
  return fields === null && includes.length === 0 && richText === null;
}

/** Options for parsing a projection. */
interface ProjectionScope extends IncludeScope {
  collection: Collection;
  /** Keys that documents have in addition to their fields. */
  keys: readonly string[];
}

/** Reads `fields`, `include` and `richText`. */
export function parseProjection(query: Parameters, scope: ProjectionScope): Projection {
  const fields = parseFields(query.names("fields"), scope);
  const includes = parseIncludes(query.names("include") ?? [], scope.collection, scope);
  // An include of a field that `fields` leaves out brings it in.
  for (const { name } of includes) fields?.add(name);
  return { fields, includes, richText: parseRichText(query.single("richText")) };
}

function parseFields(
  names: string[] | undefined,
  { collection, keys }: ProjectionScope,
): Set<string> | null {
  if (names === undefined) return null;
  const known = new Set<string>([
    ...keys,
    ...collection.fields.map(({ name }) => name),
  ]);
  const unknown = names.find((name) => !known.has(name));
  if (unknown !== undefined) {
    throw new Refusal("FIELD_INVALID", { about: unknown.slice(0, 100) || "an empty name" });
  }
  return new Set(["id", ...names]);
}

function parseRichText(text: string | undefined): RichTextForm | null {
  if (text === undefined) return null;
  const form = RICH_TEXT_FORMS.find((one) => one === text);
  if (form === undefined) {
    throw parameterInvalid(`richText must be one of ${RICH_TEXT_FORMS.join(", ")}`);
  }
  return form;
}
