/**
 * PRUNE: removes surplus versions, a few entities after the other with pauses for everybody else. It goes through
 * the histories that have changed since the last one, and through all where something else has: the cap of a
 * type, a name that was taken away, the site by an import. While the site is being restored, replaced or written
 * into a backup it waits.
 *
 * @module
 */
import { versionHoldsKey } from "../../kv/versioning/backup_keys.ts";
import type { Content } from "../../kv/documents/content.ts";
import type { CurrentRow } from "../../kv/versioning/entities.ts";
import { findImport } from "../../kv/versioning/import_lock.ts";
import { areVersionsHeld } from "../../kv/versioning/version_holds.ts";
import {
  currentKey,
  currentPrefix,
  importLockKey,
  prunedUntilKey,
  siteRestoreKey,
} from "../../kv/keys.ts";
import { ENTITY_TYPES, type EntityType } from "../../kv/model/entities/entity_kinds.ts";
import { type Context, seconds } from "../../kv/context.ts";
import type { Json } from "../../kv/model/entities/entity.ts";
import { keepSetting, pruneEntity } from "../../kv/history/prune.ts";
import type { PrunedUntil } from "../../kv/versioning/pruned_until.ts";
import { THINNED_AFTER_SECONDS } from "../../kv/history/surplus.ts";
import { changedSince } from "../../kv/history/timeline/changed_since.ts";
import { Settings } from "../../kv/sources/settings.ts";
import { isUnderWay, type SiteRestoreRow } from "../../kv/history/site_restore/request.ts";
import { requestTimelineCompaction } from "./compact_timeline.ts";
import type { Entry, Operation } from "../../kv/store/operation.ts";
import { allSettledOrThrow, forEachConcurrent } from "../../kv/store/concurrency.ts";
import type { Store } from "../../kv/store/store.ts";
import { type StrayCursor, sweepStrays } from "../../kv/site/stray_rows.ts";
import type { CursorOf } from "../runner/job_cursors.ts";
import { remotePace } from "../runner/remote_pace.ts";
import { PRUNE_CHANGED_MAX } from "../limits.ts";
import {
  again,
  type JobKind,
  jobKind,
  next,
  type OutcomeOf,
  waitUntil,
  type Work,
} from "../runner/job_kind.ts";

/** Entities looked at for one mark of progress, and those read in one go: their states, of up to 48 KB, come with them. */
const LOCAL = { portion: 200, read: 20 };
/** The same on a remote store. */
const REMOTE = { portion: 500, read: 250 };
/** Versions removed for one mark of progress, about. */
const VERSIONS_PER_PORTION = 1_000;
/** How long it waits for a restore of the site. */
const WAIT_MS = 60_000;
/** How long other work is let through between two portions, milliseconds. */
const PAUSE_MS = 4;

/** By how much the clocks of two processes may differ, seconds. */
const SKEW_SECONDS = 3_600;

type Cursor = CursorOf<"PRUNE", "prune">;

/** The kind of job that prunes history. */
export function pruneKind(content: Content): JobKind<"PRUNE"> {
  const settings = new Settings(content.context);
  const changed = new ChangedEntities(content.context.store);
  return jobKind("PRUNE", {
    prune: (work) => prune({ settings, changed }, work),
    strays: async ({ cursor }) => {
      const swept = await sweepStrays(content, cursor ?? STRAYS_START);
      return "next" in swept ? again(swept.next) : next(swept);
    },
  });
}

const STRAYS_START: StrayCursor = { family: 0, after: null, removed: 0 };

/** The entities of a type that have changed, of the job that asked last: read once for all its portions. */
class ChangedEntities {
  readonly #store: Store;
  #read: { name: string; ids: string[] | null } | null = null;

  constructor(store: Store) {
    this.#store = store;
  }

