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
import type { CommitResult, Range } from "../store/driver.ts";
import type { Entry, Operation } from "../store/operation.ts";
import type { Store } from "../store/store.ts";
import { type HeldLock, LockLost, underLock } from "./replay.ts";

/** Log entries deleted in one commit. */
const DELETED_PER_COMMIT = 500;
/** Versions whose entries are written in one call. */
const ENTRIES_AT_ONCE = 300;
/** Portions of so many in one call on a distant store. */
const DISTANT_PORTIONS = 8;
/** Of them read in one go on an embedded store. */
const ENTRIES_PER_READ = 100;

/** Empties the timeline of a type. The log goes first: what is compacted meanwhile goes with the segments. */
export async function emptyTimeline(
  context: Context,
  lock: HeldLock,
  type: EntityType,
): Promise<void> {
  const { store } = context;
  const commits = new CommitsUnderWay(store);
  const prefix = logPrefix(type);
  let log: Entry[];
  let after: Key | null = null;
  do {
    const range: Range = after === null ? { prefix } : { prefix, start: [...after, 0] };
    log = await store.listAll(range, { limit: DELETED_PER_COMMIT });
    const operation = underLock(lock);
    for (const { key } of log) operation.delete(key);
    if (log.length > 0) await commits.add(operation);
    after = log.at(-1)?.key ?? null;
  } while (log.length === DELETED_PER_COMMIT);
  await commits.ended();
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

/** Writes the entries of some of a type's versions, from the key `after` on; answers where to go on, null at the end. */
export async function rebuildLog(
  { store }: Context,
  lock: HeldLock,
  type: EntityType,
  after: Key | null,
): Promise<Key | null> {
  const commits = new CommitsUnderWay(store);
  let next = after;
  for (let portion = 0; portion < (store.isDistant ? DISTANT_PORTIONS : 1); portion++) {
    next = await rebuildPortion(store, commits, lock, { type, after: next });
    if (next === null) break;
  }
  await commits.ended();
  return next;
}

async function rebuildPortion(
  store: Store,
  commits: CommitsUnderWay,
  lock: HeldLock,
  { type, after }: { type: EntityType; after: Key | null },
): Promise<Key | null> {
  const prefix = versionTypePrefix(type);
  const range = after === null ? { prefix } : { prefix, start: [...after, 0] };
  const batchSize = store.isDistant ? ENTRIES_AT_ONCE : ENTRIES_PER_READ;
  const [entries, last] = await Promise.all([
    store.listAll<VersionRow>(range, { limit: ENTRIES_AT_ONCE, batchSize }),
    after === null ? null : store.get<VersionRow>(after),
  ]);
  const operation = underLock(lock);
  let before = last;
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
  await commits.add(operation);
  return entries.length < ENTRIES_AT_ONCE ? null : entries.at(-1)!.key;
}

/** Commits under the lock: on a distant store the next is made ready meanwhile. */
class CommitsUnderWay {
  readonly #store: Store;
  readonly #underWay: Promise<CommitResult>[] = [];

  constructor(store: Store) {
    this.#store = store;
  }

  async add(operation: Operation): Promise<void> {
    const commit = this.#store.commit(operation);
    // Whoever awaits the end hears of its failure.
    commit.catch(() => {});
    this.#underWay.push(commit);
    if (!this.#store.isDistant) await this.ended();
  }

  /** Waits for all; none has failed. */
  async ended(): Promise<void> {
    for (const { ok } of await Promise.all(this.#underWay.splice(0))) {
      if (!ok) throw new LockLost("The lock was lost");
    }
  }
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
