/**
 * REGENERATE: home, feeds, sitemap and robots, which are made of many documents. One job handles all
 * publications before it and purges caches if anything has changed. It handles only what was noted;
 * COMPARE_SITE notes everything once a night.
 *
 * @module
 */
import { feedChangePrefix, feedFingerprintKey, siteCoversKey } from "../../kv/pages/page_keys.ts";
import { type Collection, hasPages } from "../../kv/model/entities/collection.ts";
import { sha256 } from "../../kv/model/values/sha256.ts";
import { AGGREGATES_TAG } from "../../kv/model/entities/page.ts";
import { putPages } from "../../kv/pages/pages.ts";
import type { Operation } from "../../kv/store/operation.ts";
import { MERGED_BYTES_MAX, MERGED_MUTATIONS_MAX, SITEMAP_RUNS_MAX } from "../limits.ts";
import {
  again,
  type JobKind,
  jobKind,
  next,
  nextInSameCommit,
  nextUncommitted,
  type OutcomeOf,
  type Work,
} from "../runner/job_kind.ts";
import { FEED_DOCUMENTS } from "../render/feeds/feeds.ts";
import type { Rendering } from "../render/views/view.ts";
import { listNewest } from "./listings/newest_documents.ts";
import { requestAggregates } from "../../kv/pages/rendering_requests.ts";
import { type Publishing } from "./publishing.ts";
import { feedsOf, lookOf, putSitePages, stampOf } from "./site_pages.ts";
import { updateSitemap } from "./sitemap/sitemap.ts";

/** The shortest time between two runs, milliseconds: a hundred publications in a second cause two runs. */
export const REGENERATE_GAP_MS = 1_000;
/** Notes of changed collections per commit. */
const NOTES_AT_ONCE = 500;
/** Collections whose feeds are written per commit. */
const FEEDS_PER_COMMIT = 3;
/** Theme files written per commit. */
const ASSETS_PER_COMMIT = 8;

/** The kind of job that updates the aggregates. */
export function regenerateKind(publishing: Publishing): JobKind<"REGENERATE"> {
  const readings = new WeakMap<Operation, Promise<Rendering>>();
  /** Steps that share a commit are rendered from one reading of settings and schema. */
  const reading = ({ operation }: Work<"REGENERATE">): Publishing => ({
    ...publishing,
    rendering: () => {
      const known = readings.get(operation) ?? publishing.rendering();
      readings.set(operation, known);
      return known;
    },
  });
  return jobKind("REGENERATE", {
    site: (work) =>
      site(reading(work), work, (rendering) => {
        readings.set(work.operation, Promise.resolve(rendering));
      }),
    assets: (work) => assets(reading(work), work),
    feeds: (work) => feeds(reading(work), work),
    sitemap: (work) => sitemap(reading(work), work),
    purge: async ({ results: { site, feeds, sitemap } }) => {
      const isChanged = [site, feeds, sitemap].some((made) => made?.changed);
      if (!isChanged) return next({ tags: [], sentTo: null });
      return next({ ...await publishing.purge([AGGREGATES_TAG]) });
    },
  }, { gapMs: REGENERATE_GAP_MS });
}

async function site(
  publishing: Publishing,
  { operation }: Work<"REGENERATE">,
  keep: (rendering: Rendering) => void,
): Promise<OutcomeOf<"REGENERATE", "site">> {
  const { rendering, ...made } = await putSitePages(publishing, operation);
  keep(rendering);
  // A new look changes the paths of all theme files: they are written as far as the commit has room.
  return made.restyled || !isLittle(operation) ? nextUncommitted(made) : nextInSameCommit(made);
}

/** Whether a commit has room for the most that the next step adds. */
function isLittle({ bytes, mutations }: Operation): boolean {
  return bytes <= MERGED_BYTES_MAX && mutations <= MERGED_MUTATIONS_MAX;
}

/** The progress of the sitemap: its runs, and whether any has changed it. */
type SitemapCursor = { runs: number; changed: boolean } | null;

