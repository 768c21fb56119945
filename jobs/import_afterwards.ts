/**
 * What follows when the tables of a back-up are in place: schedules that wait, indexes, search, and the
 * pages of the site.
 *
 * @module
 */
import type { Content } from "../kv/documents/content.ts";
import { readHead } from "../kv/entities.ts";
import { settleImportedRelease } from "../kv/history/restore/release_restore.ts";
import { addReleaseSchedule, releaseScheduleId } from "../kv/releases/release_schedule.ts";
import { listReleases } from "../kv/releases/releases.ts";
import { requestCompaction } from "../kv/index/compaction_request.ts";
import { findJob, namedJobId } from "../kv/jobs/jobs.ts";
import { markedDocuments } from "../kv/documents/reference_rows.ts";
import { addScheduleJob, scheduledJobId, scheduledTimes } from "../kv/documents/schedule_jobs.ts";
import { indexesPrefix, indexPrefix, jobRequestKey, type Key, liveKey } from "../kv/keys.ts";
import { pageKey, pagePrefix, siteEntryKey, siteEntryPrefix } from "../kv/pages/page_keys.ts";
import { isFinished } from "../kv/jobs/job.ts";
import type { Json } from "../kv/model/entity.ts";
import { isUlid } from "../kv/model/ulid.ts";
import { readDocumentPage, removeDocumentPage } from "../kv/pages/document_pages.ts";
import type { PageRow } from "../kv/pages/pages.ts";
import { eraseIndex } from "../kv/index/erase_index.ts";
import { requestSiteRendering, SITE_JOB } from "../kv/pages/rendering_requests.ts";
import { stepRebuild } from "../kv/search/rebuild.ts";
import { IMPORT_COMPACTED_MAX, IMPORT_PAGES_MS_MAX } from "./limits.ts";
import {
  again,
  next,
  type OutcomeOf,
  type Steps,
  waitUntil,
  type Work,
} from "./runner/job_kind.ts";
import type { Publishing } from "./publishing/publishing.ts";
import { documentSource } from "./rebuild_search.ts";

/** Scheduled documents looked at in one commit. */
const SCHEDULES_PER_COMMIT = 50;
/** Indexes looked at in one call. */
const INDEXES_AT_ONCE = 100;
/** Pages looked at in one step, and those of them read in one go on an embedded store. */
const PAGES_PER_STEP = 500;
const PAGES_PER_READ = 50;
/** Checks of one commit from which no other page is removed: each takes up to three of its nine. */
const CHECKS_PER_COMMIT = 6;
/** How often the pages are looked at while the import waits for them, milliseconds. */

const LOOK_MS = 500;

type Afterwards = Pick<
  Steps<"IMPORT">,
  "schedules" | "search" | "strayIndexes" | "strayPages" | "strayEntries" | "pages"
>;

/** The steps after the end of the lock. */
export function afterImportSteps(publishing: Publishing): Afterwards {
  const { content } = publishing;
  return {
    schedules: (work) => schedules(content, work),
    search: async ({ context, jobId }) => {
      const { isDone, done } = await stepRebuild(context, documentSource(content), jobId);
      return isDone ? next({ documents: done }) : again(done);
    },
    strayIndexes: (work) => strayIndexes(work),
    strayPages: (work) => strayPages(work),
    strayEntries: (work) => strayEntries(work),
    pages: (work) => pages(work),
  };
}

/** Documents that wait for their time get their job again; and indexes are compacted. */
async function schedules(
  content: Content,
  work: Work<"IMPORT">,
): Promise<OutcomeOf<"IMPORT", "schedules">> {
  const { collections } = await content.schema.current();
  const offset = (work.cursor as number | null) ?? 0;
  const { rows } = await content.index.list({
    collections,
    statuses: ["scheduled"],
    sort: [{ by: "createdAt", descending: false }],
    offset,
    limit: SCHEDULES_PER_COMMIT,
  });
  for (const { id } of rows) await stageScheduleOf(content, work, id);
  if (offset === 0) {
    for (const id of await markedDocuments(work.context, "ending")) {
      await stageScheduleOf(content, work, id);
    }
    await settleReleases(content, work);
  }
  if (rows.length === SCHEDULES_PER_COMMIT) return again(offset + rows.length);
  for (const collection of collections.slice(0, IMPORT_COMPACTED_MAX)) {
    requestCompaction(work.operation, work.context, collection);
  }
  return next();
}

