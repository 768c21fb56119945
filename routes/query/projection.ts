/**
 * `fields`, `include` and `richText`: which keys of a document a response has, which IDs it
 * replaces, and the format of rich text.
 *
 * @module
 */
import type { Collection } from "../../kv/model/entities/collection.ts";
import { FRAMING_KEYS } from "../../kv/model/entities/document.ts";
import { type DocumentCount, parseCounts } from "./document_counts.ts";
import type { FieldTree } from "./field_path.ts";
import { bringIncludes, parseFieldTree } from "./field_tree.ts";
import type { Include, IncludeScope } from "./include.ts";
import { type IncludeRequestScope, parseIncludes } from "./include_request.ts";
import { parameterInvalid, type Parameters } from "./parameters.ts";

/** Keys that every document has. */
export const DOCUMENT_KEYS = [...FRAMING_KEYS, "blocks"] as const;

/** Keys of included media. */
const MEDIUM_KEYS = [
  "id",
  "filename",
  "mime",
  "bytes",
  "width",
  "height",
  "alt",
  "alts",
  "focus",
  "url",
  "createdAt",
  "updatedAt",
  "private",
] as const;

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
  /** The keys and those inside of them; null for all. */
  fields: FieldTree | null;
  includes: Include[];
  counts: DocumentCount[];
  richText: RichTextForm | null;
}

/** Whether a document is answered as it always is. */
export function isWhole({ fields, includes, counts, richText }: Projection): boolean {
  return fields === null && includes.length === 0 && counts.length === 0 && richText === null;
}

/** Options for parsing a projection. */
interface ProjectionScope extends IncludeScope {
  collection: Collection;
  /** Keys that documents have in addition to their fields. */
  keys: readonly string[];
  /** What filters of includes see. */
  filters: IncludeRequestScope["filters"];
}

/** Reads `fields`, `include`, `counts` and `richText`. */
export function parseProjection(query: Parameters, scope: ProjectionScope): Projection {
  const { collection, keys, find, blocks } = scope;
  const names = { keys, mediumKeys: MEDIUM_KEYS, find, blocks };
  const isOfSearch = (key: string) => (RANK_KEYS as readonly string[]).includes(key);
  const inner = { ...names, keys: keys.filter((key) => !isOfSearch(key)) };
  const includes = parseIncludes(query.values("include"), collection, { ...scope, names: inner });
  const fields = parseFieldTree(query.names("fields"), [{ collection, includes }], names);
  // An include of a field that `fields` leaves out brings it in.
  if (fields !== null) bringIncludes(fields, includes);
  const counts = parseCounts(query.names("counts"), collection, scope);
  const richText = parseRichText(query.single("richText"));
  return { fields, includes, counts, richText };
}

function parseRichText(text: string | undefined): RichTextForm | null {
  if (text === undefined) return null;
  const form = RICH_TEXT_FORMS.find((one) => one === text);
  if (form === undefined) {
    throw parameterInvalid(`richText must be one of ${RICH_TEXT_FORMS.join(", ")}`);
  }
  return form;
}
