/**
 * RENDER_TAGS: updates what documents that enter, leave or change in a tag change elsewhere: the tag's line in the
 * sitemap, the page of its own document, and the pages of documents whose related documents have changed. It handles only what
 * was noted, in one job for all publications before it.
 *
 * @module
 */
import { indexVersionKey } from "../../../kv/index/index_keys.ts";
import { hasValue } from "../../../kv/index/query/condition.ts";
import type { Position } from "../../../kv/index/query/list_query.ts";
import {
  documentTag,
  isPublished,
  listingTag,
  MISSING_TAG,
} from "../../../kv/model/entities/page.ts";
import { zip } from "../../../kv/model/primitives/zip.ts";
import { withoutAwaited } from "../../../kv/pages/document_pages.ts";
import type { Collection } from "../../../kv/model/entities/collection.ts";
import { areDocuments, findTag, type Tag } from "../../../kv/model/fields/tags.ts";
import { tagChangePrefix } from "../../../kv/pages/page_keys.ts";
import { requestAggregates } from "../../../kv/pages/rendering_requests.ts";
import { noteSiteChange } from "../../../kv/pages/site_entries.ts";
import type { ShownRelated, TagChange } from "../../../kv/pages/tag_changes.ts";
import type { Entry } from "../../../kv/store/operation.ts";
import {
  again,
  type JobKind,
  jobKind,
  next,
  type OutcomeOf,
  type Work,
} from "../../runner/job_kind.ts";
import type { ListingTarget } from "./listing_target.ts";
import { bringPage, type Publishing } from "../publishing.ts";
import { findRelated, relatedByTag, relatesDocuments } from "../related.ts";
import { putTagLine } from "./tag_lines.ts";

/** The shortest time between two runs, milliseconds. */
const GAP_MS = 1_000;
/** Notes per commit. */
const NOTES_AT_ONCE = 200;
/** Tags updated at a time. */
const TAGS_AT_ONCE = 8;

/** The notes of one tag. */
type NotedTag = { target: Required<ListingTarget>; changes: TagChange[] };

/** The kind of job that follows changes of tags. */
export function renderTagsKind(publishing: Publishing): JobKind<"RENDER_TAGS"> {
  return jobKind("RENDER_TAGS", { pages: (work) => pages(publishing, work) }, { gapMs: GAP_MS });
}

async function pages(
  publishing: Publishing,
  { payload: { collectionId }, operation, cursor }: Work<"RENDER_TAGS">,
): Promise<OutcomeOf<"RENDER_TAGS", "pages">> {
  const { store } = publishing.content.context;
  const done = cursor ?? 0;
  const range = { prefix: tagChangePrefix(collectionId) };
  const notes = await store.listAll<TagChange>(range, { limit: NOTES_AT_ONCE });
  for (const { key } of notes) operation.delete(key);
  let moved = false;
  const concerned = new Set<string>();
  const related = new Set<string>();
  const noted = byTag(collectionId, notes);
  for (let start = 0; start < noted.length; start += TAGS_AT_ONCE) {
    await Promise.all(
      noted.slice(start, start + TAGS_AT_ONCE).map(async (one) => {
        // The entity that the tag represents has changed, perhaps its name.
        if (one.changes.includes(null)) moved = true;
        const isKept = one.changes.every((change) => change?.isStaying);
        if (!isKept && await putTagLine(publishing, operation, one.target)) moved = true;
        const found = await findConcerned(publishing, one);
        for (const id of found.own) concerned.add(id);
        for (const id of found.related) related.add(id);
      }),
    );
  }
  if (moved) {
    noteSiteChange(operation, publishing.content.context);
    requestAggregates(operation, publishing.content.context);
  }
  const [rendered, outdated] = await Promise.all([
    withoutAwaited(store, [...related]),
    findOutdated(publishing, noted, collectionId),
  ]);
  for (const id of [...rendered, ...outdated]) concerned.add(id);
  const changed: string[] = [];
  for (const id of concerned) if (await bringPage(publishing, id)) changed.push(id);
  await purge(publishing, collectionId, moved, changed);
  const all = done + changed.length;
  return notes.length < NOTES_AT_ONCE ? next({ pages: all }) : again(all);
}

