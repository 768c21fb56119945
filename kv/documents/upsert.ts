/**
 * Writing a document by its slug: made when there is none, changed when there is.
 *
 * @module
 */
import { slugKey } from "../keys.ts";
import type { Actor } from "../model/entities/entity.ts";
import { isSlug } from "../model/values/slug.ts";
import { type Detail, Refusal } from "../refusals.ts";
import { getCollection } from "../model/entities/collection.ts";
import type { Content } from "./content.ts";
import {
  type Body,
  decideCreate,
  decidePatch,
  documentWrite,
  type DocumentWriteOptions,
} from "./documents.ts";
import { schemaOf, type WriteResult } from "./write.ts";

/** The result of an upsert. */
export interface UpsertResult extends WriteResult {
  created?: true;
}

/** How an upsert is made. */
export interface UpsertOptions extends DocumentWriteOptions {
  /** Refuses with PRECONDITION_FAILED when the slug is taken. */
  createOnly?: boolean;
}

/**
 * Creates the document with this slug, or changes it as a patch does.
 *
 * @throws {Refusal} VALIDATION_FAILED when the body names another slug; whatever create and patch refuse.
 */
export async function upsertDocument(
  content: Content,
  actor: Actor,
  collectionSlug: string,
  slug: string,
  body: Body,
  options: UpsertOptions = {},
): Promise<UpsertResult> {
  const { createOnly, precondition } = options;
  const named = { ...body, slug };
  return await documentWrite<UpsertResult>(content, actor, async (transaction) => {
    const collection = getCollection(await schemaOf(transaction, content), collectionSlug);
    const id = isSlug(slug, "unicode")
      ? (await transaction.get<string>(slugKey(collection.id, slug))).value
      : null;
    const how = { ...options, collection: collectionSlug, failures: otherSlug(slug, body) };
    if (id !== null) {
      return await decidePatch(transaction, content, id, named, {
        ...how,
        ...(createOnly && { precondition: () => false }),
      });
    }
    const made = await decideCreate(transaction, content, collectionSlug, named, how);
    // `If-Match` names a document that is there; like all conditions it comes after the body.
    if (precondition !== undefined) throw new Refusal("PRECONDITION_FAILED");
    return made;
  }, options);
}

/** A body may name the slug of its address; one that is no slug fails by itself. */
function otherSlug(slug: string, body: Body): Detail[] {
  if (!isSlug(slug, "unicode") || body.slug === undefined || body.slug === slug) return [];
  return [{
    field: "slug",
    code: "INVALID_CHOICE",
    message: "Must be the slug that names the document",
  }];
}
