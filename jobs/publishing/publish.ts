/**
 * PUBLISH: makes a published document visible, in the order of the specification: its page, the listings that
 * contain it, search, plugins, caches, and finally the aggregates.
 *
 * Steps share commits if they can: the page is one commit, search and the notifications are the last. Listings are
 * rendered when they are asked for, so that step only names what is to be purged.
 *
 * @module
 */
import { documentPurgeTags } from "./purge.ts";
import { isPublished, listingTag } from "../../kv/model/entities/page.ts";
import { noteSiteChange } from "../../kv/pages/site_entries.ts";
import { noteTagChanges } from "../../kv/pages/tag_changes.ts";
import { postedDocument, recordPosting } from "../../kv/search/segments/posting.ts";
import { requestSearchCompactionSometimes } from "../../kv/search/delta/search_requests.ts";
import {
  again,
  finish,
  type JobKind,
  jobKind,
  next,
  nextInSameCommit,
  type OutcomeOf,
  type Work,
} from "../runner/job_kind.ts";
import type { Publication } from "../../kv/jobs/payloads.ts";
import type { PluginEvent } from "./plugin_event.ts";
import { requestTidyingSometimes } from "../../kv/jobs/tidy_requests.ts";
import { requestAggregates } from "../../kv/pages/rendering_requests.ts";
import { Gathering } from "./gathering.ts";
import { type PostingSource, postLanguages, readSource } from "./post_languages.ts";
import {
  type Publishing,
  publishingFor,
  putRenderedPage,
  type ReadPage,
  readPage,
  type RenderOptions,
} from "./publishing.ts";

/** How many documents are published together. */
export const SIDE_BY_SIDE = 32;

const GONE = { note: "The document is no longer published" };

type PublicationType = "PUBLISH" | "UNPUBLISH";

/** The kind of job that publishes a document. */
export function publishKind(publishing: Publishing): JobKind<"PUBLISH"> {
  // The document is rendered and indexed from the reading that was verified. Each step takes that reading
  // once, because its commit refuses it if anything has changed.
  const readings = new WeakMap<Publication, ReadPage>();
  const taken = (payload: Publication) => {
    const read = readings.get(payload);
    readings.delete(payload);
    return read;
  };
  // A step that runs again assumes nothing; its payload object stays the same.
  const assumed = new WeakSet<Publication>();
  const gathering = new Gathering(publishing.content.context.store);
  return jobKind("PUBLISH", {
    verify: async ({ payload, operation }) => {
      const { documentId } = payload;
      const { context, index } = publishing.content;
      // Related documents are looked up in the index, which the document's own write has changed.
      if (payload.tags !== undefined) index.renew(payload.collectionId);
      const isUnrendered = payload.isNew === true && !assumed.has(payload);
      assumed.add(payload);
      const read = await readPage(publishing, documentId, { ...payload, isUnrendered });
      if (read === null) {
        noteTagChanges(operation, context, payload);
        return finish(GONE);
      }
      readings.set(payload, read);
      return nextInSameCommit({ version: read.n });
    },
    render: async (work) => {
      const { payload, operation } = work;
      const { context } = publishing.content;
      gathering.begin(payload);
      const read = taken(payload) ?? await readPage(publishing, payload.documentId, payload);
      if (read === null) {
        gathering.end(payload);
        noteTagChanges(operation, context, payload);
        return finish(GONE);
      }
      const referrers = referrersOf(payload);
      const isNoted = payload.tags?.some(([, change]) => change === 1) === true;
      const { changed, shown } = await putRenderedPage(
        publishingFor(work, publishing),
        operation,
        read,
        { isNoted, ...(referrers !== undefined && { referrers }) },
      );
      // With the page: RENDER_TAGS compares what the page shows with what it is to show.
      noteTagChanges(operation, context, payload, shown);
      if (changed) noteSiteChange(operation, context, payload.documentId);
      readings.set(payload, read);
      return next({ changed });
    },
    listings: async ({ payload, urgent }) => {
      gathering.end(payload);
      if (!urgent) await gathering.others();
      return await listingsOf(publishing, payload);
    },
    search: (work) => search(publishingFor(work, publishing), work, taken(work.payload)),
    plugins: (work) => notifyPluginsOf(publishing, "document.published", work),
    purge: async ({ payload }) => await purgeDocument(publishing, payload),
    aggregates: ({ operation }) => {
      const { context } = publishing.content;
      requestTidyingSometimes(operation, context);
      return next({ jobId: requestAggregates(operation, context) });
    },
  }, { batchSize: SIDE_BY_SIDE });
}

