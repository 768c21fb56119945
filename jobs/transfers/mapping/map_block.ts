/**
 * Blocks of a source, in fields and in rich text, as the plan says.
 *
 * @module
 */
import type { Json } from "../../../kv/model/entities/entity.ts";
import { BLOCK_ID } from "../../../kv/model/fields/types/block.ts";
import { ownValue } from "../../../kv/model/primitives/own_value.ts";
import { isJsonObject, type JsonObject } from "../../../kv/model/values/json_object.ts";
import { blockContent, blockKind } from "./block_kind.ts";
import { type MapScope, type MapValue, mediaOf, targetOf } from "./map_scope.ts";
import { DROPPED, JSON_BLOCK } from "./source_blocks.ts";

/** A block of a field, as a list of one; an empty list if it is left out. */
export function blockInstance(
  value: Json,
  path: string,
  scope: MapScope,
  mapValue: MapValue,
): Json[] {
  const kind = blockKind(value);
  // Blocks of this service have their form already.
  if (kind === null || !isJsonObject(value)) return [value];
  const mapped = contentOf(kind, value, path, scope, mapValue);
  if (mapped === null) return [];
  const { id, _key } = value;
  const known = String(id ?? _key ?? "");
  return [{
    type: mapped.target,
    ...(BLOCK_ID.test(known) && { id: known }),
    data: mapped.data,
  }];
}

/** A part of a rich text with the assets and documents of this site, as a list of one or none. */
export function richTextPart(
  part: Json,
  path: string,
  scope: MapScope,
  mapValue: MapValue,
): Json[] {
  if (!isJsonObject(part)) return [part];
  const kind = part._type === "block" ? null : blockKind(part);
  if (kind !== null) return embeddedBlock(kind, part, path, scope, mapValue);
  if (part._type === "image" && typeof part.src === "string") {
    const { src, ...rest } = part;
    const id = mediaOf(src, path, scope);
    return [id === null ? part : { ...rest, media: id }];
  }
  const next: JsonObject = { ...part };
  for (const name of ["content", "rows", "cells", "value", "children"]) {
    const inner = part[name];
    if (Array.isArray(inner)) {
      next[name] = inner.flatMap((one) => richTextPart(one, path, scope, mapValue));
    }
  }
  return [next];
}

/** A block inside of a rich text: its values stand beside its type. */
function embeddedBlock(
  kind: string,
  part: JsonObject,
  path: string,
  scope: MapScope,
  mapValue: MapValue,
): Json[] {
  const mapped = contentOf(kind, part, path, scope, mapValue);
  if (mapped === null) return [];
  const { _key } = part;
  return [{ _type: mapped.target, ...(_key !== undefined && { _key }), ...mapped.data }];
}

/** What a block becomes, with its values; null if it is left out. */
function contentOf(
  kind: string,
  block: JsonObject,
  path: string,
  scope: MapScope,
  mapValue: MapValue,
): { target: string; data: JsonObject } | null {
  const { warnings, blocks } = scope;
  const { target = DROPPED, fields = [] } = blocks.get(kind) ?? {};
  const { _type: _, ...content } = blockContent(block);
  if (target === DROPPED) {
    warnings.push({ path, code: "LEFT_OUT", message: `A block "${kind}" is left out` });
    return null;
  }
  if (target === JSON_BLOCK) {
    warnings.push({ path, code: "NOT_CONVERTED", message: `A block "${kind}" is kept as JSON` });
    return { target, data: { source: kind, value: content } };
  }
  const data: JsonObject = {};
  for (const field of fields) {
    const value = ownValue(content, field.from) ?? null;
    if (value === null) continue;
    data[field.to] = mapValue(value, targetOf(field), `${path}.${field.to}`, scope);
  }
  return { target, data };
}
