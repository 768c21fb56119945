/**
 * The manifest of a type's timeline: which segments hold the events that are no longer in its log.
 *
 * @module
 */
import { timelineSegmentKeys } from "../../keys.ts";
import type { EntityType } from "../../model/entities/entity_kinds.ts";
import { SegmentSet } from "../../segments/segment_set.ts";
import type { Entry } from "../../store/operation.ts";
import type { Store } from "../../store/store.ts";
import { blockBytes, readBlock } from "./blocks.ts";
import { entityCount, type Events, EventsBuilder } from "./events.ts";

/** Blocks of one read. */
const BLOCKS_READ_AT_ONCE = 10;

/** One immutable segment. */
export interface TimelineSegment {
  id: string;
  /** An upper bound of the number of entities: one that continues in another block counts twice. */
  entities: number;
  /** Events of all blocks. */
  events: number;
  /** Blocks: each is one value of the store. */
  pieces: number;
}

/** The result of compacting a part of the log. */
export interface TimelineManifest {
  segments: TimelineSegment[];
}

/** The manifest before the first compaction. */
const EMPTY: TimelineManifest = { segments: [] };

/** The manifest in an entry of the store. */
export function manifestOf(entry: Entry): TimelineManifest {
  return (entry.value as TimelineManifest | null) ?? EMPTY;
}

/** The segments of a type's timeline. */
export function timelineSegments(store: Store, type: EntityType): SegmentSet {
  return new SegmentSet(store, timelineSegmentKeys(type));
}

/** The blocks of a segment, read a few at a time so that other readers do not wait long. */
export async function* readBlocks(
  set: SegmentSet,
  { id, pieces: count }: TimelineSegment,
): AsyncGenerator<Events> {
  for (let from = 0; from < count; from += BLOCKS_READ_AT_ONCE) {
    const some = Math.min(BLOCKS_READ_AT_ONCE, count - from);
    const pieces = Array.from({ length: some }, (_, index) => [from + index]);
    for (const bytes of await set.read(id, pieces)) yield readBlock(bytes);
  }
}

/** All events of a segment. */
export async function readSegment(set: SegmentSet, segment: TimelineSegment): Promise<Events> {
  const builder = new EventsBuilder(segment.entities, segment.events);
  for await (const block of readBlocks(set, segment)) builder.append(block);
  return builder.finish();
}

/** Counts a block as the next of a segment; answers its piece. */
export function addBlock(
  segment: TimelineSegment,
  block: Events,
): { piece: number[]; bytes: Uint8Array } {
  const piece = [segment.pieces];
  segment.entities += entityCount(block);
  segment.events += block.at.length;
  segment.pieces += 1;
  return { piece, bytes: blockBytes(block) };
}
