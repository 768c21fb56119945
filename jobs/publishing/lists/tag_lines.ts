/**
 * The sitemap's lines of tags: a tag has one while published documents carry it.
 *
 * @module
 */
import { type Collection, hasPages } from "../../../kv/model/entities/collection.ts";
import { tagFields, tagId } from "../../../kv/model/fields/tags.ts";
import { siteEntryKey } from "../../../kv/pages/page_keys.ts";
import { putSiteEntry, removeSiteEntry, type SiteEntry } from "../../../kv/pages/site_entries.ts";
import type { Operation } from "../../../kv/store/operation.ts";
import type { Publishing } from "../publishing.ts";
import { findListing, type Listing, listingName, type ListingTarget } from "./listing_target.ts";
import { listNewest, publishedOf } from "./newest_documents.ts";

type TagTarget = Required<ListingTarget>;

/** Adds the line of a tag, or its removal, to a commit; answers whether the tag's pages came, went or moved. */
export async function putTagLine(
  publishing: Publishing,
  operation: Operation,
  target: TagTarget,
): Promise<boolean> {
  const { content: { context: { store } }, reader } = publishing;
  const name = listingName(target);
  const [rendering, { value: before }] = await Promise.all([
    publishing.rendering(),
    store.get<SiteEntry>(siteEntryKey(name)),
  ]);
  const { listing } = await findListing({ store, reader }, rendering, target);
  const entry = listing && await entryOf(publishing, listing);
  if (!entry) {
    if (before !== null) removeSiteEntry(operation, name);
    return before !== null;
  }
  if (before?.join() !== entry.join()) putSiteEntry(operation, name, entry);
  return before?.[0] !== entry[0];
}

/** The line of a tag, as old as its newest publication; null if it has none. */
async function entryOf(
  { content, reader }: Publishing,
  { collection, tag, where }: Listing,
): Promise<SiteEntry | null> {
  const page = await listNewest(content, [collection], 1, where);
  if (page.total === 0 || tag === null) return null;
  const [newest] = await publishedOf({ reader }, page);
  return [tag.path, newest?.publishedAt ?? 0];
}

/** The tags of a collection that have a line or should have one, in order of their names, behind one of them. */
export async function tagsWithLines(
  { content: { context: { store }, index } }: Publishing,
  collection: Collection,
  after: string,
): Promise<TagTarget[]> {
  const names = new Map<string, TagTarget>();
  const add = (tagId: string) => {
    const target = { collectionId: collection.id, tagId };
    names.set(listingName(target), target);
  };
  const head = listingName({ collectionId: collection.id, tagId: "" });
  const range = { start: siteEntryKey(head), end: siteEntryKey(`${head}~`) };
  for await (const { key } of store.list(range)) add((key[1] as string).slice(head.length));
  const fields = hasPages(collection) ? tagFields(collection) : [];
  if (fields.length > 0) {
    const keyed = fields.map((field) => {
      return { field, facet: { by: { fieldKey: field.key }, kind: "values" as const } };
    });
    const view = await index.view({
      collections: [collection],
      statuses: ["published"],
      sort: [],
      facets: keyed.map(({ facet }) => facet),
    });
    for (const { field, facet } of keyed) {
      for (const { value } of await store.slices.run(view.valuesOf(facet.by))) {
        if (typeof value === "string") add(tagId({ field, value }));
      }
    }
  }
  return [...names].filter(([name]) => name > after).sort(([a], [b]) => a < b ? -1 : 1)
    .map(([, target]) => target);
}