/** Releases that wait for their time get their job again; what was under way is not, here. */
async function settleReleases(content: Content, { context, operation }: Work<"IMPORT">) {
  for (const { state } of await listReleases(content)) {
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
    liveKey("document", documentId),
  );
  for (const time of scheduledTimes(state)) {
    const job = await findJob(context.store, scheduledJobId(documentId, time));
    if (job !== null && !isFinished(job.state)) continue;
    addScheduleJob(operation, context, documentId, time);
  }
}

/** Indexes of collections of which nothing is left; those of removed ones stay, for they may come back. */
async function strayIndexes(
  { context, cursor }: Work<"IMPORT">,
): Promise<OutcomeOf<"IMPORT", "strayIndexes">> {
  const { store } = context;
  let after = (cursor as string | null) ?? "";
  for (let looked = 0; looked < INDEXES_AT_ONCE; looked++) {
    const range = { prefix: indexesPrefix, start: indexPrefix(`${after}\0`) };
    const [entry] = await store.listAll(range, { limit: 1 });
    if (entry === undefined) return next();
    const id = entry.key[1] as string;
    const { value } = await store.get(liveKey("collection", id));
    if (value === null && !(await eraseIndex(store, id)).done) return again(after);
    after = id;
  }
  return again(after);
}

/** Pages of documents that are no more; RENDER_SITE looks only at those that are there. */
async function strayPages(
  { context, cursor, operation }: Work<"IMPORT">,
): Promise<OutcomeOf<"IMPORT", "strayPages">> {
  const { store } = context;
  const range = { prefix: pagePrefix, start: pageKey(`${cursor ?? ""}\0`) };
  const pages: { key: Key; documentId: string }[] = [];
  let looked = 0;
  let last: string | null = null;
  const batchSize = store.isDistant ? PAGES_PER_STEP : PAGES_PER_READ;
  const options = { limit: PAGES_PER_STEP, batchSize };
  for await (const { key, value } of store.list<PageRow>(range, options)) {
    last = key.at(-1) as string;
    const documentId = value!.documentId;
    if (documentId !== undefined) pages.push({ key, documentId });
    looked += 1;
  }
  // They are asked for together; those of documents that are gone are read again with what their commit checks.
  const live = await store.getMany(pages.map(({ documentId }) => liveKey("document", documentId)));
  for (const [index, { key, documentId }] of pages.entries()) {
    if (live[index]!.value !== null) continue;
    const entries = await readDocumentPage(store, documentId);
    if (entries.live.value !== null) continue;
    if (!(await removeDocumentPage(store, operation, entries))) operation.delete(key);
    if (operation.checks.length >= CHECKS_PER_COMMIT) return again(key.at(-1) as string);
  }
  return looked < PAGES_PER_STEP ? next() : again(last);
}

async function strayEntries(
  { context, cursor, operation }: Work<"IMPORT">,
): Promise<OutcomeOf<"IMPORT", "strayEntries">> {
  const { store } = context;
  const range = { prefix: siteEntryPrefix, start: siteEntryKey(`${cursor ?? ""}\0`) };
  const entries = await store.listAll(range, { limit: 200 });
  const ids = entries.map(({ key }) => key.at(-1) as string);
  // Lines of tags go with their pages.
  const documents = ids.filter(isUlid);
  const rows = await store.getMany(documents.map((id) => liveKey("document", id)));
  rows.forEach(({ value }, index) => {
    if (value === null) operation.delete(siteEntryKey(documents[index]!));
  });
  return entries.length < 200 ? next() : again(ids.at(-1)!);
}

/** Has the whole site rendered, and waits for it: an import that is done is to be seen. */
async function pages(work: Work<"IMPORT">): Promise<OutcomeOf<"IMPORT", "pages">> {
  const { context, cursor, operation } = work;
  const now = context.now();
  if (cursor === null) {
    requestSiteRendering(operation, context);
    return again({ since: now });
  }
  const { since } = cursor as { since: number };
  const request = await context.store.get(jobRequestKey(SITE_JOB));
  const job = await findJob(context.store, namedJobId(SITE_JOB));
  const isDone = request.value === null && job !== null && isFinished(job.state);
  if (isDone) return next({ rendered: job.state === "done" });
  if (now - since > IMPORT_PAGES_MS_MAX) return next({ rendered: false });
  return waitUntil(now + LOOK_MS, cursor as Json);
}
