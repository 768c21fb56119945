/**
 * Documents as a request wants them: some of their keys, other documents and media in the place of ids, rich
 * text as a string.
 *
 * @module
 */
import { toWire } from "../../../kv/model/input/document_wire.ts";
import type { BlockDefinition, Collection } from "../../../kv/model/entities/collection.ts";
import type { DocumentState } from "../../../kv/model/entities/document.ts";
import type { Json } from "../../../kv/model/entities/entity.ts";
import { isJsonObject } from "../../../kv/model/values/json_object.ts";
import { blockIncludes, type Include } from "../../query/include.ts";
import type { Projection } from "../../query/projection.ts";
import type { Included } from "./includes.ts";
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
    wire[field.name] = withRichText(wire[field.name] ?? null, field, richText, blocks);
  }
  wire.blocks = blocksWithRichText(state.blocks, richText, blocks);
  return wire;
}

function replaceIds(
  wire: Record<string, Json>,
  includes: readonly Include[],
  parts: ProjectionParts,
): void {
  for (const include of includes) {
    const { name, kind, isList, inner } = include;
    if (!Object.hasOwn(wire, name)) continue;
    const value = wire[name] ?? null;
    if (kind === "rows" || kind === "blocks") {
      wire[name] = withIncluded(value, { kind, inner }, parts);
    } else if (isList && Array.isArray(value)) {
      wire[name] = value.map((id) => includedValue(id, include, parts));
    } else wire[name] = includedValue(value, include, parts);
  }
}

/** The document or medium in the place of its id; the id if it was not included. */
function includedValue(
  id: Json,
  { kind, hasSeveralTargets, targets }: Include,
  parts: ProjectionParts,
): Json {
  const { included } = parts;
  if (kind === "media") {
    const medium = included.media.get(String(id));
    return medium === undefined ? id : headlessMedium(medium) as unknown as Json;
  }
  const found = included.documents.get(String(id));
  if (found === undefined) return id;
  const { slug } = found.collection;
  const other = whole(found.stored.state, found.collection, parts);
  replaceIds(other, targets.get(slug) ?? [], parts);
  return hasSeveralTargets ? { ...other, _collection: slug } : other;
}

/** Rows or blocks with IDs replaced; the stored value is not modified. */
function withIncluded(
  value: Json,
  { kind, inner }: Pick<Include, "kind" | "inner">,
  parts: ProjectionParts,
): Json {
  if (Array.isArray(value)) return value.map((one) => withIncluded(one, { kind, inner }, parts));
  if (!isJsonObject(value)) return value;
  if (kind === "rows") {
    const row = { ...value };
    replaceIds(row, inner, parts);
    return row;
  }
  if (!isJsonObject(value.data)) return value;
  const data = { ...value.data };
  replaceIds(data, blockIncludes(value, inner), parts);
  return { ...value, data };
}
