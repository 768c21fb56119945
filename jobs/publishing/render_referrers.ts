/**
 * RENDER_REFERRERS: a document or medium has changed, so the pages that show something of it are rendered
 * again, and caches are told; of a medium's own bytes too.
 *
 * @module
 */
import { liveKey } from "../../kv/keys.ts";
import { pageReferrerKey, pageReferrerPrefix, siteCoversKey } from "../../kv/pages/page_keys.ts";
import { mediaTag } from "../../kv/model/media.ts";
import { documentTag, isPublished } from "../../kv/model/page.ts";
import { tagFields, tagId, tagsOf } from "../../kv/model/tags.ts";
import { noteTagChange } from "../../kv/pages/tag_changes.ts";
import { again, type JobKind, jobKind, next } from "../runner/job_kind.ts";
import type { Operation } from "../../kv/store/operation.ts";
import { coverOf } from "../render/cover.ts";
import { fieldRole } from "../render/field_role.ts";
import { makersOf } from "../render/maker.ts";
import { noteFeedChange } from "../../kv/pages/site_entries.ts";
import { requestAggregates, requestSiteRendering } from "../../kv/pages/rendering_requests.ts";
import { type Publishing, renderPage } from "./publishing.ts";

/** The shortest time between two runs for one target, milliseconds. */
const GAP_MS = 2_000;
/** Tags gathered before they are purged. */
const PURGED_AT_ONCE = 100;

/** How far it has come: the last page's document, and the tags that are still to be purged. */
type Cursor = { after: string; changed: string[]; done: number } | null;

/** The kind of job that follows references back. */
export function renderReferrersKind(publishing: Publishing): JobKind<"RENDER_REFERRERS"> {
  return jobKind("RENDER_REFERRERS", {
    pages: async ({ payload, operation, ...work }) => {
      const cursor = work.cursor as Cursor;
      if (cursor === null) {
        await changeMedium(publishing, operation, payload.targetId);
        await changeTagOrMaker(publishing, operation, payload.targetId);
      }
      const changed = cursor?.changed ?? [];
      const id = await nextReferrer(publishing, payload.targetId, cursor?.after ?? "");
      if (id === null || changed.length >= PURGED_AT_ONCE) {
        if (changed.length > 0) await publishing.purge(changed.map(documentTag));
        if (id === null) return next({ pages: cursor?.done ?? 0 });
        return again({ ...cursor!, changed: [] });
      }
      const rendered = await renderPage(publishing, operation, id);
      // Its own page may show the medium as it is by now, and lists not.
      if (rendered !== null) await renewLists(publishing, operation, id, payload.targetId);
      const done = (cursor?.done ?? 0) + 1;
      const now = rendered?.changed ? [...changed, id] : changed;
      return again({ after: id, changed: now, done }, { done, total: done });
    },
  }, { gapMs: GAP_MS });
}

/**
 * Purges what caches keep of a medium itself: its bytes, its transforms, and where its former names lead; asks
 * for every page where it stands for the site.
 */
async function changeMedium(
  { content: { context }, purge, rendering }: Publishing,
  operation: Operation,
  targetId: string,
): Promise<void> {
  const { logo, image, icon } = (await rendering()).site;
  if ([logo, image, icon].some((one) => one?.id === targetId)) {
    requestSiteRendering(operation, context);
  }
  const { value } = await context.store.get(liveKey("media_metadata", targetId));
  if (value !== null) await purge([mediaTag(targetId)]);
}

/** Notes every tag that a document stands for, and whether feeds may name it. */
async function changeTagOrMaker(
  { content: { context, schema }, reader }: Publishing,
  operation: Operation,
  targetId: string,
): Promise<void> {
  const { collections, byId } = await schema.current();
  const fields = collections.flatMap((collection) =>
    tagFields(collection).filter(({ type }) => type === "reference")
      .map((field) => ({ collection, field }))
  );
  const makers = collections.flatMap(({ fields }) => fields)
    .filter((field) => fieldRole(field) === "byline");
  if (fields.length + makers.length === 0) return;
  const stored = await reader.find(targetId);
  const its = stored && byId.get(stored.state.collectionId);
  const mayMake = makers.some(({ options }) =>
    options.collection === undefined || options.collection === its?.slug
  );
  // Before any feed is noted: one that is rendered meanwhile is then known to be older.
  if (its && mayMake) operation.touch(siteCoversKey);
  for (const { collection, field } of fields) {
    if (field.options.collection === its?.slug) {
      const target = { collectionId: collection.id, tagId: tagId({ field, value: targetId }) };
      noteTagChange(operation, context, target, null);
    }
  }
}

/** Where the target is the document's cover, lists show it too, and feeds that, and who made it. */
async function renewLists(
  publishing: Publishing,
  operation: Operation,
  documentId: string,
  targetId: string,
): Promise<void> {
  const { content, listings, reader } = publishing;
  const stored = await reader.find(documentId);
  if (stored === null || !isPublished(stored.state)) return;
  const { byId } = await content.schema.current();
  const collection = byId.get(stored.state.collectionId);
  if (collection === undefined) return;
  const isCover = coverOf(stored.state, collection) === targetId;
  if (!isCover && !makersOf(stored.state, collection).includes(targetId)) return;
  noteFeedChange(operation, content.context, collection.id);
  requestAggregates(operation, content.context);
  if (!isCover) return;
  const document = { id: documentId, publishedAt: stored.state.publishedAt };
  await listings.renew({ collectionId: collection.id }, document);
  for (const tag of tagsOf(collection, stored.state)) {
    await listings.renew({ collectionId: collection.id, tagId: tagId(tag) }, document);
  }
  operation.touch(siteCoversKey);
}

async function nextReferrer(
  { content: { context } }: Publishing,
  targetId: string,
  after: string,
): Promise<string | null> {
  const range = {
    prefix: pageReferrerPrefix(targetId),
    start: pageReferrerKey(targetId, `${after}\0`),
  };
  const [found] = await context.store.listAll(range, { limit: 1 });
  return found === undefined ? null : found.key.at(-1) as string;
}
