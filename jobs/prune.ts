/**
 * PRUNE: removes surplus versions, a few entities after the other with pauses for everybody else. While the site is being restored, replaced or written into a back-up it waits.
 *
 * @module
 */
import { versionHoldsKey } from "../kv/backup/backup_keys.ts";
import type { Content } from "../kv/documents/content.ts";
import type { LiveRow } from "../kv/entities.ts";
import { findImport } from "../kv/backup/import_lock.ts";
import { areVersionsHeld } from "../kv/backup/version_holds.ts";
import { importLockKey, liveKey, livePrefix, prunedUntilKey, siteRestoreKey } from "../kv/keys.ts";
import { ENTITY_TYPES } from "../kv/model/entity_kinds.ts";
import { seconds } from "../kv/context.ts";
import { keepSetting, pruneEntity } from "../kv/history/prune.ts";
import { THINNED_AFTER_SECONDS } from "../kv/history/surplus.ts";
import { Settings } from "../kv/site/settings.ts";
import { isUnderWay, type SiteRestoreRow } from "../kv/history/site_restore/request.ts";
import { requestTimelineCompaction } from "./compact_timeline.ts";
import type { Entry } from "../kv/store/operation.ts";
import type { Store } from "../kv/store/store.ts";
import { type StrayCursor, sweepStrays } from "../kv/site/stray_rows.ts";
import {
  again,
  type JobKind,
  jobKind,
  next,
  type Outcome,
  type OutcomeOf,
  waitUntil,
  type Work,
} from "./runner/job_kind.ts";

/** Entities looked at for one mark of progress. */
const ENTITIES_PER_PORTION = 200;
/** Entities read in one go: their states, of up to 48 KB, come with them. */
const ENTITIES_PER_READ = 20;
/** Versions removed for one mark of progress, about. */
const VERSIONS_PER_PORTION = 1_000;
/** How long it waits for a restore of the site. */
const WAIT_MS = 60_000;
/** How long other work is let through between two portions, milliseconds. */
const PAUSE_MS = 4;

/** By how much the clocks of two processes may differ, seconds. */
const SKEW_SECONDS = 3_600;

/** Where it has come to, and since when it is under way, epoch seconds. */
type Cursor = { type: number; after: string; seen: number; removed: number; since: number };

/** Up to when histories were gone through, epoch seconds, and the import that had brought them. */
interface PrunedUntil {
  at: number;
  /** Versionstamp of the import's lock. */
  site: string | null;
}

/** The kind of job that prunes history. */
export function pruneKind(content: Content): JobKind<"PRUNE"> {
  const settings = new Settings(content.context);
  return jobKind("PRUNE", {
    prune: (work) => prune(settings, work),
    strays: async ({ cursor }) => {
      const swept = await sweepStrays(content, cursor as StrayCursor | null ?? STRAYS_START);
      return "next" in swept ? again({ ...swept.next }) : next(swept);
    },
  });
}

const STRAYS_START: StrayCursor = { family: 0, after: null, removed: 0 };

async function prune(
  settings: Settings,
  work: Work<"PRUNE">,
): Promise<OutcomeOf<"PRUNE", "prune">> {
  const { context, operation } = work;
  const { store } = context;
  const start = { type: 0, after: "", seen: 0, removed: 0, since: seconds(context) };
  const cursor = (work.cursor ?? start) as Cursor;
  const checks = await store.getMany([siteRestoreKey, importLockKey, versionHoldsKey]);
  const isRestored = await isUnderWay(store, checks[0] as Entry<SiteRestoreRow>);
  const isHeld = areVersionsHeld(context, checks[2]!);
  if (isRestored || isHeld || await findImport(context) !== null) {
    return waitUntil(context.now() + WAIT_MS, cursor);
  }
  const type = ENTITY_TYPES[cursor.type]!;
  const keep = await settings.get<number>(keepSetting(type));
  const range = { prefix: livePrefix(type), start: liveKey(type, `${cursor.after}\0`) };
  const rows = await store.listAll<LiveRow>(range, {
    limit: ENTITIES_PER_PORTION,
    batchSize: ENTITIES_PER_READ,
  });
  const site = checks[1]!.versionstamp;
  const thinned = await thinnedUntil(store, site);
  let { after, seen, removed } = cursor;
  const enough = removed + VERSIONS_PER_PORTION;
  for (const { key, value } of rows) {
    if (removed >= enough) return await goOn({ ...cursor, after, seen, removed }, work);
    work.signal.throwIfAborted();
    const id = key.at(-1) as string;
    removed += await pruneEntity(context, checks, type, { id, live: value!, keep, thinned });
    after = id;
    seen += 1;
  }
  if (rows.length === ENTITIES_PER_PORTION) {
    return await goOn({ ...cursor, after, seen, removed }, work);
  }
  if (cursor.type + 1 < ENTITY_TYPES.length) {
    return again({ ...cursor, type: cursor.type + 1, after: "", seen, removed });
  }
  operation.set(prunedUntilKey, { at: cursor.since, site } satisfies PrunedUntil);
  requestTimelineCompaction(operation, context);
  return next({ removed });
}

/** What was older than this when the last PRUNE began was thinned then; 0 when nobody knows. */
async function thinnedUntil(store: Store, site: string | null): Promise<number> {
  const { value } = await store.get<PrunedUntil>(prunedUntilKey);
  if (value === null || value.site !== site) return 0;
  return value.at - THINNED_AFTER_SECONDS - SKEW_SECONDS;
}

async function goOn(cursor: Cursor, { context }: Work<"PRUNE">): Promise<Outcome<never>> {
  await context.store.sleep(PAUSE_MS);
  return again(cursor, { done: cursor.seen, total: cursor.seen });
}
