/**
 * RENDER_SITE: everything public looks different, because a setting, the theme or the schema has
 * changed: every page is rendered again, what belongs to nothing any more goes, and all caches are told.
 *
 * @module
 */
import { livePrefix } from "../../kv/keys.ts";
import { pageKey, pagePrefix } from "../../kv/pages/page_keys.ts";
import { liveKey } from "../../kv/keys.ts";
import { hasPages } from "../../kv/model/collection.ts";
import { SITE_TAG } from "../../kv/model/page.ts";
import type { PageRow } from "../../kv/pages/pages.ts";
import {
  again,
  type JobKind,
  jobKind,
  next,
  type OutcomeOf,
  type Work,
} from "../runner/job_kind.ts";
import { compareListings, noteFeeds, noteSitemap } from "./compare_site.ts";
import { compareTags } from "./compare_tags.ts";
import { requestAggregates } from "../../kv/pages/rendering_requests.ts";
import { sideBySide } from "../../kv/store/side_by_side.ts";
import { bringPage, type Publishing } from "./publishing.ts";

/** The shortest time between two runs, milliseconds. */
const GAP_MS = 2_000;
/** Documents rendered at a time: they share reads and commits. */
const NEAR = { atOnce: 32, portion: 32 };
/** The same on a distant store, and documents between two marks of progress there: the marks travel, too. */
const DISTANT = { atOnce: 128, portion: 512 };
/** Pages looked at for one commit. */
const PAGES_PER_COMMIT = 100;

type Cursor = { after: string; done: number } | null;

/** The kind of job that renders the whole site. */
export function renderSiteKind(publishing: Publishing): JobKind<"RENDER_SITE"> {
  return jobKind("RENDER_SITE", {
    documents: (work) => documents(publishing, work),
    listings: (work) => compareListings(publishing, work),
    tags: (work) => compareTags(publishing, work),
    surplus: (work) => surplus(publishing, work),
    sitemap: (work) => noteSitemap(publishing, work),
    feeds: (work) => noteFeeds(publishing, work),
    aggregates: ({ operation }) =>
      next({ jobId: requestAggregates(operation, publishing.content.context) }),
    purge: async () => next({ ...await publishing.purge([SITE_TAG]) }),
  }, { gapMs: GAP_MS });
}

/**
 * Each page is a commit of its own that checks what it was rendered from; those that are rendered together
 * go to the store together.
 */
async function documents(
  publishing: Publishing,
  work: Work<"RENDER_SITE">,
): Promise<OutcomeOf<"RENDER_SITE", "documents">> {
  const { store } = publishing.content.context;
  const cursor = work.cursor as Cursor;
  const start = liveKey("document", `${cursor?.after ?? ""}\0`);
  const range = { prefix: livePrefix("document"), start };
  const { atOnce, portion: limit } = store.isDistant ? DISTANT : NEAR;
  const rows = await store.listAll(range, { limit });
  const ids = rows.map(({ key }) => key.at(-1) as string);
  await sideBySide(ids, atOnce, (id) => bringPage(publishing, id));
  const done = (cursor?.done ?? 0) + ids.length;
  if (ids.length < limit) return next({ documents: done });
  return again({ after: ids.at(-1)!, done }, { done, total: done });
}

/** Removes pages of collections that are no more, have none any more, or are called otherwise by now. */
async function surplus(
  publishing: Publishing,
  work: Work<"RENDER_SITE">,
): Promise<OutcomeOf<"RENDER_SITE", "surplus">> {
  const { store } = publishing.content.context;
  const { collections } = await publishing.content.schema.current();
  const paged = new Set(collections.filter(hasPages).map(({ slug }) => slug));
  const range = { prefix: pagePrefix, start: pageKey(`${work.cursor ?? ""}\0`) };
  const rows = await store.listAll<PageRow>(range, { limit: PAGES_PER_COMMIT });
  for (const { key, value } of rows) {
    if (isSurplus(key.at(-1) as string, value!, paged)) work.operation.delete(key);
  }
  if (rows.length < PAGES_PER_COMMIT) return next();
  return again(rows.at(-1)!.key.at(-1) as string);
}

/** Documents' own pages follow their documents; listings and feeds go with their collection. */
function isSurplus(path: string, row: PageRow, paged: ReadonlySet<string>): boolean {
  if (row.documentId !== undefined) return false;
  // Parts of a sitemap were numbered once.
  if (/^\/sitemap\/\d+\.xml$/.test(path)) return true;
  // The pages of tags go with their series.
  const listing = /^\/([a-z0-9-]+)(?:\/page\/\d+|\/feed\.(?:xml|json|atom))?(?:\.md)?$/.exec(path);
  return listing !== null && !paged.has(listing[1]!);
}
