/**
 * Writing a document by its slug: made when there is none, changed when there is.
 *
 * @module
 */
import { slugKey } from "../keys.ts";
import type { Actor } from "../model/entity.ts";
import { isSlug, SLUG_RULE } from "../model/slug.ts";
import { invalid, Refusal } from "../refusals.ts";
import { getCollection } from "../schema/schema.ts";
import type { Content } from "./content.ts";
import {
  type Body,
  decideCreate,
  decidePatch,
  documentWrite,
  type DocumentWriteOptions,
} from "./documents.ts";
import { schemaOf, type Written } from "./write.ts";

/** What came of an upsert. */
export interface Upserted extends Written {
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
): Promise<Upserted> {
  if (!isSlug(slug)) throw invalid("slug", "PATTERN_MISMATCH", SLUG_RULE);
  if (body.slug !== undefined && body.slug !== slug) {
    throw invalid("slug", "INVALID_CHOICE", "Must be the slug of the address");
  }
  return await documentWrite<Upserted>(content, actor, async (transaction) => {
    const collection = getCollection(await schemaOf(transaction, content), collectionSlug);
    const { value: id } = await transaction.get<string>(slugKey(collection.id, slug));
    if (id !== null) {
      if (options.createOnly) throw new Refusal("PRECONDITION_FAILED");
      return await decidePatch(transaction, content, id, body, {
        ...options,
        collection: collectionSlug,
      });
    }
    // `If-Match` names a document that is there.
    if (options.precondition !== undefined) throw new Refusal("PRECONDITION_FAILED");
    return await decideCreate(transaction, content, collectionSlug, { ...body, slug }, options);
  }, options);
}