function byTag(collectionId: string, notes: Entry<TagChange>[]): NotedTag[] {
  const byId = Map.groupBy(notes, ({ key }) => key[2] as string);
  return [...byId].map(([tagId, entries]) => ({
    target: { collectionId, tagId },
    changes: entries.map(({ value }) => value),
  }));
}

/** The places that documents have left or come to. */
function movedPlaces(changes: TagChange[]): Position[] {
  return changes.flatMap((change): Position[] => {
    if (change === null || change.isStaying) return [];
    return change.places.map((place) => ({ values: [place], id: change.documentId }));
  });
}

/** Ids of the documents whose own pages show that a tag has changed. */
interface Concerned {
  /** The tag's document. */
  own: string[];
  related: string[];
}

/**
 * Ids of the documents whose own pages show that a tag has changed: the tag's document and its related ones.
 */
async function findConcerned(publishing: Publishing, noted: NotedTag): Promise<Concerned> {
  const { schema } = await publishing.rendering();
  const collection = schema.byId.get(noted.target.collectionId);
  const tag = collection && findTag(collection, noted.target.tagId);
  if (!collection || !tag) return { own: [], related: [] };
  const related = relatesDocuments(tag)
    ? await findRelatedChanged(publishing, noted, collection, tag)
    : [];
  return { own: areDocuments(tag.field) ? [tag.value] : [], related: [...related] };
}

/**
 * Ids of the documents whose related documents have changed by a tag. The tag may have no pages, because its
 * own document is not public.
 */
async function findRelatedChanged(
  { content: { context: { store }, index } }: Publishing,
  { target, changes }: NotedTag,
  collection: Collection,
  tag: Tag,
): Promise<Set<string>> {
  const places = movedPlaces(changes);
  if (places.length === 0) return new Set();
  const version = await store.get(indexVersionKey(target.collectionId));
  const view = await index.view({
    collections: [collection],
    statuses: ["published"],
    where: hasValue({ fieldKey: tag.field.key }, tag.value),
    sort: [{ by: "publishedAt", descending: false }],
  }, [version]);
  const ids = relatedByTag(view, places);
  for (const change of changes) if (change?.isEntering) ids.delete(change.documentId);
  return ids;
}

/**
 * Ids of the noted documents whose pages do not show what they are to show: others have entered while a page was
 * rendered, and were noted before it was there.
 */
async function findOutdated(
  { content: { context: { store }, index }, reader, rendering }: Publishing,
  noted: readonly NotedTag[],
  collectionId: string,
): Promise<string[]> {
  const shownBy = new Map<string, ShownRelated>();
  for (const change of noted.flatMap(({ changes }) => changes)) {
    if (change?.shown !== undefined) shownBy.set(change.documentId, change.shown);
  }
  const collection = (await rendering()).schema.byId.get(collectionId);
  if (shownBy.size === 0 || collection === undefined) return [];
  const version = await store.get(indexVersionKey(collectionId));
  const doubtful = [...shownBy].filter(([, shown]) => shown.version !== version.versionstamp);
  const documents = await reader.findMany(doubtful.map(([id]) => id));
  const outdated: string[] = [];
  for (const [[id, shown], read] of zip(doubtful, documents)) {
    const state = (await read())?.state;
    if (state === undefined || !isPublished(state)) continue;
    const related = await findRelated({ store, index }, collection, state, version);
    if (related.join() !== shown.ids.join()) outdated.push(id);
  }
  return outdated;
}

async function purge(
  { content, purge }: Publishing,
  collectionId: string,
  moved: boolean,
  changed: string[],
): Promise<void> {
  const collection = (await content.schema.latest()).byId.get(collectionId);
  const listed = moved && collection ? [listingTag(collection.slug), MISSING_TAG] : [];
  const tags = [...listed, ...changed.map(documentTag)];
  if (tags.length > 0) await purge(tags);
}
