/**
 * The work after the tables of a backup are in place: pending schedules, indexes, search, and the
 * pages of the site.
 *
 * @module
 */
import { zip } from "../../kv/model/primitives/zip.ts";
import type { Context } from "../../kv/context.ts";
import type { Content } from "../../kv/documents/content.ts";
import { readHead } from "../../kv/versioning/entities.ts";
import { settleImportedRelease } from "../../kv/history/restore/release_restore.ts";
import { addReleaseSchedule, releaseScheduleId } from "../../kv/releases/release_schedule.ts";
import { listReleases } from "../../kv/releases/releases.ts";
import { requestCompaction } from "../../kv/index/segments/compaction_request.ts";
import { findJob, namedJobId } from "../../kv/jobs/jobs.ts";
import { markedDocuments } from "../../kv/documents/reference_rows.ts";
import {
  addScheduleJob,
  scheduledJobId,
  scheduledTimes,
} from "../../kv/documents/schedule_jobs.ts";
import { currentKey, currentPrefix, type Key } from "../../kv/keys.ts";
import { indexesPrefix, indexPrefix } from "../../kv/index/index_keys.ts";
import { jobRequestKey } from "../../kv/jobs/job_keys.ts";
import { pageKey, pagePrefix, siteEntryKey, siteEntryPrefix } from "../../kv/pages/page_keys.ts";
import { isFinished } from "../../kv/jobs/job.ts";
import { isUlid } from "../../kv/model/values/ulid.ts";
import { readDocumentPage, removeDocumentPage } from "../../kv/pages/document_pages.ts";
import type { PageRow } from "../../kv/pages/pages.ts";
import { eraseIndex } from "../../kv/index/erase_index.ts";
import { requestSiteRendering, SITE_JOB } from "../../kv/pages/rendering_requests.ts";
import { LANGUAGES } from "../../kv/search/search_keys.ts";
import { stepRebuild } from "../../kv/search/segments/rebuild.ts";
import type { Operation } from "../../kv/store/operation.ts";
import { allSettledOrThrow, forEachConcurrent } from "../../kv/store/concurrency.ts";
import { IMPORT_COMPACTED_MAX, IMPORT_PAGES_MS_MAX } from "../limits.ts";
import { remotePace } from "../runner/remote_pace.ts";
import {
  again,
  next,
  nextUncommitted,
  type OutcomeOf,
  type Steps,
  waitUntil,
  type Work,
} from "../runner/job_kind.ts";
import { keepReachable } from "../../kv/people/recovery.ts";
import type { Publishing } from "../publishing/publishing.ts";
import { documentSource } from "./rebuild_search.ts";

/** Scheduled documents looked at in one commit. */
const SCHEDULES_PER_COMMIT = 50;
/** Pages looked at for one mark of progress, and those of them that an embedded store reads at once. */
const PAGES_AT_ONCE = 500;
const PAGES_PER_READ = 50;
/** Lines of the sitemap looked at for one mark of progress. */
const LINES_AT_ONCE = 200;
/** Checks of one commit from which no other page is removed: each takes up to three of its nine. */
const CHECKS_PER_COMMIT = 6;
/** Stray indexes are erased for so long in one step, milliseconds. */
const ERASED_MS = 2_000;
/** How often the pages are looked at while the import waits for them, milliseconds. */
const SCAN_MS = 500;
/** On a remote store its step stays for so long, and looks more often: to be taken up again costs calls. */
const REMOTE_STAY_MS = 5_000;
const REMOTE_SCAN_MS = 50;

type Afterwards = Pick<Steps<"IMPORT">, "schedules" | "strays" | "render" | "rebuild" | "pages">;

/** The steps after the end of the lock. */
export function afterImportSteps(publishing: Publishing): Afterwards {
  const { content } = publishing;
  return {
    strays: (work) => strays(work),
    render: ({ context, operation }) => {
      requestSiteRendering(operation, context);
      // The index of languages holds what was replaced; the next search in a language has it rebuilt.
      operation.delete(LANGUAGES.builtFor).touch(LANGUAGES.version);
      return next();
    },
    // This and the next while the pages are rendered.
    schedules: (work) => schedules(content, work),
    rebuild: async ({ context, jobId }) => {
      const mayContinue = remotePace(context);
      for (;;) {
        const { isDone, done } = await stepRebuild(context, documentSource(content), jobId);
        if (isDone) return nextUncommitted({ documents: done });
        if (!mayContinue()) return again(done);
      }
    },
    pages: (work) => pages(work),
  };
}

