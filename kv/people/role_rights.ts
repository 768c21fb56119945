/**
 * The rights of roles in single collections, by slug in requests and by id in the store: rights follow a
 * renamed collection, and are removed with a deleted one.
 *
 * @module
 */
import type { Role } from "../model/entities/access.ts";
import type { Schema } from "../model/entities/collection.ts";
import { type CollectionRights, completeActions } from "../model/entities/document_rights.ts";
import type { RightsInput } from "../model/input/user_input.ts";
import { type Detail, Refusal } from "../refusals.ts";

/** A role as it is shown; `collections` is absent when it allows nothing in single ones. */
export type RoleView = Omit<Role, "collections" | "secondFactorSince"> & {
  collections?: RightsInput[];
  requireSecondFactor: boolean;
};

/** The rights that a body names, with what they take. */
export function readRights(input: readonly RightsInput[], schema: Schema): CollectionRights[] {
  const details: Detail[] = [];
  const rights = new Map<string, CollectionRights>();
  input.forEach(({ collection: slug, actions }, position) => {
    const field = `collections.${position}.collection`;
    const collection = schema.bySlug.get(slug);
    if (collection === undefined) {
      details.push({ field, code: "INVALID_REFERENCE", message: "Unknown collection" });
    } else if (rights.has(collection.id)) {
      details.push({ field, code: "NOT_UNIQUE", message: "Is listed twice" });
    } else {
      rights.set(collection.id, {
        collectionId: collection.id,
        actions: completeActions(actions),
      });
    }
  });
  if (details.length > 0) throw new Refusal("VALIDATION_FAILED", { details });
  return [...rights.values()].filter(({ actions }) => actions.length > 0);
}

/** A role as it is shown. */
export function roleView(
  { collections, secondFactorSince: _since, ...rest }: Role,
  schema: Schema,
): RoleView {
  const role = { ...rest, requireSecondFactor: rest.requireSecondFactor ?? false };
  if (collections === undefined) return role;
  const shown = collections.flatMap(({ collectionId, actions }) => {
    const collection = schema.byId.get(collectionId);
    return collection === undefined ? [] : [{ collection: collection.slug, actions }];
  });
  return { ...role, collections: shown };
}
