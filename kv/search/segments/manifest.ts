/**
 * The manifest of the search index: which epoch postings are written under, and which segments make the
 * base, oldest first. Where several parts hold a document, the newest wins: a posting over every
 * segment, a segment over the ones before it, a removal over everything.
 *
 * @module
 */
import { ORIGINALS, type SearchKeys } from "../search_keys.ts";
import { SegmentSet } from "../../segments/segment_set.ts";
import type { Entry } from "../../store/operation.ts";
import type { Store } from "../../store/store.ts";
import { BUILD_MS_MAX } from "../../tuning.ts";

/** An immutable part of the base. */
export interface SegmentInfo {
  id: string;
  /** The epoch up to which it was made from postings. */
  epoch: number;
  /** Documents it holds. */
  documents: number;
  /** Documents it removes from the segments before it. */
  tombstones: number;
  /** Bytes of its chunks. */
  bytes: number;
  /** Bytes of its head, which tells the rest. */
  headBytes: number;
}

/** The segments and epochs that make up the index. */
export interface SearchManifest {
  /** Postings are written under this epoch. */
  epoch: number;
  /** Postings of earlier epochs than this are in segments, and not read any more. */
  firstEpoch: number;
  /** Oldest first. */
  segments: SegmentInfo[];
  /** A rebuild under way: it replaces everything from before `epoch`. */
  rebuild: { id: string; epoch: number } | null;
}

/** The manifest of an index that nothing was written to. */
export const EMPTY_MANIFEST: SearchManifest = {
  epoch: 0,
  firstEpoch: 0,
  segments: [],
  rebuild: null,
};

/** Reads the manifest. */
export async function readManifest(
  store: Store,
  { manifest }: SearchKeys = ORIGINALS,
): Promise<Entry<SearchManifest>> {
  return await store.get<SearchManifest>(manifest);
}

/** How long a replaced segment stays, for queries that still read it. */
const GRACE_MS = 60_000;

/** The segments of the search index; compactions and rebuilds write theirs side by side. */
export function searchSegments(store: Store, { segments }: SearchKeys = ORIGINALS): SegmentSet {
  return new SegmentSet(store, segments, { graceMs: GRACE_MS, buildMs: BUILD_MS_MAX });
}
