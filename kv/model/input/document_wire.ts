/**
 * Documents as they are shown: framing and fields flat on one object, every field present.
 *
 * @module
 */
import type { Collection } from "../entities/collection.ts";
import type { DocumentState } from "../entities/document.ts";
import { SEEN } from "../languages/seen_language.ts";
import type { Json } from "../entities/entity.ts";
import type { JsonKind } from "../fields/field_type.ts";
import { hasWorkingCopy, laidOver } from "../entities/working_copy.ts";
import { fieldType } from "../fields/types/registry.ts";

/** A document as the headless API shows it. */
export function toWire(state: DocumentState, collection: Collection): Record<string, Json> {
  const wire: Record<string, Json> = {
    id: state.id,
    slug: state.slug,
    title: state.title,
    status: state.status,
    createdAt: state.createdAt,
    updatedAt: state.updatedAt,
    publishedAt: state.publishedAt,
  };
  for (const field of collection.fields) {
    const value = state.data[field.key];
    wire[field.name] = value !== undefined && isKind(value, fieldType(field.type).kind)
      ? value
      : null;
  }
  wire.blocks = state.blocks;
  state[SEEN]?.(wire, collection);
  return wire;
}

/**
 * A document as the admin API shows it: also where it belongs, when it is to be published, when that is to
 * end, whether changes of it are not public yet, and its review, by a name that no field can have.
 */
export function adminWire(state: DocumentState, collection: Collection): Record<string, Json> {
  return {
    ...toWire(state, collection),
    collection: collection.slug,
    publishAt: state.publishAt,
    ...(state.unpublishAt !== undefined && { unpublishAt: state.unpublishAt }),
    hasWorkingCopy: hasWorkingCopy(state, collection),
    ...(state.review !== undefined && { _review: { ...state.review } }),
  };
}

/** The same with the working copy laid over it, as its editors see it. */
export function workingWire(state: DocumentState, collection: Collection): Record<string, Json> {
  const wire = adminWire(laidOver(state), collection);
  return { ...wire, hasWorkingCopy: hasWorkingCopy(state, collection) };
}

/** False for a value that an earlier type of the field left behind. */
function isKind(value: Json, kind: JsonKind): boolean {
  if (kind === "any") return true;
  if (kind === "array") return Array.isArray(value);
  const found = typeof value;
  return found === kind && !Array.isArray(value);
}
