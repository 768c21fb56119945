/**
 * PUBLISH: makes a published document visible, in the order of the specification: its page, the listings
 * that contain it, search, plugins, caches, and in the end everything that is made of many documents.
 *
 * @module
 */
import { documentPurgeTags } from "./purge.ts";
import { searchManifestKey } from "../../kv/keys.ts";
import { recordPosting } from "../../kv/search/posting.ts";
import { requestSearchCompactionSometimes } from "../../kv/search/search_requests.ts";
import {
  finish,
  type JobKind,
  jobKind,
  next,
  type OutcomeOf,
  pass,
  type Work,
} from "../runner/job_kind.ts";
import type { Publication } from "../../kv/jobs/payloads.ts";
import { placeIn } from "./published_order.ts";
import type { PluginEvent } from "../plugin_events.ts";
import {
  findPublished,
  type Publishing,
  renderPage,
  requestAggregates,
  requestReferrerPages,
} from "./publishing.ts";

const GONE = { note: "The document is no longer published" };

/** The kind of job that publishes a document. */
export function publishKind(publishing: Publishing): JobKind<"PUBLISH"> {
  return jobKind("PUBLISH", {
    verify: async ({ payload }) =>
      await findPublished(publishing, payload.documentId) === null ? finish(GONE) : pass(),
    render: (work) => render(publishing, work),
    listings: ({ payload }) => bringListings(publishing, payload),
    search: (work) => search(publishing, work),
    plugins: (work) => tellPlugins(publishing, "document.published", work),
    purge: async ({ payload }) => await purgeDocument(publishing, payload),
    aggregates: ({ operation }) => next({ jobId: requestAggregates(publishing, operation) }),
  });
}

async function render(
  publishing: Publishing,
  work: Work<"PUBLISH">,
): Promise<OutcomeOf<"PUBLISH", "render">> {
  const { documentId } = work.payload;
  const rendered = await renderPage(publishing, work.operation, documentId);
  if (rendered === null) return finish(GONE);
  await requestReferrerPages(publishing, work.operation, documentId);
  return next({ changed: rendered.changed });
}

async function search(
  publishing: Publishing,
  { payload, operation }: Work<"PUBLISH">,
): Promise<OutcomeOf<"PUBLISH", "search">> {
  const { context, schema } = publishing.content;
  const manifest = await context.store.get(searchManifestKey);
  const live = await findPublished(publishing, payload.documentId);
  const { byId, blocks } = await schema.current();
  const collection = byId.get(payload.collectionId);
  if (live === null || collection === undefined) return finish(GONE);
  operation.check(live.entry);
  recordPosting(operation, manifest, collection, live.document, blocks);
  requestSearchCompactionSometimes(operation, context);
  return next();
}

/** Renders the listing pages that contain the document, or did. */
export async function bringListings(
  { listings, reader }: Publishing,
  { documentId, collectionId }: Publication,
): Promise<OutcomeOf<"PUBLISH", "listings">> {
  const stored = await reader.find(documentId);
  const place = stored === null ? null : placeIn(stored.state);
  return pass({ pages: await listings.bringUpToDate(collectionId, place) });
}

/** Tells subscribed plugins what has happened. */
export async function tellPlugins(
  publishing: Publishing,
  name: PluginEvent["name"],
  { payload, key, operation }: Work<"PUBLISH" | "UNPUBLISH">,
): Promise<OutcomeOf<"PUBLISH", "plugins">> {
  const { documentId, byPlugin = false } = payload;
  const collection = await collectionSlug(publishing, payload);
  const told = await publishing.notifyPlugins(
    { name, key, documentId, collection, byPlugin },
    operation,
  );
  return Array.isArray(told) && told.length === 0 ? pass(told) : next(told);
}

/** Purges what is known to show the document. */
export async function purgeDocument(
  publishing: Publishing,
  payload: Publication,
): Promise<OutcomeOf<"PUBLISH", "purge">> {
  const slug = await collectionSlug(publishing, payload);
  const { tags, sentTo } = await publishing.purge(
    documentPurgeTags(payload.documentId, slug ?? ""),
  );
  return sentTo === null ? pass({ tags, sentTo }) : next({ tags, sentTo });
}

/** The slug of a publication's collection; null when the collection is gone. */
async function collectionSlug(
  { content }: Publishing,
  { collectionId }: Publication,
): Promise<string | null> {
  return (await content.schema.current()).byId.get(collectionId)?.slug ?? null;
}
