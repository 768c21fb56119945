/**
 * Redirects from former paths: of a document by its ID or an earlier slug, and of the tag pages
 * that a document represents.
 *
 * @module
 */
import { onlyTarget } from "../../kv/model/fields/reference_target.ts";
import type { Content } from "../../kv/documents/content.ts";
import { type CurrentRow, readHead } from "../../kv/versioning/entities.ts";
import { currentKey, oldSlugKey, slugKey } from "../../kv/keys.ts";
import { type Collection, hasPages } from "../../kv/model/entities/collection.ts";
import {
  collectionTag,
  documentTag,
  isPublished,
  listingTag,
  MISSING_TAG,
  type PublishedDocument,
} from "../../kv/model/entities/page.ts";
import { areDocuments, tagFields } from "../../kv/model/fields/tags.ts";
import { isUlid } from "../../kv/model/values/ulid.ts";
import {
  documentPath,
  type FeedKind,
  feedPath,
  olderPath,
  slugAt,
} from "../../jobs/render/site_facts.ts";
import { tagPath } from "../../jobs/render/views/tag_view.ts";

/** The current path of a moved page, with the response's surrogate keys. */
export interface MovedPage {
  path: string;
  tags: string[];
}

type Source = Pick<Content, "context" | "schema">;

/** `/posts/a-slug` and `/posts/{id}`; letters of other scripts are percent-encoded. */
const DOCUMENT_PATH = /^\/([a-z0-9_-]+)\/((?:[a-z0-9-]|%[0-9A-F]{2})+|[0-9A-Z]{26})$/;
/** `/posts/lamp/a-slug`, `/posts/lamp/a-slug/page/2` and `/posts/lamp/a-slug/feed.xml`. */
const TAG_PATH =
  /^\/([a-z0-9_-]+)\/(\w+)\/((?:[a-z0-9-]|%[0-9A-F]{2})+)(?:\/page\/(\d{1,9})|\/feed\.(xml|json|atom))?$/;

/**
 * The current path of the document or tag that had this path, or whose ID is in it; null if there
 * is none. `isThere` tells whether a path is that of a list.
 */
export async function findMovedPage(
  content: Source,
  path: string,
  isThere: (path: string) => Promise<boolean>,
): Promise<MovedPage | null> {
  const document = DOCUMENT_PATH.exec(path);
  const tag = document === null ? TAG_PATH.exec(path) : null;
  const [, collectionSlug, ...rest] = document ?? tag ?? [];
  if (collectionSlug === undefined) return null;
  const collection = (await content.schema.current()).bySlug.get(collectionSlug);
  if (collection === undefined || !hasPages(collection)) return null;
  return document === null
    ? await findMovedTag(content, collection, rest, isThere)
    : await findMovedDocument(content, collection, slugAt(rest[0] ?? ""));
}

async function findMovedDocument(
  { context }: Source,
  collection: Collection,
  slug: string,
): Promise<MovedPage | null> {
  const id = isUlid(slug)
    ? slug
    : (await context.store.get<string>(oldSlugKey(collection.id, slug))).value;
  const document = await findPublic(context, id);
  if (document === null) return null;
  if (document.collectionId !== collection.id || document.slug === slug) return null;
  const tags = [documentTag(document.id), collectionTag(collection.slug)];
  return { path: documentPath(collection, document.slug), tags };
}

/** Tag pages move with their document unless another published document has taken the name. */
async function findMovedTag(
  { context, schema }: Source,
  collection: Collection,
  [name, encoded = "", number, feed]: (string | undefined)[],
  isThere: (path: string) => Promise<boolean>,
): Promise<MovedPage | null> {
  const field = tagFields(collection).find((field) => field.name === name);
  if (field === undefined || !areDocuments(field)) return null;
  const target = (await schema.current()).bySlug.get(onlyTarget(field.options) ?? "");
  if (target === undefined) return null;
  const slug = slugAt(encoded);
  const [former, present] = await context.store.getMany([
    oldSlugKey(target.id, slug),
    slugKey(target.id, slug),
  ]);
  const [document, other] = await Promise.all(
    [former, present].map((entry) => findPublic(context, entry.value as string | null)),
  );
  if (!document || other || document.collectionId !== target.id) return null;
  const newest = tagPath(collection, field, document.slug);
  const path = feed !== undefined
    ? feedPath(newest, feed as FeedKind)
    : number === undefined
    ? newest
    : olderPath(newest, Number(number));
  if (!await isThere(path)) return null;
  const tags = [documentTag(document.id), listingTag(collection.slug), MISSING_TAG];
  return { path, tags };
}

async function findPublic(
  context: Content["context"],
  id: string | null,
): Promise<PublishedDocument | null> {
  if (id === null) return null;
  const key = currentKey("document", id);
  const entry = await context.store.get<CurrentRow>(key);
  const { state } = await readHead(context, "document", id, key, entry);
  return state !== null && isPublished(state) ? state : null;
}
