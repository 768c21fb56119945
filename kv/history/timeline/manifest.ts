/**
 * The manifest of a type's timeline: which segments hold the events that are no longer in its log.
 *
 * @module
 */
import { timelineManifestKey, timelinePieceKey } from "../../keys.ts";
import type { EntityType } from "../../model/entity_kinds.ts";
import type { Entry, Operation } from "../../store/operation.ts";
import type { Store } from "../../store/store.ts";
import { blockBytes, readBlock } from "./blocks.ts";
import { entityCount, type Events, EventsBuilder } from "./events.ts";

/** Blocks of one read. */
const BLOCKS_READ_AT_ONCE = 10;

/** One immutable segment. */
export interface TimelineSegment {
  id: string;
  /** Not more than so many entities: one that goes on in another block counts twice. */
  entities: number;
  /** Events of all blocks. */
  events: number;
  /** Blocks: each is one value of the store. */
  pieces: number;
}

/** What was compacted out of a log. */
export interface TimelineManifest {
  segments: TimelineSegment[];
  /** Segments that are replaced, or that were being written: to be deleted. */
  garbage: string[];
}

/** The manifest before the first compaction. */
const EMPTY: TimelineManifest = { segments: [], garbage: [] };

/** A segment that is no longer in the store: the manifest that named it has been replaced. */
export class TimelineSegmentGone extends Error {
  override name = "TimelineSegmentGone";
}

/** What an entry of the store says. */
export function manifestOf(entry: Entry): TimelineManifest {
  return (entry.value as TimelineManifest | null) ?? EMPTY;
}

/** The manifest of a type, with its versionstamp. */
export async function readManifest(
  store: Store,
  type: EntityType,
): Promise<Entry<TimelineManifest>> {
  return await store.get<TimelineManifest>(timelineManifestKey(type));
}

/** The blocks of a segment, a few read at a time: who else reads meanwhile does not wait long. */
export async function* readBlocks(
  store: Store,
  type: EntityType,
  { id, pieces: count }: TimelineSegment,
): AsyncGenerator<Events> {
  for (let from = 0; from < count; from += BLOCKS_READ_AT_ONCE) {
    const some = Math.min(BLOCKS_READ_AT_ONCE, count - from);
    const keys = Array.from(
      { length: some },
      (_, index) => timelinePieceKey(type, id, from + index),
    );
    for (const { value } of await store.getMany(keys)) {
      if (value === null) throw new TimelineSegmentGone(`Segment ${id} is no longer there`);
      yield readBlock(value as Uint8Array);
    }
  }
}

/** All events of a segment. */
export async function readSegment(
  store: Store,
  type: EntityType,
  segment: TimelineSegment,
): Promise<Events> {
  const builder = new EventsBuilder(segment.entities, segment.events);
  for await (const block of readBlocks(store, type, segment)) builder.append(block);
  return builder.finish();
}

/** A segment under construction: takes block after block. */
export class SegmentWriter {
  readonly #type: EntityType;
  readonly segment: TimelineSegment;

  constructor(type: EntityType, id: string) {
    this.#type = type;
    this.segment = { id, entities: 0, events: 0, pieces: 0 };
  }

  /** Adds the next block to a commit. */
  add(operation: Operation, block: Events): void {
    const { segment } = this;
    operation.set(timelinePieceKey(this.#type, segment.id, segment.pieces), blockBytes(block));
    segment.entities += entityCount(block);
    segment.events += block.at.length;
    segment.pieces += 1;
  }
}
