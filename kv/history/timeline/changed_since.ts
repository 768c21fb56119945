/**
 * Which entities of a type have changed since a time, according to the timeline: what is older than that time is not
 * read, so that the cost follows from what has happened since, not from how much there is.
 *
 * @module
 */
import { decodeTime } from "@std/ulid";
import { logKey, timelineManifestKey } from "../../keys.ts";
import type { EntityType } from "../../model/entities/entity_kinds.ts";
import { unavailable } from "../../refusals.ts";
import { SegmentGone } from "../../segments/segment_set.ts";
import type { Store } from "../../store/store.ts";
import { READ_ATTEMPTS_MAX } from "../../tuning.ts";
import { readId } from "../../index/segments/id_words.ts";
import { entityCount, type Events, kindIn, PRUNED } from "../../versioning/timeline/events.ts";
import { eventsOfRow, type LogRow } from "../../versioning/timeline/log.ts";
import { manifestOf, readBlocks, timelineSegments } from "../../versioning/timeline/manifest.ts";

/** A query of the timeline of a type. */
export interface ChangedQuery {
  /** Epoch seconds. */
  since: number;
  /** By how much the clocks of two processes may differ, seconds. */
  skew: number;
  /** The most entities that are returned. */
  max: number;
}

/** The ids of the entities with a version at `since` or later, sorted; null when they are more than `max`. */
export async function changedSince(
  store: Store,
  type: EntityType,
  query: ChangedQuery,
): Promise<string[] | null> {
  let cause: unknown;
  for (let attempt = 0; attempt < READ_ATTEMPTS_MAX; attempt++) {
    try {
      return await readChanged(store, type, query);
    } catch (error) {
      if (!(error instanceof SegmentGone)) throw error;
      cause = error;
    }
  }
  throw unavailable(cause);
}

async function readChanged(
  store: Store,
  type: EntityType,
  { since, skew, max }: ChangedQuery,
): Promise<string[] | null> {
  const ids = new Set<string>();
  // Read the log first: events that a compaction moves out of it are in the manifest, which is read later.
  const range = { start: logKey(type, since, "", 0), end: logKey(type, Infinity, "", 0) };
  for await (const row of store.list<LogRow>(range)) {
    for (const { id, kind } of eventsOfRow(row)) if (kind !== PRUNED) ids.add(id);
    if (ids.size > max) return null;
  }
  const set = timelineSegments(store, type);
  for (const segment of manifestOf(await store.get(timelineManifestKey(type))).segments) {
    // A segment holds what was written before it was made.
    if (decodeTime(segment.id) / 1000 < since - skew) continue;
    for await (const block of readBlocks(set, segment)) {
      addChanged(ids, block, since);
      if (ids.size > max) return null;
    }
  }
  return [...ids].sort();
}

/** The last event of an entity is its newest. */
function addChanged(ids: Set<string>, events: Events, since: number): void {
  for (let entity = 0; entity < entityCount(events); entity++) {
    const last = events.starts[entity + 1]! - 1;
    if (events.at[last]! < since || kindIn(events.what[last]!) === PRUNED) continue;
    ids.add(readId(events.ids, entity));
  }
}
