/**
 * Documents as a request wants them: some of their keys, other documents and media in the place of ids, rich
 * text as a string.
 *
 * @module
 */
import { toWire } from "../../kv/model/document_wire.ts";
import type { BlockDefinition, Collection } from "../../kv/model/collection.ts";
import type { DocumentState } from "../../kv/model/document.ts";
import type { Json } from "../../kv/model/entity.ts";
import { isJsonObject } from "../../kv/model/json_object.ts";
import type { Include, Projection } from "../query/projection.ts";
import type { Included } from "./includes.ts";
import { headlessMedium } from "./media_view.ts";
import { blocksWithRichText, withRichText } from "./rich_text_form.ts";

/** What a projection is made of, besides the document. */
export interface ProjectionParts {
  projection: Projection;
  included: Included;
  /** Block definitions by name. */
  blocks: ReadonlyMap<string, BlockDefinition>;
  /** How documents are shown whole; as the headless API does unless told. */
  toWire?: typeof toWire;
}

/** A document as it was asked for; `found` is what a search says of it. */
export function projectedWire(
  state: DocumentState,
  collection: Collection,
  parts: ProjectionParts,
  found: Record<string, Json> = {},
): Record<string, Json> {
  const { fields, includes } = parts.projection;
  const wire: Record<string, Json> = { ...whole(state, collection, parts), ...found };
  replaceIds(wire, includes, parts);
  if (fields === null) return wire;
  return Object.fromEntries(Object.entries(wire).filter(([key]) => fields.has(key)));
}

function whole(
  state: DocumentState,
  collection: Collection,
  { projection: { richText }, blocks, toWire: wireOf = toWire }: ProjectionParts,
): Record<string, Json> {
  const wire = wireOf(state, collection);
  if (richText === null) return wire;
  for (const field of collection.fields) {
    wire[field.name] = withRichText(wire[field.name]!, field, richText, blocks);
  }
  wire.blocks = blocksWithRichText(state.blocks, richText, blocks);
  return wire;
}

function replaceIds(
  wire: Record<string, Json>,
  includes: readonly Include[],
  parts: ProjectionParts,
): void {
  const { included } = parts;
  for (const { field, kind, inner } of includes) {
    const id = wire[field.name];
    if (kind === "rows") {
      if (id !== undefined) wire[field.name] = rowsWithIncluded(id, inner, parts);
      continue;
    }
    if (typeof id !== "string") continue;
    if (kind === "media") {
      const medium = included.media.get(id);
      if (medium !== undefined) wire[field.name] = headlessMedium(medium);
      continue;
    }
    const found = included.documents.get(id);
    if (found === undefined) continue;
    const { state } = found.stored;
    const other = whole(state, found.collection, parts);
    const isHome = found.collection.slug === field.options.collection;
    replaceIds(other, isHome ? inner : [], parts);
    wire[field.name] = other;
  }
}

/** The rows of a repeater, or a group, with what stands in the place of their ids; what was stored stays as it is. */
function rowsWithIncluded(
  value: Json,
  includes: readonly Include[],
  parts: ProjectionParts,
): Json {
  if (Array.isArray(value)) return value.map((row) => rowsWithIncluded(row, includes, parts));
  if (!isJsonObject(value)) return value;
  const row = { ...value };
  replaceIds(row, includes, parts);
  return row;
}