/** Documents that wait for their time get their job again; and indexes are compacted. */
async function schedules(
  content: Content,
  work: Work<"IMPORT", "schedules">,
): Promise<OutcomeOf<"IMPORT", "schedules">> {
  const { collections } = await content.schema.current();
  const offset = work.cursor ?? 0;
  const isFirst = offset === 0;
  const [{ rows }, ending, releases] = await allSettledOrThrow([
    content.index.list({
      collections,
      statuses: ["scheduled"],
      sort: [{ by: "createdAt", descending: false }],
      offset,
      limit: SCHEDULES_PER_COMMIT,
    }),
    isFirst ? markedDocuments(work.context, "ending") : Promise.resolve([]),
    isFirst ? listReleases(content) : Promise.resolve([]),
  ]);
  const ids = [...rows.map(({ id }) => id), ...ending];
  await forEachConcurrent(
    ids,
    work.context.store.concurrency(1),
    (id) => stageScheduleOf(content, work, id),
  );
  await settleReleases(content, work, releases);
  if (rows.length === SCHEDULES_PER_COMMIT) return again(offset + rows.length);
  for (const collection of collections.slice(0, IMPORT_COMPACTED_MAX)) {
    requestCompaction(work.operation, work.context, collection);
  }
  return next();
}

/** Releases that wait for their time get their job again; what was under way is not, here. */
async function settleReleases(
  content: Content,
  { context, operation }: Work<"IMPORT">,
  releases: Awaited<ReturnType<typeof listReleases>>,
): Promise<void> {
  for (const { state } of releases) {
    const { id, publishAt, jobId } = state;
    if (jobId !== null) await settleImportedRelease(content, id);
    else if (state.state === "scheduled" && publishAt !== null) {
      const job = await findJob(context.store, releaseScheduleId(id, publishAt));
      if (job !== null && !isFinished(job.state)) continue;
      addReleaseSchedule(operation, context, id, publishAt);
    }
  }
}

async function stageScheduleOf(
  { context }: Content,
  { operation }: Work<"IMPORT">,
  documentId: string,
): Promise<void> {
  const { state } = await readHead(
    context,
    "document",
    documentId,
    currentKey("document", documentId),
  );
  for (const time of scheduledTimes(state)) {
    const job = await findJob(context.store, scheduledJobId(documentId, time));
    if (job !== null && !isFinished(job.state)) continue;
    addScheduleJob(operation, context, documentId, time);
  }
}

/** Indexes, pages and lines of the sitemap of what is no more; RENDER_SITE looks only at what is there. */
async function strays(
  { context, cursor, operation }: Work<"IMPORT", "strays">,
): Promise<OutcomeOf<"IMPORT", "strays">> {
  const left = cursor ?? { areIndexesLeft: true, pagesAfter: "", linesAfter: "" };
  const { areIndexesLeft, pagesAfter, linesAfter } = left;
  const mayContinue = remotePace(context);
  const [areSome, pages, lines] = await allSettledOrThrow([
    areIndexesLeft ? eraseStrayIndexes(context) : Promise.resolve(false),
    goThrough(pagesAfter, mayContinue, (after) => removeStrayPages(context, operation, after)),
    goThrough(linesAfter, mayContinue, (after) => removeStrayLines(context, operation, after)),
    cursor === null ? keepReachable(context) : Promise.resolve(),
  ]);
  if (!areSome && pages === null && lines === null) return nextUncommitted();
  return again({ areIndexesLeft: areSome, pagesAfter: pages, linesAfter: lines });
}

/** The examined position, and whether the commit is full. */
type Portion = { reached: string | null; isFull: boolean };

/** Does a portion, and more while it `mayContinue`; returns where to continue, null at the end. */
async function goThrough(
  from: string | null,
  mayContinue: () => boolean,
  work: (after: string) => Promise<Portion>,
): Promise<string | null> {
  for (let after = from; after !== null;) {
    const { reached, isFull } = await work(after);
    if (reached === null || isFull || !mayContinue()) return reached;
    after = reached;
  }
  return null;
}

/**
 * Indexes of collections of which nothing is left; those of removed ones stay, for they may come back. Answers whether
 * there are more.
 */
