/**
 * RESTORE: puts the whole site back to an instant. Every entity that was there gets a new version equal
 * to its state then, unchanged ones too; everything created since gets a tombstone. Nothing of history is
 * touched, so another restore to just before undoes it.
 *
 * What is committed after the restore was asked for stays as it is: an entity whose live row is younger
 * than the request is passed by. That is also why a restore that was cut off can run again: what it has
 * done already is younger, too.
 *
 * @module
 */
import { z } from "zod";
import type { Content } from "../kv/documents/content.ts";
import type { LiveRow } from "../kv/entities.ts";
import { siteRestoreKey } from "../kv/keys.ts";
import { ENTITY_TYPES, type EntityType } from "../kv/model/entity.ts";
import { requestSiteRendering } from "../kv/pages/rendering_requests.ts";
import { restoreDocument } from "../kv/history/site_restore/documents.ts";
import {
  ACCESS_FAMILY,
  leavesAnAdministrator,
  SCHEMA_FAMILY,
  SETTINGS_FAMILY,
} from "../kv/history/site_restore/families.ts";
import { type GuardedFamily, restoreGuarded } from "../kv/history/site_restore/guarded.ts";
import { nextEntities, restorePlain } from "../kv/history/site_restore/plain.ts";
import type { SiteRestoreRow } from "../kv/history/site_restore/request.ts";
import { emptyTally, type Site, type Tally } from "../kv/history/site_restore/site.ts";
import type { Entry } from "../kv/store/operation.ts";
import { Timeline } from "../kv/history/timeline/timeline.ts";
import { requestTimelineCompaction } from "./compact_timeline.ts";
import {
  again,
  JobFailure,
  type JobKind,
  jobKind,
  next,
  type Outcome,
  type Work,
} from "./runner/job_kind.ts";

/** Entities restored between two marks of progress. */
const PORTION = 96;
/** Entities restored at the same time: their commits share fsyncs. */
const AT_ONCE = 24;

const Restore = z.object({
  timestamp: z.int().nonnegative(),
  at: z.int().nonnegative(),
  userId: z.string().nullable(),
});
type Restore = z.infer<typeof Restore>;

/** Where a step that goes on in portions has come to. */
type Cursor = { place: number; after: string; done: number; tally: Tally } | null;

/** Restores one entity of a type. */
type RestoreOne = (
  site: Site,
  type: EntityType,
  entry: Entry<LiveRow>,
  tally: Tally,
) => Promise<void>;

/** The kind of job that restores the site. */
export function restoreKind(content: Content): JobKind {
  const timeline = new Timeline(content.context.store);
  const guarded = (family: GuardedFamily) => async (work: Work<Restore>) =>
    next(await restoreGuarded(await openSite(content, timeline, work), family));
  const portions = (types: readonly EntityType[], one: RestoreOne) => async (work: Work<Restore>) =>
    await restorePortion(await openSite(content, timeline, work), work, types, one);
  return jobKind<Restore>({
    type: "RESTORE",
    payload: Restore,
    steps: {
      check: async (work) => await check(await openSite(content, timeline, work)),
      schema: guarded(SCHEMA_FAMILY),
      access: guarded(ACCESS_FAMILY),
      settings: guarded(SETTINGS_FAMILY),
      configs: portions(["plugin_config"], restorePlain),
      tokens: portions(["api_token"], restorePlain),
      media: portions(["media_metadata"], restorePlain),
      documents: portions(["document"], mintDocument),
      removals: portions(["document"], removeDocument),
      finish: ({ context, operation, payload }) => {
        requestSiteRendering(operation, context);
        requestTimelineCompaction(operation, context);
        return next({ undoneBy: payload.at });
      },
    },
  });
}

const mintDocument: RestoreOne = (site, _type, entry, tally) =>
  restoreDocument(site, "mint", entry, tally);

const removeDocument: RestoreOne = (site, _type, entry, tally) =>
  restoreDocument(site, "remove", entry, tally);

async function openSite(
  content: Content,
  timeline: Timeline,
  { payload, jobId }: Work<Restore>,
): Promise<Site> {
  const { timestamp, at, userId } = payload;
  const { context } = content;
  const slot = await context.store.get<SiteRestoreRow>(siteRestoreKey);
  if (slot.value?.jobId !== jobId) throw new JobFailure("Another restore was asked for since");
  const now = () => Math.max(context.now(), (at + 1) * 1000);
  return {
    content,
    context: { ...context, now },
    timeline,
    jobId,
    userId,
    timestamp,
    cut: slot.versionstamp!,
    lost: new Map(),
  };
}

/** Refuses before anything is changed, and counts what there is to do. */
async function check(site: Site): Promise<Outcome> {
  if (!(await leavesAnAdministrator(site))) {
    throw new JobFailure("No administrator would be left");
  }
  const entities: Record<string, number> = {};
  for (const type of ENTITY_TYPES) {
    entities[type] = 0;
    const reader = await site.timeline.of(type);
    await reader.walk([], () => void (entities[type]! += 1));
  }
  return next(entities);
}

/** Restores the next entities of some types. */
async function restorePortion(
  site: Site,
  work: Work<Restore>,
  types: readonly EntityType[],
  one: RestoreOne,
): Promise<Outcome> {
  const start = { place: 0, after: "", done: 0, tally: emptyTally() };
  const { place, after, done, tally } = work.cursor as Cursor ?? start;
  const type = types[place]!;
  const entries = await nextEntities(site, type, after, PORTION);
  for (let from = 0; from < entries.length; from += AT_ONCE) {
    work.signal.throwIfAborted();
    const some = entries.slice(from, from + AT_ONCE);
    await Promise.all(some.map((entry) => one(site, type, entry, tally)));
  }
  const counts = work.results.check as Record<string, number>;
  const total = types.reduce((sum, type) => sum + (counts[type] ?? 0), 0);
  const progress = { done: done + entries.length, total };
  const last = entries.at(-1);
  if (last !== undefined && entries.length === PORTION) {
    const behind = last.key.at(-1) as string;
    return again({ place, after: behind, done: progress.done, tally }, progress);
  }
  if (place + 1 === types.length) return next(tally);
  return again({ place: place + 1, after: "", done: progress.done, tally }, progress);
}
