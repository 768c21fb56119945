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
import { type Key, timelineManifestKey } from "../../keys.ts";
import { ENTITY_TYPES, type EntityType } from "../../model/entities/entity_kinds.ts";
import { deleteKeys } from "../../segments/delete_range.ts";
import { tieredTail } from "../../segments/merge_policy.ts";
import { LeaseLost } from "../../segments/segment_lease.ts";
import { SegmentGone, type SegmentSet } from "../../segments/segment_set.ts";
import type { Entry } from "../../store/operation.ts";
import { COMPACTION_EVENTS_MIN, SEGMENT_EVENTS_MAX, TIMELINE_MERGE_MAX } from "../../tuning.ts";
import { mergeBlocks, once } from "../../versioning/timeline/blocks.ts";
import { eventsOf, type LogEvent } from "../../versioning/timeline/events.ts";
import { isLogAsLongAs, LOG_EVENTS_AT_ONCE, readFirstLog } from "../../versioning/timeline/log.ts";
import {
  addBlock,
  manifestOf,
  readBlocks,
  type TimelineSegment,
  timelineSegments,
} from "../../versioning/timeline/manifest.ts";

/** Segments are merged with a larger one that is at most this many times as large as all of them. */
const TIER_FACTOR = 4;
/** Keys deleted in one commit. */
const DELETED_PER_COMMIT = 500;

/** The dependencies of a compaction. */
export interface CompactionOptions {
  /** The log is left alone while it has fewer entries. */
  eventsMin?: number;
}

/** Whether some log has become long. */
export async function needsTimelineCompaction({ store }: Context): Promise<boolean> {
  for (const type of ENTITY_TYPES) {
    if (await isLogAsLongAs(store, type, COMPACTION_EVENTS_MIN)) return true;
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
  const set = timelineSegments(store, type);
  if (await set.collect(context.now()) > 0) return { done: false };
  const entry = await store.get(timelineManifestKey(type));
  const log = await readFirstLog(store, type, LOG_EVENTS_AT_ONCE);
  if (log.events.length >= eventsMin) {
    await compactLog(context, set, entry, log);
    return { done: false };
  }
  const alike = mergeable(manifestOf(entry).segments);
  if (alike.length < 2) return { done: true };
  try {
    await merge(context, set, entry, alike);
  } catch (error) {
    // Another process continues the work.
    if (!(error instanceof LeaseLost || error instanceof SegmentGone)) throw error;
  }
  return { done: false };
}

function newSegment({ now, newId }: Context): TimelineSegment {
  return { id: newId(now()), entities: 0, events: 0, pieces: 0 };
}

/** Makes a segment of log entries, which fit into the commit that names it: so it needs no lease. */
async function compactLog(
  context: Context,
  set: SegmentSet,
  entry: Entry,
  { keys, events }: { keys: Key[]; events: LogEvent[] },
): Promise<void> {
  const segment = newSegment(context);
  const blocks = await Array.fromAsync(mergeBlocks([once(eventsOf(events))]));
  const pieces = blocks.map((block) => addBlock(segment, block));
  const { segments } = manifestOf(entry);
  const swapped = await set.swap(entry, { segments: [...segments, segment] }, {
    now: context.now(),
    more: (operation) => {
      for (const { piece, bytes } of pieces) operation.set(set.pieceKey(segment.id, piece), bytes);
    },
  });
  // Another process has compacted: the next call sees what is left.
  if (swapped === null) return;
  // Only while the manifest names the segment: an import rebuilds the history, under equal keys.
  await deleteKeys(set.store, keys, DELETED_PER_COMMIT, swapped);
}

/** The smallest segments of like size; their order means nothing. */
function mergeable(segments: TimelineSegment[]): TimelineSegment[] {
  const bySize = segments.toSorted((a, b) => b.events - a.events);
  for (let end = bySize.length; end > 1; end--) {
    const some = bySize.slice(0, end);
    const length = tieredTail(some.map(({ events }) => events), {
      factor: TIER_FACTOR,
      segmentsMax: TIMELINE_MERGE_MAX,
      sizeMax: SEGMENT_EVENTS_MAX,
    });
    if (length > 1) return some.slice(end - length);
  }
  return [];
}

/** Replaces several segments by one. */
async function merge(
  context: Context,
  set: SegmentSet,
  entry: Entry,
  alike: TimelineSegment[],
): Promise<void> {
  const segment = newSegment(context);
  const now = context.now();
  const lease = (await set.begin(segment.id, now))!;
  for await (const block of mergeBlocks(alike.map((one) => readBlocks(set, one)))) {
    const { piece, bytes } = addBlock(segment, block);
    if (lease.isFull) await lease.makeRoom();
    lease.add(piece, bytes);
  }
  const kept = manifestOf(entry).segments.filter((other) => !alike.includes(other));
  const obsolete = alike.map(({ id }) => id);
  await set.swap(entry, { segments: [...kept, segment] }, { lease, obsolete, now });
}
