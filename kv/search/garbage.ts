/**
 * Segments that nobody needs any more: replaced ones, once no reader can be amid them, and those whose
 * making was broken off.
 *
 * @module
 */
import { searchGarbageKey, searchGarbagePrefix, searchSegmentPrefix } from "../keys.ts";
import { Operation } from "../store/operation.ts";
import type { Store } from "../store/store.ts";

/** How long a replaced segment stays, for queries that still read it. */
const GRACE_MS = 60_000;
/** Chunks that one commit deletes. */
const DELETES_MAX = 400;
/** Segments that one call deletes. */
const SEGMENTS_MAX = 200;

interface Garbage {
  /** Milliseconds; only when to begin, the claim decides who may. */
  dueAt: number;
}

/** Adds to a commit that a segment has been replaced. */
export function retireSegment(operation: Operation, segmentId: string, now: number): void {
  const garbage: Garbage = { dueAt: now + GRACE_MS };
  operation.set(searchGarbageKey(segmentId), garbage);
}

/** Deletes the segments that are due; returns how many. */
export async function collectGarbage(store: Store, now: number): Promise<number> {
  const found = await store.listAll<Garbage>({ prefix: searchGarbagePrefix }, {
    limit: SEGMENTS_MAX,
  });
  let collected = 0;
  for (const entry of found) {
    if (entry.value!.dueAt > now) continue;
    const segmentId = entry.key.at(-1) as string;
    // From here on nobody can put the segment into a manifest: its claim has changed.
    const taken = await store.commit(new Operation().check(entry).set(entry.key, { dueAt: 0 }));
    if (!taken.ok) continue;
    await deleteChunks(store, segmentId);
    await store.commit(
      new Operation().check({ key: entry.key, versionstamp: taken.versionstamp }).delete(entry.key),
    );
    collected += 1;
  }
  return collected;
}

async function deleteChunks(store: Store, segmentId: string): Promise<void> {
  for (;;) {
    const range = { prefix: searchSegmentPrefix(segmentId) };
    const entries = await store.listAll(range, { limit: DELETES_MAX, batchSize: 40 });
    if (entries.length === 0) return;
    const operation = new Operation();
    for (const { key } of entries) operation.delete(key);
    await store.commit(operation);
  }
}
