/**
 * The manifest of a type's timeline: which segments hold the events that are no longer in its log.
 *
 * @module
 */
import { joinBytes } from "../../index/delta.ts";
import { timelineManifestKey, timelinePieceKey } from "../../keys.ts";
import { CHUNK_BYTES } from "../../limits.ts";
import type { EntityType } from "../../model/entity.ts";
import type { Entry, Operation } from "../../store/operation.ts";
import type { Store } from "../../store/store.ts";
import { type Events, readEvents } from "./events.ts";

/** One immutable segment. */
export interface TimelineSegment {
  id: string;
  events: number;
  pieces: number;
}

/** What was folded out of a log. */
export interface TimelineManifest {
  segments: TimelineSegment[];
  /** Segments that are replaced, or that were being written: to be deleted. */
  garbage: string[];
}

/** The manifest before the first fold. */
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

/** The events of a segment. */
export async function readSegment(
  store: Store,
  type: EntityType,
  { id, pieces: count }: TimelineSegment,
): Promise<Events> {
  const keys = Array.from({ length: count }, (_, piece) => timelinePieceKey(type, id, piece));
  const pieces: Uint8Array[] = [];
  for (const { value } of await store.getMany(keys)) {
    if (value === null) throw new TimelineSegmentGone(`Segment ${id} is no longer there`);
    pieces.push(value as Uint8Array);
  }
  // A value from the store need not begin at an aligned place, a copy does.
  return readEvents(pieces.length === 1 ? pieces[0]!.slice() : joinBytes(pieces));
}

/** Cuts the bytes of a segment into pieces. */
export function cutPieces(bytes: Uint8Array): Uint8Array[] {
  const count = Math.ceil(bytes.byteLength / CHUNK_BYTES);
  return Array.from(
    { length: count },
    (_, piece) => bytes.slice(piece * CHUNK_BYTES, (piece + 1) * CHUNK_BYTES),
  );
}

/** Adds pieces of a segment to a commit; the first of them has number `from`. */
export function setPieces(
  operation: Operation,
  type: EntityType,
  id: string,
  pieces: readonly Uint8Array[],
  from = 0,
): void {
  pieces.forEach((piece, place) => operation.set(timelinePieceKey(type, id, from + place), piece));
}
