/**
 * Documents as a request wants them: some of their keys, other documents and media in the place of ids, rich
 * text as a string.
 *
 * @module
 */
import { toWire } from "../../../kv/model/input/document_wire.ts";
import type { BlockDefinition, Collection } from "../../../kv/model/entities/collection.ts";
import { type DocumentState, PARTIAL_KEY } from "../../../kv/model/entities/document.ts";
import type { Json } from "../../../kv/model/entities/entity.ts";
import { isJsonObject } from "../../../kv/model/values/json_object.ts";
import { blockIncludes, type Include } from "../../query/include.ts";
import type { Projection } from "../../query/projection.ts";
import { type Included, keptIds } from "./includes.ts";
import { narrowed } from "../../query/field_tree.ts";
import { idsIn } from "../../../kv/model/fields/referenced_ids.ts";
import { headlessMedium } from "../media_view.ts";
import { blocksWithRichText, withRichText } from "./rich_text_form.ts";

/** The inputs of a projection, apart from the document. */
export interface ProjectionParts {
  projection: Projection;
  included: Included;
  /** Block definitions by name. */
  blocks: ReadonlyMap<string, BlockDefinition>;
  /** The projection of whole documents, the default of the headless API. */
  toWire?: typeof toWire;
}

/** A document in the requested shape; `found` holds rank and snippet of a search. */
export function projectedWire(
  state: DocumentState,
  collection: Collection,
  parts: ProjectionParts,
  found: Record<string, Json> = {},
): Record<string, Json> {
  const { fields, includes, counts } = parts.projection;
  const wire: Record<string, Json> = { ...whole(state, collection, parts), ...found };
  putIncludes(wire, state.id, includes, parts);
  if (counts.length > 0) wire._counts = { ...parts.included.counts.get(state.id) };
  return narrowed(wire, fields) as Record<string, Json>;
}

/** Puts documents and media in a document, and names the lists that are not whole. */
function putIncludes(
  wire: Record<string, Json>,
  id: string,
  includes: readonly Include[],
  parts: ProjectionParts,
): void {
  const partial = new Set<string>();
  for (const include of includes) {
    const ids = parts.included.reverse.get(include)?.get(id);
    if (ids !== undefined) wire[include.name] = reverseDocuments(ids, include, parts);
    else if (replaceIds(wire, [include], parts)) partial.add(include.name);
  }
  if (partial.size > 0) wire[PARTIAL_KEY] = [...partial];
}

/** The documents of a reverse include, without those that have just been hidden. */
function reverseDocuments(
  ids: readonly string[],
  include: Include,
  parts: ProjectionParts,
): Json[] {
  return ids.filter((id) => parts.included.documents.has(id))
    .map((id) => includedValue(id, include, parts));
}

function whole(
  state: DocumentState,
  collection: Collection,
  { projection: { richText }, blocks, toWire: wireOf = toWire }: ProjectionParts,
): Record<string, Json> {
  const wire = wireOf(state, collection);
  if (richText === null) return wire;
  for (const field of collection.fields) {
    wire[field.name] = withRichText(wire[field.name] ?? null, field, richText, blocks);
  }
  wire.blocks = blocksWithRichText(state.blocks, richText, blocks);
  return wire;
}

/** Puts documents and media in the places of ids; tells whether a list has lost some, or their order. */
function replaceIds(
  wire: Record<string, Json>,
  includes: readonly Include[],
  parts: ProjectionParts,
): boolean {
  let isPartial = false;
  for (const include of includes) {
    const { name, kind } = include;
    if (!Object.hasOwn(wire, name)) continue;
    const value = wire[name] ?? null;
    if (kind === "rows" || kind === "blocks") {
      const inside = withIncluded(value, include, parts);
      wire[name] = inside.value;
      isPartial ||= inside.isPartial;
    } else if (include.selection === null) {
      wire[name] = Array.isArray(value)
        ? value.map((id) => includedValue(id, include, parts))
        : includedValue(value, include, parts);
    } else {
      const ids = idsIn(value);
      const kept = keptIds(include, ids, parts.included);
      const shown = kept.map((id) => includedValue(id, include, parts));
      isPartial ||= kept.length < ids.length || kept.some((id, at) => id !== ids[at]);
      if (include.isList) wire[name] = value === null ? null : shown;
      else wire[name] = shown[0] ?? null;
    }
  }
  return isPartial;
}

/** The document or medium in the place of its id; the id if it was not included. */
function includedValue(
  id: Json,
  { kind, hasSeveralTargets, targets, fields }: Include,
  parts: ProjectionParts,
): Json {
  const { included } = parts;
  if (kind === "media") {
    const medium = included.media.get(String(id));
    return medium === undefined ? id : narrowed(headlessMedium(medium), fields);
  }
  const found = included.documents.get(String(id));
  if (found === undefined) return id;
  const { slug } = found.collection;
  const other = whole(found.stored.state, found.collection, parts);
  putIncludes(other, found.stored.state.id, targets.get(slug) ?? [], parts);
  return narrowed(hasSeveralTargets ? { ...other, _collection: slug } : other, fields);
}

/** Rows or blocks with IDs replaced; the stored value is not modified. */
function withIncluded(
  value: Json,
  { kind, inner }: Pick<Include, "kind" | "inner">,
  parts: ProjectionParts,
): { value: Json; isPartial: boolean } {
  if (Array.isArray(value)) {
    const items = value.map((one) => withIncluded(one, { kind, inner }, parts));
    return {
      value: items.map((item) => item.value),
      isPartial: items.some(({ isPartial }) => isPartial),
    };
  }
  if (!isJsonObject(value)) return { value, isPartial: false };
  if (kind === "rows") {
    const row = { ...value };
    const isPartial = replaceIds(row, inner, parts);
    return { value: row, isPartial };
  }
  if (!isJsonObject(value.data)) return { value, isPartial: false };
  const data = { ...value.data };
  const isPartial = replaceIds(data, blockIncludes(value, inner), parts);
  return { value: { ...value, data }, isPartial };
}