  /** The next current rows of entities behind `after` that have changed since a time; null when they are too many. */
  async rows(
    jobId: string,
    { type, after, since }: { type: EntityType; after: string; since: number },
  ): Promise<Entry<CurrentRow>[] | null> {
    const name = `${jobId} ${type} ${since}`;
    if (this.#read?.name !== name) {
      const query = { since, skew: SKEW_SECONDS, max: PRUNE_CHANGED_MAX };
      this.#read = { name, ids: await changedSince(this.#store, type, query) };
    }
    const { ids } = this.#read;
    if (ids === null) return null;
    const start = after === "" ? 0 : ids.findIndex((id) => id > after);
    const { portion, read } = sizesFor(this.#store);
    const some = start < 0 ? [] : ids.slice(start, start + portion);
    const rows: Entry<CurrentRow>[] = [];
    for (let from = 0; from < some.length; from += read) {
      const keys = some.slice(from, from + read).map((id) => currentKey(type, id));
      rows.push(...await this.#store.getMany(keys) as Entry<CurrentRow>[]);
    }
    return rows;
  }
}

async function prune(
  parts: PruneParts,
  work: Work<"PRUNE", "prune">,
): Promise<OutcomeOf<"PRUNE", "prune">> {
  const { context, operation } = work;
  const { store } = context;
  const [first, ...checks] = await store.getMany([
    prunedUntilKey,
    siteRestoreKey,
    importLockKey,
    versionHoldsKey,
  ]);
  const [, lock, holds] = checks;
  const last = first as Entry<PrunedUntil>;
  let cursor = { ...(work.cursor ?? beginning(context, last)) };
  const [isRestored, importing] = await allSettledOrThrow([
    isUnderWay(store, checks[0] as Entry<SiteRestoreRow>),
    findImport(context),
  ]);
  if (isRestored || areVersionsHeld(context, holds) || importing !== null) {
    return waitUntil(context.now() + WAIT_MS, cursor);
  }
  const caps = await parts.settings.all();
  for (const mayContinue = remotePace(context);;) {
    const { type } = cursor;
    const isTypeDone = await pruneSome(parts.changed, work, { last, checks, caps }, cursor);
    if (isTypeDone && type + 1 === ENTITY_TYPES.length) {
      stageUntil(operation, last, cursor, lock.versionstamp);
      requestTimelineCompaction(operation, context);
      return next({ removed: cursor.removed });
    }
    if (isTypeDone) cursor = { ...cursor, type: type + 1, after: "" };
    if (mayContinue()) continue;
    if (!isTypeDone) await store.sleep(PAUSE_MS);
    return again(cursor, { done: cursor.seen, total: cursor.seen });
  }
}

interface PruneParts {
  settings: Settings;
  changed: ChangedEntities;
}

/** Values read at the beginning of a step. */
interface PruneBasis {
  last: Entry<PrunedUntil>;
  /** The entries that every commit checks. */
  checks: Entry[];
  /** Settings, those of the caps of versions among them. */
  caps: Record<string, Json>;
}

/** Prunes a portion of a type and moves the cursor behind it; answers whether that was the last of the type. */
async function pruneSome(
  changed: ChangedEntities,
  { context, jobId, signal }: Work<"PRUNE">,
  { last, checks, caps }: PruneBasis,
  cursor: Cursor,
): Promise<boolean> {
  const { store } = context;
  const type = ENTITY_TYPES[cursor.type];
  if (type === undefined) return true;
  const keep = caps[keepSetting(type)] as number;
  const isSame = cursor.after === "" || cursor.keep[type] === keep;
  cursor.keep = { ...cursor.keep, [type]: isSame ? keep : null };
  const isKnown = last.value?.site === checks[1]?.versionstamp &&
    last.versionstamp === cursor.last;
  const thinned = isKnown && last.value !== null
    ? last.value.at - THINNED_AFTER_SECONDS - SKEW_SECONDS
    : 0;
  const range = { type, after: cursor.after, since: thinned };
  const onlyChanged = thinned > 0 && last.value?.keep[type] === keep
    ? await changed.rows(jobId, range)
    : null;
  const rows = onlyChanged ?? await listRows(store, range);
  const enough = cursor.removed + VERSIONS_PER_PORTION;
  let begun = 0;
  function* some() {
    for (const row of rows) {
      if (cursor.removed >= enough) return;
      signal.throwIfAborted();
      cursor.after = row.key.at(-1) as string;
      begun += 1;
      yield row;
    }
  }
  await forEachConcurrent(some(), store.concurrency(1), async ({ key, value: current }) => {
    if (current === null) return;
    const id = key.at(-1) as string;
    const gone = await pruneEntity(context, checks, type, { id, current, keep, thinned });
    cursor.removed += gone;
  });
  cursor.seen += begun;
  return begun === rows.length && rows.length < sizesFor(store).portion;
}

function beginning(context: Context, { versionstamp }: Entry<PrunedUntil>): Cursor {
  const since = seconds(context);
  return { type: 0, after: "", seen: 0, removed: 0, since, keep: {}, last: versionstamp };
}

function sizesFor({ isRemote }: Store): typeof LOCAL {
  return isRemote ? REMOTE : LOCAL;
}

async function listRows(
  store: Store,
  { type, after }: { type: EntityType; after: string },
): Promise<Entry<CurrentRow>[]> {
  const range = { prefix: currentPrefix(type), start: currentKey(type, `${after}\0`) };
  const { portion, read } = sizesFor(store);
  const options = { limit: portion, batchSize: read };
  return await store.listAll<CurrentRow>(range, options);
}

/** The basis of the next prune; none if a version name was removed in the meantime, because its history may be behind. */
function stageUntil(
  operation: Operation,
  last: Entry<PrunedUntil>,
  { since, keep, last: before }: Cursor,
  site: string | null,
): void {
  if (last.versionstamp !== before) return;
  operation.check(last).set(prunedUntilKey, { at: since, keep, site } satisfies PrunedUntil);
}
