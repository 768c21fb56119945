/**
 * The timeline rebuilt from the versions that a replay has written: the log and what was compacted out of
 * it go, then each version gets its entry again.
 *
 * @module
 */
import type { Context } from "../context.ts";
import type { VersionRow } from "../entities.ts";
import {
  importLockKey,
  type Key,
  logKey,
  logPrefix,
  timelineManifestKey,
  versionNoteKey,
  versionTypePrefix,
} from "../keys.ts";
import type { EntityType } from "../model/entity_kinds.ts";
import { recordPruned } from "../history/timeline/log.ts";
import { manifestOf, timelineSegments } from "../history/timeline/manifest.ts";
import type { Gap } from "../history/version_notes.ts";
import type { Entry, Operation } from "../store/operation.ts";
import type { Store } from "../store/store.ts";
import { type HeldLock, LockLost, underLock } from "./replay.ts";

/** Log entries deleted in one commit. */
const DELETED_PER_COMMIT = 500;
/** Versions whose entries are written in one call. */
const ENTRIES_AT_ONCE = 300;

/** Empties the timeline of a type. The log goes first: what is compacted meanwhile goes with the segments. */
export async function emptyTimeline(
  context: Context,
  lock: HeldLock,
  type: EntityType,
): Promise<void> {
  const { store } = context;
  for (;;) {
    const log = await store.listAll({ prefix: logPrefix(type) }, { limit: DELETED_PER_COMMIT });
    if (log.length === 0) break;
    const operation = underLock(lock);
    for (const { key } of log) operation.delete(key);
    if (!(await store.commit(operation)).ok) throw new LockLost("The lock was lost");
  }
  for (;;) {
    const entry = await store.get(timelineManifestKey(type));
    const ids = manifestOf(entry).segments.map(({ id }) => id);
    const operation = underLock(lock).check(entry).set(entry.key, { segments: [] });
    timelineSegments(store, type).stageObsolete(operation, ids, 0);
    if ((await store.commit(operation)).ok) return;
    const held = await store.get(importLockKey);
    if (held.versionstamp !== lock.stamp) throw new LockLost("The lock was lost");
  }
}

/** Writes the entries of a portion of a type's versions, from the key `after` on; answers where to go on, null at the end. */
export async function rebuildLog(
  { store }: Context,
  lock: HeldLock,
  type: EntityType,
  after: Key | null,
): Promise<Key | null> {
  const prefix = versionTypePrefix(type);
  const range = after === null ? { prefix } : { prefix, start: [...after, 0] };
  const entries = await store.listAll<VersionRow>(range, {
    limit: ENTRIES_AT_ONCE,
    batchSize: 100,
  });
  const operation = underLock(lock);
  let before = after === null ? null : await store.get<VersionRow>(after);
  const gaps: GapBehind[] = [];
  for (const entry of entries) {
    const id = entry.key[2] as string;
    const { n, at, gone } = entry.value!;
    const previous = before?.key[2] === id ? before.value : null;
    const isNew = previous === null ? n === 1 : previous.gone === true;
    operation.set(logKey(type, at, id, n), gone ? "d" : isNew ? "c" : "u");
    if (previous === null && n > 1) recordPruned(operation, type, id, { end: n });
    else if (previous !== null && n > previous.n + 1) gaps.push({ id, previous, end: n });
    before = entry;
  }
  await recordGaps(store, operation, type, gaps);
  if (!(await store.commit(operation)).ok) throw new LockLost("The lock was lost");
  return entries.length < ENTRIES_AT_ONCE ? null : entries.at(-1)!.key;
}

/** A gap in a history, by the version before it and the number of the one behind it. */
interface GapBehind {
  id: string;
  previous: VersionRow;
  end: number;
}

/** Adds gaps to the timeline: of what is gone the first version stands for all. */
async function recordGaps(
  store: Store,
  operation: Operation,
  type: EntityType,
  gaps: readonly GapBehind[],
): Promise<void> {
  if (gaps.length === 0) return;
  const keys = gaps.map(({ id, previous }) => versionNoteKey(type, id, previous.n + 1));
  const notes = await store.getMany(keys) as Entry<Gap>[];
  for (const [position, { id, previous, end }] of gaps.entries()) {
    const first = previous.n + 1;
    const at = notes[position]!.value?.at ?? previous.at;
    operation.set(logKey(type, at, id, first), "u");
    recordPruned(operation, type, id, { first, end });
  }
}
