/**
 * The keys of the search index. Everything that changes is in one range, so that a reader gets it in one snapshot. The rest of the keyspace is in `kv/keys.ts`.
 *
 * @module
 */
import type { Key, SegmentId, SegmentKeys } from "../keys.ts";

/** Everything a reader of the search index must know afresh when the search version changes. */
export const searchNowPrefix: Key = ["search", "now"];
/** The open epoch and the segments that make the base; checked by every writer of postings. */
export const searchManifestKey: Key = ["search", "now", "manifest"];
/** Touched by every change of the index: its versionstamp is the search version. */
export const searchVersionKey: Key = ["search", "now", "version"];
/** One piece of a document's posting in an epoch. */
export const searchPostingKey = (
  epoch: number,
  documentId: string,
  piece: number,
): Key => ["search", "now", "posting", epoch, documentId, piece];
/** All postings that no segment holds yet, oldest epoch first. */
export const searchPostingPrefix: Key = ["search", "now", "posting"];
/** Stands while the last thing that happened to a document was its removal from search. */
export const searchRemovalKey = (
  documentId: string,
): Key => ["search", "now", "removal", documentId];
/** All removals that no segment holds yet. */
export const searchRemovalPrefix: Key = ["search", "now", "removal"];
/** All chunks of a segment. */
export const searchSegmentPrefix = (id: SegmentId): Key => ["search", "segment", id];
/** Segments of the search index that are being written, or are to be deleted. */
export const searchLeasePrefix: Key = ["search", "garbage"];
/** The segments of the search index. */
export const searchSegmentKeys: SegmentKeys = {
  manifest: searchManifestKey,
  version: searchVersionKey,
  leases: searchLeasePrefix,
  segment: searchSegmentPrefix,
};
/** How far a rebuild of the search index has come. */
export const searchRebuildKey = (rebuildId: string): Key => ["search", "rebuild", rebuildId];
