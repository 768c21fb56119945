/**
 * Segments: the lifecycle that the list index, the full-text index and the timeline share. Each of them is a
 * log-structured merge tree over the store, and defines its own bytes, merges and queries.
 *
 * - **Delta.** A write adds a small entry in its own commit: it is visible with that commit, in every process.
 * - **Epoch.** Entries that may replace one another are stored under an epoch, which writers check. A
 *   compaction, or a reader, closes it by raising it: no process writes to a closed epoch.
 * - **Segment.** A compaction writes an immutable segment of closed entries, in pieces under a random id.
 * - **Lease.** While a segment is being written, it has a lease entry, which every commit of its writer checks.
 *   A process that changes that entry fences the writer off.
 * - **Manifest.** It names the segments in use. One commit swaps it, and checks the manifest that the work
 *   started with and the lease of the new segment; so of two compactions one wins, and a crash between any two
 *   commits leaves the index's contents unchanged.
 * - **Tiered merge policy.** Segments of similar size are merged, so that there are few, and each entry is
 *   rewritten only a few times.
 * - **Obsolete segments.** A segment that a swap removes, or that was never finished, keeps or gets an entry
 *   among the leases, with the time from which it may be deleted: after a grace period for queries that still
 *   read it. A slower reader gets {@linkcode SegmentGone} and starts again.
 * - **Reader.** Queries read one point in time: a manifest, its segments and the delta over them.
 *
 * @module
 */
import type { Key, SegmentId, SegmentKeys } from "../keys.ts";
import { type Check, type Entry, Operation } from "../store/operation.ts";
import { forEachConcurrent } from "../store/concurrency.ts";
import type { Store } from "../store/store.ts";
import { DELETED_PIECES_MAX, OBSOLETE_SEGMENTS_MAX } from "../tuning.ts";
import { deleteRange } from "./delete_range.ts";
import { SegmentLease } from "./segment_lease.ts";

/** A segment that is no longer in the store: the manifest that named it has been replaced. */
export class SegmentGone extends Error {
  override name = "SegmentGone";
}

/** The row of a segment that no manifest names. */
export interface Obsolete {
  /** Milliseconds; when it may be deleted. */
  dueAt: number;
}

/** How long segments are left alone, milliseconds; without periods the next compaction takes over. */
export interface SegmentPeriods {
  /** One that was replaced, for queries that still read it. */
  graceMs: number;
  /** One that is being written, before it counts as abandoned. */
  buildMs: number;
}

/** Additions to the commit that replaces the manifest. */
export interface Swap {
  /** The lease of the segment that is new in it. */
  lease?: SegmentLease;
  /** Segments that are no longer in it. */
  obsolete?: readonly SegmentId[];
  /** Milliseconds since 1970. */
  now: number;
  /** More of the same commit. */
  more?: (operation: Operation) => void;
}

/** The segments of one index. */
export class SegmentSet {
  constructor(
    readonly store: Store,
    readonly keys: SegmentKeys,
    readonly periods: SegmentPeriods = { graceMs: 0, buildMs: 0 },
  ) {}

  /** Begins a segment; null when a check of `more` fails. */
  async begin(
    id: SegmentId,
    now: number,
    more?: (operation: Operation) => void,
  ): Promise<SegmentLease | null> {
    return await SegmentLease.take(this, id, now + this.periods.buildMs, more);
  }

  /** Replaces the manifest; null when it has changed since `before`, or the lease was lost. */
  async swap<M>(before: Check, manifest: M, swap: Swap): Promise<Entry<M> | null> {
    const { manifest: key, version } = this.keys;
    const operation = new Operation().check(before);
    await swap.lease?.stage(operation);
    operation.set(key, manifest);
    this.stageObsolete(operation, swap.obsolete ?? [], swap.now);
    swap.more?.(operation);
    if (version !== null) operation.touch(version);
    const result = await this.store.commit(operation);
    return result.ok ? { key, value: manifest, versionstamp: result.versionstamp } : null;
  }

  /** Adds to a commit that segments are no longer needed. */
  stageObsolete(operation: Operation, ids: readonly SegmentId[], now: number): void {
    const obsolete: Obsolete = { dueAt: now + this.periods.graceMs };
    for (const id of ids) operation.set([...this.keys.leases, id], obsolete);
  }

  /** Whether there is something to delete, now or later. */
  async hasObsolete(): Promise<boolean> {
    return (await this.store.listAll({ prefix: this.keys.leases }, { limit: 1 })).length > 0;
  }

  /** Deletes the segments that are due; returns how many. */
  async collect(now: number): Promise<number> {
    const { store, keys } = this;
    const range = { prefix: keys.leases };
    const obsolete = await store.listAll<Obsolete>(range, { limit: OBSOLETE_SEGMENTS_MAX });
    const due = obsolete.filter(({ value }) => value.dueAt <= now);
    let collected = 0;
    await forEachConcurrent(due, store.concurrency(1), async (entry) => {
      // From here on no process can put the segment into a manifest: its lease has changed.
      const taken = await store.commit(new Operation().check(entry).set(entry.key, { dueAt: 0 }));
      if (!taken.ok) return;
      const { versionstamp } = taken;
      await deleteRange(store, { prefix: keys.segment(entry.key.at(-1)!) }, DELETED_PIECES_MAX);
      await store.commit(
        new Operation().check({ key: entry.key, versionstamp }).delete(entry.key),
      );
      collected += 1;
    });
    return collected;
  }

  /** Reads pieces of a segment. */
  async read(id: SegmentId, pieces: readonly Key[]): Promise<Uint8Array[]> {
    const keys = pieces.map((piece) => this.pieceKey(id, piece));
    return (await this.store.getMany(keys)).map(({ value }) => {
      if (value === null) throw new SegmentGone(`Segment ${id} is no longer there`);
      return value as Uint8Array;
    });
  }

  /** The key of a piece of a segment. */
  pieceKey(id: SegmentId, piece: Key): Key {
    return [...this.keys.segment(id), ...piece];
  }
}
