/**
 * RENDER_SITE: a setting, the theme or the schema has changed, so every page is rendered again, orphaned pages
 * are removed, and all caches are purged.
 *
 * @module
 */
import { zip } from "../../kv/model/primitives/zip.ts";
import type { CurrentRow } from "../../kv/versioning/entities.ts";
import { decodeState } from "../../kv/versioning/state_codec.ts";
import { currentKey, currentPrefix } from "../../kv/keys.ts";
import { pageKey, pageLocationKey, pagePrefix } from "../../kv/pages/page_keys.ts";
import { hasPublicTranslation } from "../../kv/model/languages/translation.ts";
import { isPublished, SITE_TAG } from "../../kv/model/entities/page.ts";
import type { PageRow } from "../../kv/pages/pages.ts";
import {
  again,
  type JobKind,
  jobKind,
  next,
  nextInSameCommit,
  type OutcomeOf,
  type Work,
} from "../runner/job_kind.ts";
import { compareTags } from "./compare_site.ts";
import { readListPath } from "./lists/list_paths.ts";
import { requestAggregates } from "../../kv/pages/rendering_requests.ts";
import { forEachConcurrent } from "../../kv/store/concurrency.ts";
import type { StoredEntry } from "../../kv/store/operation.ts";
import type { Store } from "../../kv/store/store.ts";
import { bringPage, type ExpectedPlace, type Publishing } from "./publishing.ts";

/** The shortest time between two runs, milliseconds. */
const GAP_MS = 2_000;
/** Documents rendered at a time: they share reads and commits. */
const LOCAL = { atOnce: 32, portion: 32 };
/** The same on a remote store, and documents between two commits of progress there. */
const REMOTE = { atOnce: 256, portion: 500 };
/** Pages examined per commit, and pages per read on an embedded store. */
const PAGES_PER_COMMIT = 500;
const PAGES_PER_READ = 100;

/** The kind of job that renders the whole site. */
export function renderSiteKind(publishing: Publishing): JobKind<"RENDER_SITE"> {
  return jobKind("RENDER_SITE", {
    documents: (work) => documents(publishing, work),
    tags: (work) => compareTags(publishing, work),
    surplus: (work) => surplus(publishing, work),
    aggregates: ({ operation }) =>
      next({ jobId: requestAggregates(operation, publishing.content.context) }),
    purge: async () => next({ ...await publishing.purge([SITE_TAG]) }),
  }, { gapMs: GAP_MS });
}

/**
 * Each page is a commit of its own that checks what it was rendered from; pages that are rendered together
 * reach the store together.
 */
async function documents(
  publishing: Publishing,
  { cursor }: Work<"RENDER_SITE", "documents">,
): Promise<OutcomeOf<"RENDER_SITE", "documents">> {
  const { store } = publishing.content.context;
  const start = currentKey("document", `${cursor?.after ?? ""}\0`);
  const range = { prefix: currentPrefix("document"), start };
  const { atOnce, portion: limit } = store.isRemote ? REMOTE : LOCAL;
  const rows = await store.listAll<CurrentRow>(range, { limit });
  await forEachConcurrent(await withPages(store, rows), atOnce, ({ id, expected }) => {
    return bringPage(publishing, id, expected);
  });
  const done = (cursor?.done ?? 0) + rows.length;
  const last = rows.at(-1);
  if (last === undefined || rows.length < limit) return next({ documents: done });
  return again({ after: last.key.at(-1) as string, done }, { done, total: done });
}

/**
 * The documents that have a page or should have one, with its expected path. A document that gets neither
 * before this read is handled by its own publication.
 */
async function withPages(
  store: Store,
  rows: readonly StoredEntry<CurrentRow>[],
): Promise<{ id: string; expected?: ExpectedPlace }[]> {
  const ids = rows.map(({ key }) => key.at(-1) as string);
  const places = await store.getMany(ids.map(pageLocationKey));
  return zip(rows, places).flatMap(([{ key, value: { body, gone } }, place]) => {
    const id = key.at(-1) as string;
    // Large states are read when they are rendered.
    if (body === undefined && !gone) return [{ id }];
    const state = body === undefined ? null : decodeState<"document">(body);
    if (state === null || !isPublished(state)) {
      return place.value === null && !hasPublicTranslation(state) ? [] : [{ id }];
    }
    return [{ id, expected: { collectionId: state.collectionId, slug: state.slug } }];
  });
}

/** Removes lists that earlier releases have stored. */
async function surplus(
  { content: { context: { store } } }: Publishing,
  work: Work<"RENDER_SITE", "surplus">,
): Promise<OutcomeOf<"RENDER_SITE", "surplus">> {
  const range = { prefix: pagePrefix, start: pageKey(`${work.cursor ?? ""}\0`) };
  const batchSize = store.isRemote ? PAGES_PER_COMMIT : PAGES_PER_READ;
  let looked = 0;
  let last = "";
  for await (
    const { key, value } of store.list<PageRow>(range, { limit: PAGES_PER_COMMIT, batchSize })
  ) {
    last = key.at(-1) as string;
    looked += 1;
    if (isSurplus(last, value)) work.operation.delete(key);
  }
  return looked < PAGES_PER_COMMIT ? nextInSameCommit() : again(last);
}

/** Pages of documents follow their documents, and theme files stay for pages that caches keep. */
function isSurplus(path: string, { documentId }: PageRow): boolean {
  return documentId === undefined && readListPath(path.replace(/\.md$/, "")) !== null;
}
