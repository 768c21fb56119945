/**
 * The keys of the search index. Everything that changes is in one range, so that a reader gets it in one snapshot. The rest of the keyspace is in `kv/keys.ts`.
 *
 * @module
 */
import type { Key, SegmentId, SegmentKeys } from "../keys.ts";

/** The keys of one search index. */
export interface SearchKeys {
  /** Everything a reader of the index must know afresh when the search version changes. */
  now: Key;
  /** The open epoch and the segments that make the base; checked by every writer of postings. */
  manifest: Key;
  /** Touched by every change of the index: its versionstamp is the search version. */
  version: Key;
  /** What the index of languages was built for: `kv/search/languages/language_stamp.ts`. */
  builtFor: Key;
  /** One piece of a document's posting in an epoch. */
  posting: (epoch: number, documentId: string, piece: number) => Key;
  /** All postings that no segment holds yet, oldest epoch first. */
  postings: Key;
  /** Stands while the last thing that happened to a document was its removal from search. */
  removal: (documentId: string) => Key;
  /** All removals that no segment holds yet. */
  removals: Key;
  /** How far a rebuild of the index has come. */
  rebuild: (rebuildId: string) => Key;
  /** The segments of the index. */
  segments: SegmentKeys;
}

function searchKeys(root: string): SearchKeys {
  const now = [root, "now"];
  const postings = [...now, "posting"];
  const removals = [...now, "removal"];
  const manifest = [...now, "manifest"];
  const version = [...now, "version"];
  return {
    now,
    manifest,
    version,
    builtFor: [...now, "built_for"],
    posting: (epoch, documentId, piece) => [...postings, epoch, documentId, piece],
    postings,
    removal: (documentId) => [...removals, documentId],
    removals,
    rebuild: (rebuildId) => [root, "rebuild", rebuildId],
    segments: {
      manifest,
      version,
      // Segments that are being written, or are to be deleted.
      leases: [root, "garbage"],
      segment: (id: SegmentId) => [root, "segment", id],
    },
  };
}

/** The index of published documents, in their originals. */
export const ORIGINALS: SearchKeys = searchKeys("search");
/** The index of published documents as languages show them. */
export const LANGUAGES: SearchKeys = searchKeys("search_languages");

export const searchManifestKey = ORIGINALS.manifest;
export const searchVersionKey = ORIGINALS.version;
export const searchPostingPrefix = ORIGINALS.postings;
export const searchRemovalPrefix = ORIGINALS.removals;
export const searchSegmentPrefix = ORIGINALS.segments.segment;
export const searchLeasePrefix = ORIGINALS.segments.leases;
