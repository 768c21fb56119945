/**
 * The lists whose cards show something of a document or medium that has changed: its cover, who made it, or their
 * picture. Their own pages may show it as it is by now, and lists not. Each list is asked for once for many documents,
 * so somebody with a thousand articles costs as many pages of lists as these stand on.
 *
 * @module
 */
import { pageReferrerKey, pageReferrerPrefix, siteCoversKey } from "../../../kv/pages/page_keys.ts";
import { isPublished, type PublishedDocument } from "../../../kv/model/entities/page.ts";
import { tagId, tagsOf } from "../../../kv/model/fields/tags.ts";
import { isUlid } from "../../../kv/model/values/ulid.ts";
import { requestAggregates } from "../../../kv/pages/rendering_requests.ts";
import { noteFeedChange } from "../../../kv/pages/site_entries.ts";
import { again, next, type OutcomeOf, type Work } from "../../runner/job_kind.ts";
import { shownOnCard } from "../../render/views/byline_view.ts";
import { listingName, type ListingTarget } from "./listing_target.ts";
import { GrowingLookup } from "../page_lookup.ts";
import type { Publishing } from "../publishing.ts";

/** Referrers looked at for one commit. */
const REFERRERS_AT_ONCE = 64;

/** A list, and those of the documents on it whose cards change. */
interface RenewedListing {
  target: ListingTarget;
  documents: Pick<PublishedDocument, "id" | "publishedAt">[];
}

/** Has the lists rendered on which something stands that has changed. */
export async function renewLists(
  publishing: Publishing,
  { payload: { targetId }, operation, cursor }: Work<"RENDER_REFERRERS">,
): Promise<OutcomeOf<"RENDER_REFERRERS", "lists">> {
  const { content: { context }, listings } = publishing;
  const prefix = pageReferrerPrefix(targetId);
  const start = pageReferrerKey(targetId, `${cursor ?? ""}\0`);
  const entries = await context.store.listAll({ prefix, start }, { limit: REFERRERS_AT_ONCE });
  const ids = entries.map(({ key }) => key.at(-1) as string);
  const renewed = await findRenewed(publishing, targetId, ids);
  for (const { target, documents } of renewed) await listings.forget(target, documents);
  const collections = new Set(renewed.map(({ target }) => target.collectionId));
  for (const id of collections) noteFeedChange(operation, context, id);
  if (collections.size > 0) {
    operation.touch(siteCoversKey);
    requestAggregates(operation, context);
  }
  const last = ids.at(-1);
  return last === undefined || ids.length < REFERRERS_AT_ONCE ? next() : again(last);
}

/** The lists of the documents that show it on their cards. */
async function findRenewed(
  publishing: Publishing,
  targetId: string,
  ids: readonly string[],
): Promise<RenewedListing[]> {
  const { content, reader } = publishing;
  const { byId } = await content.schema.current();
  const lookup = new GrowingLookup(publishing);
  const renewed = new Map<string, RenewedListing>();
  for (const read of await reader.findMany(ids)) {
    const state = (await read())?.state;
    const collection = byId.get(state?.collectionId ?? "");
    if (state === undefined || collection === undefined || !isPublished(state)) continue;
    if (!await isOnCard({ byId }, lookup, state, targetId)) continue;
    const tags = tagsOf(collection, state).map((tag) => ({ tagId: tagId(tag) }));
    for (const tag of [{}, ...tags]) {
      const target = { collectionId: collection.id, ...tag };
      const list: RenewedListing = renewed.get(listingName(target)) ?? { target, documents: [] };
      list.documents.push({ id: state.id, publishedAt: state.publishedAt });
      renewed.set(listingName(target), list);
    }
  }
  return [...renewed.values()];
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
