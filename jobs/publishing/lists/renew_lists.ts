/**
 * The lists whose cards show something of a document or medium that has changed: its cover, who made it, or their
 * picture.
 *
 * @module
 */
import { pageReferrerKey, pageReferrerPrefix, siteCoversKey } from "../../../kv/pages/page_keys.ts";
import {
  isPublished,
  listingTag,
  type PublishedDocument,
} from "../../../kv/model/entities/page.ts";
import { isUlid } from "../../../kv/model/values/ulid.ts";
import { requestAggregates } from "../../../kv/pages/rendering_requests.ts";
import { noteSiteChange } from "../../../kv/pages/site_entries.ts";
import { again, next, type OutcomeOf, type Work } from "../../runner/job_kind.ts";
import { shownOnCard } from "../../render/views/byline_view.ts";
import { GrowingLookup } from "../page_lookup.ts";
import type { Publishing } from "../publishing.ts";

/** Referrers looked at for one commit. */
const REFERRERS_AT_ONCE = 64;

/** Has the lists rendered again on which something stands that has changed, and purges them. */
export async function renewLists(
  publishing: Publishing,
  { payload: { targetId }, operation, cursor }: Work<"RENDER_REFERRERS", "lists">,
): Promise<OutcomeOf<"RENDER_REFERRERS", "lists">> {
  const { content: { context } } = publishing;
  const prefix = pageReferrerPrefix(targetId);
  const start = pageReferrerKey(targetId, `${cursor ?? ""}\0`);
  const entries = await context.store.listAll({ prefix, start }, { limit: REFERRERS_AT_ONCE });
  const ids = entries.map(({ key }) => key.at(-1) as string);
  const collections = await findRenewed(publishing, targetId, ids);
  if (collections.size > 0) {
    noteSiteChange(operation, context);
    operation.touch(siteCoversKey);
    requestAggregates(operation, context);
    await publishing.purge([...collections.values()].map(listingTag));
  }
  const last = ids.at(-1);
  return last === undefined || ids.length < REFERRERS_AT_ONCE ? next() : again(last);
}

/** The slugs of the collections, by id, of the documents that show the target on their cards. */
async function findRenewed(
  publishing: Publishing,
  targetId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const { content, reader } = publishing;
  const { byId } = await content.schema.current();
  const lookup = new GrowingLookup(publishing);
  const renewed = new Map<string, string>();
  for (const read of await reader.findMany(ids)) {
    const state = (await read())?.state;
    const collection = byId.get(state?.collectionId ?? "");
    if (state === undefined || collection === undefined || !isPublished(state)) continue;
    if (renewed.has(collection.id) || !await isOnCard({ byId }, lookup, state, targetId)) continue;
    renewed.set(collection.id, collection.slug);
  }
  return renewed;
}

async function isOnCard(
  schema: Parameters<typeof shownOnCard>[0],
  lookup: GrowingLookup,
  document: PublishedDocument,
  targetId: string,
): Promise<boolean> {
  const { documents } = shownOnCard(schema, document, lookup);
  await lookup.read({ media: [], documents: documents.filter(isUlid) });
  const { media } = shownOnCard(schema, document, lookup);
  return documents.includes(targetId) || media.includes(targetId);
}