/**
 * Updates the sitemap by some notes and parts per commit until none are left. A steady flow of new notes does
 * not keep the job from ending.
 */
async function sitemap(
  publishing: Publishing,
  { operation, ...work }: Work<"REGENERATE">,
): Promise<OutcomeOf<"REGENERATE", "sitemap">> {
  const { context } = publishing.content;
  const { runs, changed: before } = work.cursor as SitemapCursor ?? { runs: 0, changed: false };
  const rendering = await publishing.rendering();
  const { changed: isChanged, more } = await updateSitemap(context, operation, rendering);
  const changed = before || isChanged;
  if (more && runs + 1 < SITEMAP_RUNS_MAX) return again({ runs: runs + 1, changed });
  if (more) requestAggregates(operation, context);
  return nextUncommitted({ changed });
}

/**
 * Writes some of the theme's files per commit. Their paths change with their content, so no cache is purged.
 */
async function assets(
  publishing: Publishing,
  { operation, cursor, results: { site } }: Work<"REGENERATE">,
): Promise<OutcomeOf<"REGENERATE", "assets">> {
  if (site?.restyled === false) return nextInSameCommit({ changed: false });
  const { theme } = await publishing.rendering();
  const reached = cursor as number | null ?? 0;
  const pages = theme.assetPages();
  const batch = pages.slice(reached, reached + ASSETS_PER_COMMIT);
  await putPages(publishing.content.context, operation, batch);
  const now = reached + batch.length;
  return now < pages.length ? again(now) : nextUncommitted({ changed: false });
}

/** The progress of the feeds: the last note, and whether anything has changed. */
type FeedsCursor = { after: string[]; changed: boolean } | null;

/** Updates the feeds of some noted collections per commit. */
async function feeds(
  publishing: Publishing,
  { operation, ...work }: Work<"REGENERATE">,
): Promise<OutcomeOf<"REGENERATE", "feeds">> {
  const { store } = publishing.content.context;
  const cursor = work.cursor as FeedsCursor;
  const rendering = await publishing.rendering();
  const start = [...feedChangePrefix, ...cursor?.after ?? [], ""];
  const range = { prefix: feedChangePrefix, start };
  const notes = await store.listAll(range, { limit: NOTES_AT_ONCE });
  const looked = new Set<string>();
  let changed = cursor?.changed ?? false;
  let taken = 0;
  let put = 0;
  for (const { key } of notes) {
    const [, collectionId] = key as [string, string];
    if (!looked.has(collectionId)) {
      if (put === FEEDS_PER_COMMIT) break;
      looked.add(collectionId);
      const collection = rendering.schema.byId.get(collectionId);
      const isShown = collection !== undefined && hasPages(collection);
      if (isShown && await putFeeds(publishing, operation, rendering, collection)) put += 1;
      changed ||= put > 0;
    }
    operation.delete(key);
    taken += 1;
  }
  if (taken === notes.length && taken < NOTES_AT_ONCE) {
    return isLittle(operation) ? nextInSameCommit({ changed }) : nextUncommitted({ changed });
  }
  const after = notes[taken - 1]?.key.slice(1) as string[];
  return again({ after, changed });
}

async function putFeeds(
  publishing: Publishing,
  operation: Operation,
  rendering: Rendering,
  collection: Collection,
): Promise<boolean> {
  const { context } = publishing.content;
  const key = feedFingerprintKey(collection.id);
  const [[before, covers], page] = await Promise.all([
    context.store.getMany([key, siteCoversKey]),
    listNewest(publishing.content, [collection], FEED_DOCUMENTS),
  ]);
  const stamp = stampOf(covers);
  const fingerprint = sha256(JSON.stringify([lookOf(rendering), ...stamp, page.rows]));
  if (before.value === fingerprint) return false;
  operation.set(key, fingerprint);
  const pages = await feedsOf(publishing, rendering, page, collection);
  return await putPages(context, operation, pages) > 0;
}
