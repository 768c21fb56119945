/**
 * The keys of list indexes, by collection. The rest of the keyspace is in `kv/keys.ts`.
 *
 * @module
 */
import type { Key, SegmentId, SegmentKeys } from "../keys.ts";

/** Touched by every write of a document of the collection: its versionstamp is the index version. */
export const indexVersionKey = (collectionId: string): Key => ["index", collectionId, "version"];
/** The open epoch; raised when a compaction begins, checked by every writer. */
export const indexEpochKey = (collectionId: string): Key => ["index", collectionId, "epoch"];
/** The segments that make the base, and how far the delta is merged into them. */
export const indexManifestKey = (collectionId: string): Key => ["index", collectionId, "manifest"];
/** A piece of the delta row of a document in an epoch; piece 0 is the only one of most rows. */
export const indexDeltaKey = (
  collectionId: string,
  epoch: number,
  documentId: string,
  piece: number,
): Key => ["index", collectionId, "delta", epoch, documentId, piece];
/** Behind every piece of a delta row, before the next row. */
export const indexDeltaEnd = (
  collectionId: string,
  epoch: number,
  documentId: string,
): Key => ["index", collectionId, "delta", epoch, `${documentId}\0`];
/** All delta rows, by epoch and document. */
export const indexDeltaPrefix = (collectionId: string): Key => ["index", collectionId, "delta"];
/** The delta rows from an epoch on, then the epoch and the manifest: what one read shows as of one moment. */
export const indexSnapshotRange = (
  collectionId: string,
  epoch: number,
): { start: Key; end: Key } => ({
  start: [...indexDeltaPrefix(collectionId), epoch],
  end: ["index", collectionId, "manifest\0"],
});
/** Everything of one segment. */
const indexSegmentPrefix = (
  collectionId: string,
  segmentId: SegmentId,
): Key => ["index", collectionId, "segment", segmentId];
/** The segments of a collection's index. */
export const indexSegmentKeys = (collectionId: string): SegmentKeys => ({
  manifest: indexManifestKey(collectionId),
  version: indexVersionKey(collectionId),
  leases: ["index", collectionId, "lease"],
  segment: (id) => indexSegmentPrefix(collectionId, id),
});
/** Everything of a collection's index. */
export const indexPrefix = (collectionId: string): Key => ["index", collectionId];
/** The indexes of all collections. */
export const indexesPrefix: Key = ["index"];
