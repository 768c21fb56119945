/**
 * RENDER_TAGS: documents of a collection came to tags, left them, or changed: the pages of these tags are brought
 * up to date, the pages of the documents that stand for them, and of documents that have others near them now. What was noted is looked at, nothing
 * else; one job at a time does it for all publishes that came before.
 *
 * @module
 */
import { indexVersionKey } from "../../../kv/index/index_keys.ts";
import { hasValue } from "../../../kv/index/query/condition.ts";
import { documentTag, listingTag, MISSING_TAG } from "../../../kv/model/entities/page.ts";
import type { Collection } from "../../../kv/model/entities/collection.ts";
import { areDocuments, findTag, type Tag } from "../../../kv/model/fields/tags.ts";
import { tagChangePrefix } from "../../../kv/pages/page_keys.ts";
import type { TagChange } from "../../../kv/pages/tag_changes.ts";
import type { Entry } from "../../../kv/store/operation.ts";
import {
  again,
  type JobKind,
  jobKind,
  next,
  type OutcomeOf,
  type Work,
} from "../../runner/job_kind.ts";
import { rowAt } from "./listing_changes.ts";
import type { ListingTarget } from "./listing_target.ts";
import { bringPage, type Publishing } from "../publishing.ts";
import { relatedByTag, relatesDocuments } from "../related.ts";

/** The shortest time between two runs, milliseconds. */
const GAP_MS = 1_000;
/** Notes taken up at a time. */
const NOTES_AT_ONCE = 200;
/** Tags brought up to date at a time. */
const TAGS_AT_ONCE = 8;

/** What was noted of one tag. */
type NotedTag = { target: Required<ListingTarget>; changes: TagChange[] };

/** The kind of job that renders the pages of tags. */
export function renderTagsKind(publishing: Publishing): JobKind<"RENDER_TAGS"> {
  return jobKind("RENDER_TAGS", { pages: (work) => pages(publishing, work) }, { gapMs: GAP_MS });
}

async function pages(
  publishing: Publishing,
  { payload: { collectionId }, operation, cursor }: Work<"RENDER_TAGS">,
): Promise<OutcomeOf<"RENDER_TAGS", "pages">> {
  const { store } = publishing.content.context;
  const done = cursor as number | null ?? 0;
  const range = { prefix: tagChangePrefix(collectionId) };
  const notes = await store.listAll<TagChange>(range, { limit: NOTES_AT_ONCE });
  for (const { key } of notes) operation.delete(key);
  let rendered = 0;
  const concerned = new Set<string>();
  const noted = byTag(collectionId, notes);
  for (let start = 0; start < noted.length; start += TAGS_AT_ONCE) {
    await Promise.all(
      noted.slice(start, start + TAGS_AT_ONCE).map(async (one) => {
        rendered += await publishing.listings.publish(one.target, rowsOf(one.changes));
        for (const id of await findConcerned(publishing, one)) concerned.add(id);
      }),
    );
  }
  const changed: string[] = [];
  for (const id of concerned) if (await bringPage(publishing, id)) changed.push(id);
  await purge(publishing, collectionId, rendered, changed);
  const all = done + rendered + changed.length;
  return notes.length < NOTES_AT_ONCE ? next({ pages: all }) : again(all);
}

function byTag(collectionId: string, notes: Entry<TagChange>[]): NotedTag[] {
  const byId = Map.groupBy(notes, ({ key }) => key[2] as string);
  return [...byId].map(([tagId, entries]) => ({
    target: { collectionId, tagId },
    changes: entries.map(({ value }) => value),
  }));
}

function rowsOf(changes: TagChange[]) {
  return changes.filter((change) => change !== null)
    .flatMap(({ documentId, places }) => places.map((place) => rowAt(documentId, place)));
}

/** Ids of the documents whose own pages show that a tag has changed: who it stands for, and who is near others. */
async function findConcerned(publishing: Publishing, noted: NotedTag): Promise<Set<string>> {
  const { schema } = await publishing.rendering();
  const collection = schema.byId.get(noted.target.collectionId);
  const tag = collection && findTag(collection, noted.target.tagId);
  if (!collection || !tag) return new Set();
  const ids = relatesDocuments(tag)
    ? await findRelatedChanged(publishing, noted, collection, tag)
    : [];
  return new Set([...ids, ...areDocuments(tag.field) ? [tag.value] : []]);
}

/**
 * Ids of the documents that have others near them now, by a tag that has no pages, too: the document for it may not
 * be public.
 */
async function findRelatedChanged(
  { content: { context: { store }, index } }: Publishing,
  { target, changes }: NotedTag,
  collection: Collection,
  tag: Tag,
): Promise<Set<string>> {
  const entered = rowsOf(changes.filter((change) => change?.isEntering));
  if (entered.length === 0) return new Set();
  const version = await store.get(indexVersionKey(target.collectionId));
  const view = await index.view({
    collections: [collection],
    statuses: ["published"],
    where: hasValue({ fieldKey: tag.field.key }, tag.value),
    sort: [{ by: "publishedAt", descending: false }],
  }, [version]);
  const ids = relatedByTag(view, entered);
  for (const { id } of entered) ids.delete(id);
  return ids;
}

async function purge(
  { content, purge }: Publishing,
  collectionId: string,
  rendered: number,
  changed: string[],
): Promise<void> {
  const collection = (await content.schema.latest()).byId.get(collectionId);
  const listed = rendered > 0 && collection ? [listingTag(collection.slug), MISSING_TAG] : [];
  const tags = [...listed, ...changed.map(documentTag)];
  if (tags.length > 0) await purge(tags);
}
