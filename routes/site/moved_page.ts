/**
 * Where a document is that is asked for by its id, or went whose slug was changed while it was published.
 *
 * @module
 */
import type { Content } from "../../kv/documents/content.ts";
import { type LiveRow, readHead } from "../../kv/entities.ts";
import { liveKey, oldSlugKey } from "../../kv/keys.ts";
import { hasPages } from "../../kv/model/collection.ts";
import { collectionTag, documentTag, isPublished } from "../../kv/model/page.ts";
import { isUlid } from "../../kv/model/ulid.ts";
import { documentPath } from "../../jobs/render/site_facts.ts";

/** The present path of the document that had this one, or whose id stands in it, with the tags of the answer; null for none. */
export async function findMovedPage(
  content: Pick<Content, "context" | "schema">,
  path: string,
): Promise<{ path: string; tags: string[] } | null> {
  const [, collectionSlug, slug] = /^\/([a-z0-9_-]+)\/([a-z0-9-]+|[0-9A-Z]{26})$/.exec(path) ?? [];
  if (collectionSlug === undefined || slug === undefined) return null;
  const { context } = content;
  const collection = (await content.schema.current()).bySlug.get(collectionSlug);
  if (collection === undefined || !hasPages(collection)) return null;
  const id = isUlid(slug)
    ? slug
    : (await context.store.get<string>(oldSlugKey(collection.id, slug))).value;
  if (id === null) return null;

  const key = liveKey("document", id);
  const entry = await context.store.get<LiveRow>(key);
  const { state } = await readHead(context, "document", id, key, entry);
  if (state === null) return null;
  const document = state;
  const isElsewhere = document.collectionId === collection.id && document.slug !== slug;
  if (!isPublished(document) || !isElsewhere) return null;
  const tags = [documentTag(id), collectionTag(collection.slug)];
  return { path: documentPath(collection, document.slug), tags };
}