/** A new document is shown by no page; one that leaves a tag or its place leaves pages of related documents. */
function referrersOf({ isNew, tags = [] }: Publication): RenderOptions["referrers"] {
  if (isNew) return undefined;
  return tags.some(([, change]) => change !== 2) ? "always" : "if unknown";
}

/** Indexes a document in its original and in languages, of which some may be left to commits of their own. */
async function search(
  publishing: Publishing,
  work: Work<"PUBLISH", "search">,
  read?: ReadPage,
): Promise<OutcomeOf<"PUBLISH", "search">> {
  let posted: number | null;
  if (work.cursor === null) {
    const source = await searchOriginal(publishing, work, read);
    if (source === null) return finish(GONE);
    posted = await postLanguages(publishing, work, source);
  } else posted = await postLanguages(publishing, work, await readSource(publishing, work.payload));
  return posted === null ? nextInSameCommit({ indexed: true }) : again(posted);
}

/**
 * Indexes a document as it is, or as `read` before: the commit checks that it is unchanged. Returns what was read, for
 * its languages; null if it is no longer published.
 */
async function searchOriginal(
  publishing: Publishing,
  { payload, operation }: Work<"PUBLISH", "search">,
  read?: ReadPage,
): Promise<PostingSource | null> {
  const { content: { context }, compute } = publishing;
  const source = await readSource(publishing, payload, read);
  if (source === null || !isPublished(source.state)) return null;
  const { manifest, live, state, collection, blocks } = source;
  operation.check(live);
  await compute.run(() =>
    recordPosting(operation, manifest, postedDocument(collection, state, blocks))
  );
  requestSearchCompactionSometimes(operation, context);
  return source;
}

/** The surrogate keys of the listings that contain or contained the document. */
export async function listingsOf(
  publishing: Publishing,
  payload: Publication,
): Promise<OutcomeOf<"PUBLISH", "listings">> {
  const slug = await collectionSlug(publishing, payload);
  return nextInSameCommit({ tags: slug === null ? [] : [listingTag(slug)] });
}

/** Notifies subscribed plugins. */
export async function notifyPluginsOf(
  publishing: Publishing,
  name: PluginEvent["name"],
  { payload, key, operation }: Pick<Work<PublicationType>, "payload" | "key" | "operation">,
): Promise<OutcomeOf<PublicationType, "plugins">> {
  const { documentId, n, byPlugin = false } = payload;
  const collection = await collectionSlug(publishing, payload);
  return nextInSameCommit(
    await publishing.notifyPlugins({ name, key, documentId, n, collection, byPlugin }, operation),
  );
}

/** Purges the pages that show the document. */
export async function purgeDocument(
  publishing: Publishing,
  payload: Publication,
): Promise<OutcomeOf<PublicationType, "purge">> {
  const slug = await collectionSlug(publishing, payload);
  return nextInSameCommit({
    ...await publishing.purge(documentPurgeTags(payload.documentId, slug ?? "")),
  });
}

/** The slug of a publication's collection; null if the collection no longer exists. */
async function collectionSlug(
  { content }: Publishing,
  { collectionId }: Publication,
): Promise<string | null> {
  return (await content.schema.latest()).byId.get(collectionId)?.slug ?? null;
}