async function eraseStrayIndexes({ store, now }: Context): Promise<boolean> {
  const known = await Array.fromAsync(store.list({ prefix: currentPrefix("collection") }));
  const ids = known.map(({ key }) => key.at(-1) as string);
  const startedAt = now();
  let isOver = false;
  // What lies between those that are known is looked for in all places at a time.
  await forEachConcurrent(["", ...ids].keys(), store.concurrency(1), async (index) => {
    const start = indexPrefix(index === 0 ? "" : `${ids[index - 1]}\0`);
    const next = ids[index];
    const range = next === undefined
      ? { prefix: indexesPrefix, start }
      : { start, end: indexPrefix(next) };
    for (let after = range; !isOver; isOver = now() - startedAt > ERASED_MS) {
      const [entry] = await store.listAll(after, { limit: 1 });
      if (entry === undefined) return;
      const id = entry.key[1] as string;
      const { value } = await store.get(currentKey("collection", id));
      if (value === null) await eraseIndex(store, id);
      // It has been created since.
      else after = { ...range, start: indexPrefix(`${id}\0`) };
    }
  });
  return isOver;
}

async function removeStrayPages(
  { store }: Context,
  operation: Operation,
  after: string,
): Promise<Portion> {
  const range = { prefix: pagePrefix, start: pageKey(`${after}\0`) };
  const pages: { key: Key; documentId: string }[] = [];
  let examined = 0;
  let last = after;
  const batchSize = store.isRemote ? PAGES_AT_ONCE : PAGES_PER_READ;
  const options = { limit: PAGES_AT_ONCE, batchSize };
  for await (const { key, value } of store.list<PageRow>(range, options)) {
    last = key.at(-1) as string;
    const documentId = value.documentId;
    if (documentId !== undefined) pages.push({ key, documentId });
    examined += 1;
  }
  // They are asked for together; those of documents that are gone are read again with what their commit checks.
  const current = await store.getMany(
    pages.map(({ documentId }) => currentKey("document", documentId)),
  );
  let removed = 0;
  for (const [{ key, documentId }, { value }] of zip(pages, current)) {
    if (value !== null) continue;
    const entries = await readDocumentPage(store, documentId);
    if (entries.current.value !== null) continue;
    if (!(await removeDocumentPage(store, operation, entries))) operation.delete(key);
    removed += 1;
    const isFull = operation.checks.length >= CHECKS_PER_COMMIT;
    if (isFull) return { reached: key.at(-1) as string, isFull };
  }
  return { reached: examined < PAGES_AT_ONCE ? null : last, isFull: removed > 0 };
}

async function removeStrayLines(
  { store }: Context,
  operation: Operation,
  after: string,
): Promise<Portion> {
  const range = { prefix: siteEntryPrefix, start: siteEntryKey(`${after}\0`) };
  const lines = await store.listAll(range, { limit: LINES_AT_ONCE });
  const ids = lines.map(({ key }) => key.at(-1) as string);
  // Lines of tags go with their pages.
  const documents = ids.filter(isUlid);
  const rows = await store.getMany(documents.map((id) => currentKey("document", id)));
  const gone = zip(documents, rows).flatMap(([id, { value }]) => value === null ? [id] : []);
  for (const id of gone) operation.delete(siteEntryKey(id));
  return {
    reached: lines.length < LINES_AT_ONCE ? null : ids.at(-1) ?? null,
    isFull: gone.length > 0,
  };
}

/** Waits until the whole site is rendered: an import that is done is to be seen. */
async function pages(
  { context, cursor }: Work<"IMPORT", "pages">,
): Promise<OutcomeOf<"IMPORT", "pages">> {
  const { store, now } = context;
  const startedAt = now();
  const since = cursor?.since ?? startedAt;
  for (;;) {
    const [request, job] = await allSettledOrThrow([
      store.get(jobRequestKey(SITE_JOB)),
      findJob(store, namedJobId(SITE_JOB)),
    ]);
    const isDone = request.value === null && job !== null && isFinished(job.state);
    if (isDone) return nextUncommitted({ rendered: job.state === "done" });
    if (now() - since > IMPORT_PAGES_MS_MAX) return nextUncommitted({ rendered: false });
    if (!store.isRemote || now() - startedAt > REMOTE_STAY_MS) break;
    await store.sleep(REMOTE_SCAN_MS);
  }
  return waitUntil(now() + SCAN_MS, { since });
}
