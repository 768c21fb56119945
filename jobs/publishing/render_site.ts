/**
 * RENDER_SITE: everything public looks different, because a setting, the theme or the schema has
 * changed: every page is rendered again, what belongs to nothing any more goes, and all caches are told.
 *
 * @module
 */
import { livePrefix, pageKey, pagePlaceKey, pagePrefix } from "../../kv/keys.ts";
import { liveKey } from "../../kv/keys.ts";
import type { LiveRow } from "../../kv/entities.ts";
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
import { type Publishing, renderPage, requestAggregates, unrenderPage } from "./publishing.ts";

/** The shortest time between two runs, milliseconds. */
const GAP_MS = 2_000;
/** Documents looked at for one commit: each takes up to three of its ten checks. */
const DOCUMENTS_PER_COMMIT = 3;
/** Documents looked at for one commit, most of them without a page. */
const DOCUMENTS_LOOKED_AT = 50;
/** Pages looked at for one commit. */
const PAGES_PER_COMMIT = 100;

type Cursor = { after: string; done: number } | null;

/** The kind of job that renders the whole site. */
export function renderSiteKind(publishing: Publishing): JobKind<"RENDER_SITE"> {
  return jobKind("RENDER_SITE", {
    documents: (work) => documents(publishing, work),
    listings: (work) => listings(publishing, work),
    surplus: (work) => surplus(publishing, work),
    aggregates: ({ operation }) => next({ jobId: requestAggregates(publishing, operation) }),
    purge: async () => {
      const { tags, sentTo } = await publishing.purge([SITE_TAG]);
      return next({ tags, sentTo });
    },
  }, { gapMs: GAP_MS });
}

async function documents(
  publishing: Publishing,
  work: Work<"RENDER_SITE">,
): Promise<OutcomeOf<"RENDER_SITE", "documents">> {
  const { store } = publishing.content.context;
  const cursor = work.cursor as Cursor;
  const start = liveKey("document", `${cursor?.after ?? ""}\0`);
  const range = { prefix: livePrefix("document"), start };
  const rows = await store.listAll<LiveRow>(range, { limit: DOCUMENTS_LOOKED_AT });
  const places = await store.getMany(rows.map(({ key }) => pagePlaceKey(key.at(-1) as string)));
  let looked = 0;
  let rendered = 0;
  for (; looked < rows.length && rendered < DOCUMENTS_PER_COMMIT; looked++) {
    const row = rows[looked]!;
    const id = row.key.at(-1) as string;
    const stored = await publishing.reader.ofEntry(id, row);
    // Whoever is publishing it in this moment renders it, and it has no page to be removed.
    if (stored?.state.status !== "published" && places[looked]!.value === null) continue;
    rendered += 1;
    if (await renderPage(publishing, work.operation, id) !== null) continue;
    await unrenderPage(publishing, work.operation, id);
  }
  const done = (cursor?.done ?? 0) + looked;
  if (looked < DOCUMENTS_LOOKED_AT && looked === rows.length) return next({ documents: done });
  return again({ after: rows[looked - 1]!.key.at(-1) as string, done }, { done, total: done });
}

async function listings(
  publishing: Publishing,
  { cursor }: Work<"RENDER_SITE">,
): Promise<OutcomeOf<"RENDER_SITE", "listings">> {
  const { collections } = await publishing.content.schema.current();
  const after = cursor as string | null ?? "";
  const collection = collections.find(({ slug }) => slug > after);
  if (collection === undefined) return next();
  await publishing.listings.bringUpToDate(collection.id, null);
  return again(collection.slug);
}

/** Removes pages of collections that are no more, or are called otherwise by now. */
async function surplus(
  publishing: Publishing,
  work: Work<"RENDER_SITE">,
): Promise<OutcomeOf<"RENDER_SITE", "surplus">> {
  const { store } = publishing.content.context;
  const { bySlug } = await publishing.content.schema.current();
  const range = { prefix: pagePrefix, start: pageKey(`${work.cursor ?? ""}\0`) };
  const rows = await store.listAll<PageRow>(range, { limit: PAGES_PER_COMMIT });
  for (const { key, value } of rows) {
    if (isSurplus(key.at(-1) as string, value!, bySlug)) work.operation.delete(key);
  }
  if (rows.length < PAGES_PER_COMMIT) return next();
  return again(rows.at(-1)!.key.at(-1) as string);
}

/** Documents' own pages follow their documents; listings and feeds go with their collection. */
function isSurplus(path: string, row: PageRow, bySlug: ReadonlyMap<string, unknown>): boolean {
  if (row.documentId !== undefined) return false;
  const listing = /^\/([a-z0-9-]+)(?:\/page\/\d+|\/feed\.(?:xml|json))?$/.exec(path);
  return listing !== null && !bySlug.has(listing[1]!);
}
