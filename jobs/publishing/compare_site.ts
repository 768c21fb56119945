/**
 * COMPARE_SITE: nightly maintenance of the public site. It purges the lists of events, which start with the upcoming
 * ones, and compares the sitemap's lines of tags with the documents, so that errors are corrected.
 *
 * @module
 */
import { hasPages } from "../../kv/model/entities/collection.ts";
import { AGGREGATES_TAG, listingTag } from "../../kv/model/entities/page.ts";
import { forEachConcurrent } from "../../kv/store/concurrency.ts";
import { requestAggregates } from "../../kv/pages/rendering_requests.ts";
import {
  again,
  type JobKind,
  jobKind,
  next,
  nextUncommitted,
  type OutcomeOf,
  waitUntil,
  type Work,
} from "../runner/job_kind.ts";
import { eventKey } from "../render/pages/event_order.ts";
import { putTagLine, tagsWithLines } from "./lists/tag_lines.ts";
import { listingName } from "./lists/listing_target.ts";
import type { Publishing } from "./publishing.ts";

/** The shortest time between two portions, milliseconds: no user waits for this. */
const PAUSE_MS = 200;
/** Tags compared for one commit. */
const TAGS_AT_ONCE = 96;

/** Lines compared in parallel. */
const LINES_AT_ONCE = 16;

/** The kind of job that maintains the site every night. */
export function compareSiteKind(publishing: Publishing): JobKind<"COMPARE_SITE"> {
  return jobKind("COMPARE_SITE", {
    events: async () => {
      const { collections } = await publishing.content.schema.current();
      const dated = collections.filter((one) => hasPages(one) && eventKey(one) !== undefined);
      if (dated.length === 0) return next({ tags: [], sentTo: null });
      const tags = [...dated.map(({ slug }) => listingTag(slug)), AGGREGATES_TAG];
      return next({ ...await publishing.purge(tags) });
    },
    tags: (work) => compareTags(publishing, work, PAUSE_MS),
    aggregates: ({ operation }) =>
      next({ jobId: requestAggregates(operation, publishing.content.context) }),
  });
}

/** A type of job that compares all tags. */
type ComparingType = "COMPARE_SITE" | "RENDER_SITE";

/** Compares the sitemap's lines of all tags, a portion at a time with a pause between. */
export async function compareTags(
  publishing: Publishing,
  { context, operation, cursor }: Pick<
    Work<ComparingType, "tags">,
    "context" | "operation" | "cursor"
  >,
  pauseMs = 0,
): Promise<OutcomeOf<ComparingType, "tags">> {
  const { slug: reached, after } = cursor ?? { slug: "", after: "" };
  const { collections } = await publishing.content.schema.current();
  const collection = after === ""
    ? collections.find(({ slug }) => slug > reached)
    : collections.find(({ slug }) => slug === reached);
  if (collection === undefined) {
    // It may have been renamed since.
    return after === "" ? nextUncommitted() : again({ slug: reached, after: "" });
  }
  const tags = await tagsWithLines(publishing, collection, after);
  const batch = tags.slice(0, TAGS_AT_ONCE);
  await forEachConcurrent(
    batch,
    LINES_AT_ONCE,
    (target) => putTagLine(publishing, operation, target),
  );
  const last = batch.length === tags.length ? undefined : batch.at(-1);
  const now = { slug: collection.slug, after: last === undefined ? "" : listingName(last) };
  return pauseMs > 0 ? waitUntil(context.now() + pauseMs, now) : again(now);
}
