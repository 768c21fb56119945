/**
 * Targets with listing pages: a collection, and each tag that its documents carry. A tag has pages as long as
 * such documents exist; their path follows its name.
 *
 * @module
 */
import type { DocumentReader } from "../../../kv/documents/reader.ts";
import type { CurrentRow } from "../../../kv/versioning/entities.ts";
import { type Condition, hasValue } from "../../../kv/index/query/condition.ts";
import { currentKey } from "../../../kv/keys.ts";
import { type Collection, hasPages } from "../../../kv/model/entities/collection.ts";
import { isAuthorField } from "../../../kv/model/fields/author_field.ts";
import { isPublished } from "../../../kv/model/entities/page.ts";
import { areDocuments, choiceSlug, findTag } from "../../../kv/model/fields/tags.ts";
import type { Entry } from "../../../kv/store/operation.ts";
import type { Store } from "../../../kv/store/store.ts";
import { choiceView, documentTagView, type TagView } from "../../render/views/tag_view.ts";
import type { Rendering } from "../../render/views/view.ts";

/** A collection, or one of its tags. */
export interface ListingTarget {
  collectionId: string;
  tagId?: string;
}

/** The documents that a target lists now. */
export interface Listing {
  collection: Collection;
  /** Null for the collection itself. */
  tag: TagView | null;
  /** The condition that its documents meet. */
  where?: Condition;
  /** Id of the document that is the author of all listed documents, if the tag represents it. */
  author?: string;
  /** The tag's name among surrogate keys. */
  name?: string;
}

/** The listing of a target, or null if it has no pages. */
export interface FoundListing {
  listing: Listing | null;
  /** The document that the tag refers to; the commit must check that it has not changed. */
  check?: Entry;
}

/** The name of a listing in keys. */
export function listingName({ collectionId, tagId }: ListingTarget): string {
  return tagId === undefined ? collectionId : `${collectionId}-${tagId}`;
}

/** Looks a target up. */
export async function findListing(
  { store, reader }: { store: Store; reader: Pick<DocumentReader, "ofEntry"> },
  { schema }: Rendering,
  { collectionId, tagId }: ListingTarget,
): Promise<FoundListing> {
  const collection = schema.byId.get(collectionId);
  if (collection === undefined || !hasPages(collection)) return { listing: null };
  if (tagId === undefined) return { listing: { collection, tag: null } };
  const tag = findTag(collection, tagId);
  if (tag === null) return { listing: null };
  const { field, value } = tag;
  const where = hasValue({ fieldKey: field.key }, value);
  if (!areDocuments(field)) {
    const view = choiceView(collection, field, choiceSlug(field, value), value);
    return { listing: { collection, where, tag: view } };
  }
  const check = await store.get<CurrentRow>(currentKey("document", value));
  const stored = await reader.ofEntry(value, check);
  const target = stored && isPublished(stored.state) ? stored.state : null;
  const others = target && schema.byId.get(target.collectionId);
  if (!target || !others) return { listing: null, check };
  const view = documentTagView(collection, field, target, others);
  const author = isAuthorField(field) ? { author: value } : {};
  return { listing: { collection, where, tag: view, ...author }, check };
}
