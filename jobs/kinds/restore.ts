/**
 * RESTORE: puts the whole site back to an instant. Every entity that was there gets a new version equal
 * to its state then, unchanged ones too; everything created since gets a tombstone. Nothing of history is
 * touched, so another restore to just before undoes it.
 *
 * Changes committed after the request for the restore stay: an entity whose current row is newer than the
 * request is skipped. That is also why an interrupted restore can run again: the entities that it has restored
 * are newer, too.
 *
 * @module
 */
import type { Content } from "../../kv/documents/content.ts";
import type { CurrentRow } from "../../kv/versioning/entities.ts";
import { schemaKey, siteRestoreKey } from "../../kv/keys.ts";
import {
  type EntityGroup,
  SITE_TYPES,
  type SiteType,
} from "../../kv/model/entities/entity_kinds.ts";
import { requestSiteRendering } from "../../kv/pages/rendering_requests.ts";
import { restoreDocument } from "../../kv/history/site_restore/documents.ts";
import {
  leavesAnAdministrator,
  restoreGroup,
} from "../../kv/history/site_restore/restore_group.ts";
import { nextEntities, restoreEntity } from "../../kv/history/site_restore/single_entities.ts";
import type { SiteRestoreRow } from "../../kv/history/site_restore/request.ts";
import {
  noCounts,
  type RestoreCounts,
  type RestoreRun,
} from "../../kv/history/site_restore/restore_run.ts";
import type { Entry } from "../../kv/store/operation.ts";
import { forEachConcurrent } from "../../kv/store/concurrency.ts";
import { Timeline } from "../../kv/history/timeline/timeline.ts";
import { requestTimelineCompaction } from "./compact_timeline.ts";
import {
  again,
  JobFailure,
  type JobKind,
  jobKind,
  next,
  nextUncommitted,
  type OutcomeOf,
  type Work,
} from "../runner/job_kind.ts";

/** Entities restored between two marks of progress. */
const PORTION = 96;
/** The same on a remote store, where the marks travel, too. */
const REMOTE_PORTION = 480;
/** Entities restored at the same time: their commits share fsyncs, and on a remote store fill those under way. */
const CONCURRENCY = 24;
const REMOTE_CONCURRENCY = 240;

/** A step that works in portions. */
type PortionStep = "tokens" | "media" | "documents" | "removals";

/** Restores one entity of a type. */
type RestoreOne = (
  run: RestoreRun,
  type: SiteType,
  entry: Entry<CurrentRow>,
  counts: RestoreCounts,
) => Promise<void>;

/** The kind of job that restores the site. */
export function restoreKind(content: Content): JobKind<"RESTORE"> {
  const timeline = new Timeline(content.context.store);
  const grouped = (group: EntityGroup) => async (work: Work<"RESTORE">) =>
    nextUncommitted(await restoreGroup(await openRun(content, timeline, work), group));
  const portions =
    (types: readonly SiteType[], one: RestoreOne) => async (work: Work<"RESTORE", PortionStep>) =>
      await restorePortion(await openRun(content, timeline, work), work, types, one);
  return jobKind("RESTORE", {
    check: async (work) => await check(await openRun(content, timeline, work)),
    schema: grouped("schema"),
    access: grouped("access"),
    settings: grouped("settings"),
    tokens: portions(["api_token"], restoreEntity),
    media: portions(["media_metadata"], restoreEntity),
    documents: portions(["document"], mintDocument),
    removals: portions(["document"], removeDocument),
    finish: ({ context, operation, payload }) => {
      requestSiteRendering(operation, context);
      requestTimelineCompaction(operation, context);
      return next({ undoneBy: payload.at });
    },
  });
}

const mintDocument: RestoreOne = (run, _type, entry, counts) =>
  restoreDocument(run, "mint", entry, counts);

const removeDocument: RestoreOne = (run, _type, entry, counts) =>
  restoreDocument(run, "remove", entry, counts);

async function openRun(
  content: Content,
  timeline: Timeline,
  { payload, jobId }: Work<"RESTORE">,
): Promise<RestoreRun> {
  const { timestamp, at, userId, keepRevoked = false } = payload;
  const { context } = content;
  const keys = [siteRestoreKey, schemaKey];
  const [slot, schema] = await context.store.getMany(keys) as [Entry<SiteRestoreRow>, Entry];
  if (slot.value?.jobId !== jobId) throw new JobFailure("Another restore was asked for since");
  const now = () => Math.max(context.now(), (at + 1) * 1000);
  return {
    content,
    context: { ...context, now },
    timeline,
    jobId,
    userId,
    timestamp,
    keepRevoked,
    requestStamp: slot.versionstamp!,
    known: [schema],
    lost: new Map(),
  };
}

/** Refuses before anything is changed, and counts what there is to do. */
async function check(run: RestoreRun): Promise<OutcomeOf<"RESTORE", "check">> {
  if (!(await leavesAnAdministrator(run))) {
    throw new JobFailure("No administrator would be left");
  }
  const entities: Record<string, number> = {};
  const timeline = run.timeline.snapshot(SITE_TYPES);
  for (const type of SITE_TYPES) {
    const reader = await timeline.of(type);
    let count = 0;
    await reader.walk([], () => void (count += 1));
    entities[type] = count;
  }
  return nextUncommitted(entities);
}

/** Restores the next entities of some types. */
async function restorePortion(
  run: RestoreRun,
  work: Work<"RESTORE", PortionStep>,
  types: readonly SiteType[],
  one: RestoreOne,
): Promise<OutcomeOf<"RESTORE", PortionStep>> {
  const start = { position: 0, after: "", done: 0, counts: noCounts() };
  const { position, after, done, counts } = work.cursor ?? start;
  const type = types[position]!;
  const { store } = work.context;
  const portion = store.isRemote ? REMOTE_PORTION : PORTION;
  const entries = await nextEntities(run, type, after, portion);
  await forEachConcurrent(
    entries,
    store.isRemote ? REMOTE_CONCURRENCY : CONCURRENCY,
    async (entry) => {
      work.signal.throwIfAborted();
      await one(run, type, entry, counts);
    },
  );
  const planned = work.results.check ?? {};
  const total = types.reduce((sum, type) => sum + (planned[type] ?? 0), 0);
  const progress = { done: done + entries.length, total };
  const last = entries.at(-1);
  if (last !== undefined && entries.length === portion) {
    const behind = last.key.at(-1) as string;
    return again({ position, after: behind, done: progress.done, counts }, progress);
  }
  if (position + 1 === types.length) return nextUncommitted(counts);
  return again({ position: position + 1, after: "", done: progress.done, counts }, progress);
}
