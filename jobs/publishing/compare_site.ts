/**
 * COMPARE_SITE: compares all aggregates and listings with the documents once a night, so that errors are
 * corrected. It only notes what to compare, a little at a time; fingerprints tell the following jobs what has
 * changed.
 *
 * @module
 */
import { siteFingerprintsKey } from "../../kv/pages/page_keys.ts";
import type { JobType } from "../../kv/jobs/job_contracts.ts";
import {
  again,
  type JobKind,
  jobKind,
  next,
  nextInSameCommit,
  nextUncommitted,
  type Outcome,
  waitUntil,
  type Work,
} from "../runner/job_kind.ts";
import { remotePace } from "../runner/remote_pace.ts";
import { noteFeedChange } from "../../kv/pages/site_entries.ts";
import { requestAggregates } from "../../kv/pages/rendering_requests.ts";
import { type Publishing } from "./publishing.ts";
import { compareTags } from "./listings/compare_tags.ts";
import { noteWholeSitemap } from "./sitemap/sitemap.ts";

/** The shortest time between two portions, milliseconds: no user waits for this. */
const PAUSE_MS = 200;

/** Collections whose feeds are noted per commit. */
const FEEDS_AT_ONCE = 400;

/** The progress of the listings. */
type ListingsCursor = { slug: string; page: number } | null;

/** The kind of job that compares the aggregates. */
export function compareSiteKind(publishing: Publishing): JobKind<"COMPARE_SITE"> {
  return jobKind("COMPARE_SITE", {
    listings: (work) => compareListings(publishing, work, PAUSE_MS),
    tags: (work) => compareTags(publishing, work, PAUSE_MS),
    sitemap: (work) => noteSitemap(publishing, work),
    feeds: (work) => noteFeeds(publishing, work),
    aggregates: ({ operation }) =>
      next({ jobId: requestAggregates(operation, publishing.content.context) }),
  });
}

/** Compares the listings of all collections in portions, with pauses between them. */
export async function compareListings(
  { content, listings }: Publishing,
  { context, ...work }: Work<JobType>,
  pauseMs = 0,
): Promise<Outcome<undefined>> {
  const { collections } = await content.schema.current();
  const mayContinue = remotePace(context);
  for (let cursor = work.cursor as ListingsCursor;;) {
    const collection = cursor !== null && cursor.page > 1
      ? collections.find(({ slug }) => slug === cursor?.slug)
      : collections.find(({ slug }) => slug > (cursor?.slug ?? ""));
    if (collection === undefined) {
      if (cursor === null || cursor.page === 1) return nextUncommitted();
      cursor = { slug: cursor.slug, page: 1 };
      continue;
    }
    const page = cursor !== null && cursor.slug === collection.slug ? cursor.page : 1;
    const compared = await listings.compareFrom({ collectionId: collection.id }, page);
    cursor = { slug: collection.slug, page: compared.next ?? 1 };
    if (pauseMs > 0) return waitUntil(context.now() + pauseMs, cursor);
    if (!mayContinue()) return again(cursor);
  }
}

/** Notes every part of the sitemap. */
export async function noteSitemap(
  { content: { context } }: Publishing,
  { operation, cursor }: Work<JobType>,
): Promise<Outcome<undefined>> {
  const after = await noteWholeSitemap(context, operation, cursor as string | null ?? "");
  return after === null ? nextInSameCommit() : again(after);
}

/** Notes the feeds of every collection, and the single pages. */
export async function noteFeeds(
  { content: { context, schema } }: Publishing,
  { operation, cursor }: Work<JobType>,
): Promise<Outcome<undefined>> {
  const { collections } = await schema.current();
  const after = cursor as string | null ?? "";
  const noted = collections.filter(({ slug }) => slug > after).slice(0, FEEDS_AT_ONCE);
  for (const { id } of noted) noteFeedChange(operation, context, id);
  operation.delete(siteFingerprintsKey);
  return noted.length < FEEDS_AT_ONCE ? nextInSameCommit() : again(noted.at(-1)?.slug ?? after);
}
