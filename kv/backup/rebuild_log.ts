/**
 * The timeline rebuilt from the versions that a replay has written: the log and what was compacted out of
 * it go, then each version gets its entry again, and those that were replaced go.
 *
 * @module
 */
import { zip } from "../model/primitives/zip.ts";
import type { Context } from "../context.ts";
import type { VersionRow } from "../versioning/entities.ts";
import {
  importLockKey,
  type Key,
  logPrefix,
  rebuiltLogKey,
  timelineManifestKey,
  versionNoteKey,
  versionTypePrefix,
} from "../keys.ts";
import type { EntityType } from "../model/entities/entity_kinds.ts";
import { recordPruned } from "../versioning/timeline/log.ts";
import { manifestOf, timelineSegments } from "../versioning/timeline/manifest.ts";
import type { Gap } from "../versioning/version_notes.ts";
import type { Entry, Operation, StoredEntry } from "../store/operation.ts";
import { pipelined } from "../store/concurrency.ts";
import type { Store } from "../store/store.ts";
import { type HeldLock, LockLost, underLock } from "./replay.ts";
import { removeReplaced } from "./sweep_replaced.ts";

/** Log entries deleted in one commit. */
const DELETED_PER_COMMIT = 500;
/** Versions looked at in one portion, and those of them that an embedded store reads at once. */
const VERSIONS_AT_ONCE = 500;
const VERSIONS_PER_READ = 100;
/** Versions whose entries are written in one commit. */
const ENTRIES_PER_COMMIT = 250;

/** Empties the timeline of a type. The log goes first: what is compacted in between goes with the segments. */
export async function emptyTimeline(
  context: Context,
  lock: HeldLock,
  type: EntityType,
): Promise<void> {
  const { store } = context;
  const prefix = logPrefix(type);
  const readPage = (after: Key | null) => {
    const range = after === null ? { prefix } : { prefix, start: [...after, 0] };
    return store.listAll(range, { limit: DELETED_PER_COMMIT });
  };
  let [log, manifest] = await Promise.all([readPage(null), store.get(timelineManifestKey(type))]);
  await pipelined(store.concurrency(1), async ({ begin }) => {
    while (log.length === DELETED_PER_COMMIT) {
      const operation = underLock(lock);
      for (const { key } of log) operation.delete(key);
      await begin(() => commitUnder(store, operation));
      log = await readPage(log.at(-1)?.key ?? null);
    }
  });
  for (;; manifest = await store.get(timelineManifestKey(type))) {
    const ids = manifestOf(manifest).segments.map(({ id }) => id);
    if (log.length === 0 && ids.length === 0) return;
    const operation = underLock(lock).check(manifest).set(manifest.key, { segments: [] });
    for (const { key } of log) operation.delete(key);
    timelineSegments(store, type).stageObsolete(operation, ids, 0);
    if ((await store.commit(operation)).ok) return;
    const held = await store.get(importLockKey);
    if (held.versionstamp !== lock.stamp) throw new LockLost("The lock was lost");
  }
}

/**
 * Goes through a type's versions from the key `after` on, a portion and others while it `mayContinue`: those that the replay
 * has not written go, the others get their entries. Returns where to continue, null at the end.
 */
export async function rebuildLog(
  context: Context,
  lock: HeldLock,
  { type, after, mayContinue }: { type: EntityType; after: Key | null; mayContinue: () => boolean },
): Promise<Key | null> {
  const { store } = context;
  return await pipelined(store.concurrency(1), async ({ begin }) => {
    let last = after;
    let before = after === null ? null : await lastUpTo(store, type, after);
    do {
      const entries = await readVersions(store, type, last);
      const { stale = [], kept = [] } = Object.groupBy(entries, ({ versionstamp }) => {
        return versionstamp <= lock.stamp ? "stale" : "kept";
      });
      if (stale.length > 0) await begin(() => removeReplaced(context, lock, stale));
      for (let start = 0; start < kept.length; start += ENTRIES_PER_COMMIT) {
        const portion = { before, entries: kept.slice(start, start + ENTRIES_PER_COMMIT) };
        await begin(() => rebuildPortion(store, lock, type, portion));
        before = portion.entries.at(-1) ?? before;
      }
      last = entries.length < VERSIONS_AT_ONCE ? null : entries.at(-1)?.key ?? null;
    } while (last !== null && mayContinue());
    return last;
  });
}

/** The last version up to a key; what the replay has not written is gone there. */
async function lastUpTo(
  store: Store,
  type: EntityType,
  key: Key,
): Promise<StoredEntry<VersionRow> | null> {
  const range = { start: versionTypePrefix(type), end: [...key, 0] };
  const [entry] = await store.listAll<VersionRow>(range, { limit: 1, reverse: true });
  return entry ?? null;
}

async function readVersions(
  store: Store,
  type: EntityType,
  after: Key | null,
): Promise<StoredEntry<VersionRow>[]> {
  const prefix = versionTypePrefix(type);
  const range = after === null ? { prefix } : { prefix, start: [...after, 0] };
  const batchSize = store.isRemote ? VERSIONS_AT_ONCE : VERSIONS_PER_READ;
  return await store.listAll<VersionRow>(range, { limit: VERSIONS_AT_ONCE, batchSize });
}

async function rebuildPortion(
  store: Store,
  lock: HeldLock,
  type: EntityType,
  portion: { before: StoredEntry<VersionRow> | null; entries: StoredEntry<VersionRow>[] },
): Promise<void> {
  const operation = underLock(lock);
  let { before } = portion;
  const gaps: GapBehind[] = [];
  for (const entry of portion.entries) {
    const id = entry.key[2] as string;
    const { n, at, gone } = entry.value;
    const previous = before?.key[2] === id ? before.value : null;
    const isNew = previous === null ? n === 1 : previous.gone === true;
    operation.set(rebuiltLogKey(type, at, id, n), gone ? "d" : isNew ? "c" : "u");
    if (previous === null && n > 1) recordPruned(operation, type, id, { end: n });
    else if (previous !== null && n > previous.n + 1) gaps.push({ id, previous, end: n });
    before = entry;
  }
  if (operation.mutations === 0) return;
  await recordGaps(store, operation, type, gaps);
  await commitUnder(store, operation);
}

async function commitUnder(store: Store, operation: Operation): Promise<void> {
  if (!(await store.commit(operation)).ok) throw new LockLost("The lock was lost");
}

/** A gap in a history, by the version before it and the number of the one behind it. */
interface GapBehind {
  id: string;
  previous: VersionRow;
  end: number;
}

/** Adds gaps to the timeline; the first missing version represents all of them. */
async function recordGaps(
  store: Store,
  operation: Operation,
  type: EntityType,
  gaps: readonly GapBehind[],
): Promise<void> {
  if (gaps.length === 0) return;
  const keys = gaps.map(({ id, previous }) => versionNoteKey(type, id, previous.n + 1));
  const notes = await store.getMany(keys) as Entry<Gap>[];
  for (const [{ id, previous, end }, { value: note }] of zip(gaps, notes)) {
    const first = previous.n + 1;
    const at = note?.at ?? previous.at;
    operation.set(rebuiltLogKey(type, at, id, first), "u");
    recordPruned(operation, type, id, { first, end });
  }
}
