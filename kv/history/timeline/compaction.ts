/**
 * Compaction: log entries become a segment, segments of like size become one, what was replaced is deleted.
 * One bounded piece of work per call; killed anywhere it leaves a whole timeline.
 *
 * Entries are deleted after the commit that puts them into a segment. Until then, and when two compactions
 * meet, an event is there twice, which readers and merges take for one. An entry may come with a time
 * long past, from a process whose clock is slow: it is compacted with the next.
 *
 * @module
 */
import type { Context } from "../../context.ts";
import { logPrefix, timelineManifestKey, timelineSegmentPrefix } from "../../keys.ts";
import { ENTITY_TYPES, type EntityType } from "../../model/entity_kinds.ts";
import { type Entry, Operation } from "../../store/operation.ts";
import { mergeBlocks, once } from "./blocks.ts";
import { eventsOf } from "./events.ts";
import { eventOf, LOG_ENTRIES_AT_ONCE } from "./log.ts";
import {
  manifestOf,
  readBlocks,
  readManifest,
  SegmentWriter,
  type TimelineManifest,
  type TimelineSegment,
} from "./manifest.ts";

/** Log entries from which a compaction is worth its commits. */
export const COMPACTION_EVENTS_MIN = 512;
/** Segments are merged with a larger one that is at most this many times as large as all of them. */
const TIER_FACTOR = 4;
/** Events of a merged segment at the most: making one is some seconds of work in the background. */
const SEGMENT_EVENTS_MAX = 2_000_000;
/** Segments merged at a time. */
const MERGED_SEGMENTS_MAX = 8;
/** Pieces written or deleted in one commit: others do not wait long for it. */
const PIECES_PER_COMMIT = 4;
/** Keys deleted in one commit. */
const DELETED_PER_COMMIT = 500;

/** What a compaction needs to know. */
export interface CompactionOptions {
  /** The log is left alone while it has fewer entries. */
  eventsMin?: number;
}

/** Whether some log has become long. */
export async function needsTimelineCompaction({ store }: Context): Promise<boolean> {
  const options = { limit: COMPACTION_EVENTS_MIN, batchSize: COMPACTION_EVENTS_MIN };
  for (const type of ENTITY_TYPES) {
    const found = await store.listAll({ prefix: logPrefix(type) }, options);
    if (found.length === COMPACTION_EVENTS_MIN) return true;
  }
  return false;
}

/** Does one piece of work on the timeline of a type; `done` when none is left to do. */
export async function compactTimeline(
  context: Context,
  type: EntityType,
  { eventsMin = COMPACTION_EVENTS_MIN }: CompactionOptions = {},
): Promise<{ done: boolean }> {
  const { store } = context;
  const entry = await readManifest(store, type);
  const manifest = manifestOf(entry);
  if (manifest.garbage.length > 0) {
    await clean(context, type, entry);
    return { done: false };
  }
  const range = { prefix: logPrefix(type) };
  const log = await store.listAll<string>(range, { limit: LOG_ENTRIES_AT_ONCE });
  if (log.length >= eventsMin) {
    await compactLog(context, type, entry, log);
    return { done: false };
  }
  const alike = mergeable(manifest.segments);
  if (alike.length < 2) return { done: true };
  await merge(context, type, entry, alike);
  return { done: false };
}

async function compactLog(
  context: Context,
  type: EntityType,
  entry: Entry<TimelineManifest>,
  log: Entry<string>[],
): Promise<void> {
  const { store } = context;
  const manifest = manifestOf(entry);
  const key = timelineManifestKey(type);
  const operation = new Operation().check(entry);
  const writer = new SegmentWriter(type, context.newId(context.now()));
  for await (const block of mergeBlocks([once(eventsOf(log.map(eventOf)))])) {
    writer.add(operation, block);
  }
  operation.set(key, { ...manifest, segments: [...manifest.segments, writer.segment] });
  // Somebody else has compacted meanwhile: the next call sees what is left.
  const swapped = await store.commit(operation);
  if (!swapped.ok) return;
  const held = { key, versionstamp: swapped.versionstamp };
  for (let start = 0; start < log.length; start += DELETED_PER_COMMIT) {
    // Only while the manifest names the segment: an import tells the history anew, under equal keys.
    const gone = new Operation().check(held);
    for (const { key } of log.slice(start, start + DELETED_PER_COMMIT)) gone.delete(key);
    if (!(await store.commit(gone)).ok) return;
  }
}

/** The smallest segments of like size; their order means nothing. */
function mergeable(segments: TimelineSegment[]): TimelineSegment[] {
  const bySize = segments.toSorted((a, b) => a.events - b.events);
  for (let start = 0; start < bySize.length; start++) {
    const found: TimelineSegment[] = [];
    let events = 0;
    for (const segment of bySize.slice(start, start + MERGED_SEGMENTS_MAX)) {
      if (events + segment.events > SEGMENT_EVENTS_MAX) break;
      if (found.length > 0 && events * TIER_FACTOR < segment.events) break;
      found.push(segment);
      events += segment.events;
    }
    if (found.length > 1) return found;
  }
  return [];
}

/** Replaces several segments by one; what it writes is garbage until the swap. */
async function merge(
  { store, now, newId }: Context,
  type: EntityType,
  entry: Entry<TimelineManifest>,
  alike: TimelineSegment[],
): Promise<void> {
  const { segments } = manifestOf(entry);
  const writer = new SegmentWriter(type, newId(now()));
  const key = timelineManifestKey(type);
  const claim = new Operation().check(entry).set(key, { segments, garbage: [writer.segment.id] });
  const claimed = await store.commit(claim);
  if (!claimed.ok) return;
  const held = { key, versionstamp: claimed.versionstamp };
  let operation = new Operation().check(held);
  for await (const block of mergeBlocks(alike.map((one) => readBlocks(store, type, one)))) {
    writer.add(operation, block);
    if (operation.mutations < PIECES_PER_COMMIT) continue;
    if (!(await store.commit(operation)).ok) return;
    operation = new Operation().check(held);
  }
  const kept = segments.filter((other) => !alike.includes(other));
  const garbage = alike.map(({ id }) => id);
  operation.set(key, { segments: [...kept, writer.segment], garbage });
  await store.commit(operation);
}

/** Deletes what no reader is led to any more; whoever was still writing it notices by the manifest. */
async function clean(
  { store }: Context,
  type: EntityType,
  entry: Entry<TimelineManifest>,
): Promise<void> {
  const { segments, garbage } = manifestOf(entry);
  // Touched first: a merge that is still under way can write no more pieces after this.
  const key = timelineManifestKey(type);
  const claimed = await store.commit(new Operation().check(entry).set(key, { segments, garbage }));
  if (!claimed.ok) return;
  for (const id of garbage) {
    const range = { prefix: timelineSegmentPrefix(type, id) };
    for (
      let found;
      (found = await store.listAll(range, { limit: PIECES_PER_COMMIT })).length > 0;
    ) {
      const operation = new Operation();
      for (const { key } of found) operation.delete(key);
      await store.commit(operation);
    }
  }
  const held = { key, versionstamp: claimed.versionstamp };
  await store.commit(new Operation().check(held).set(key, { segments, garbage: [] }));
}
