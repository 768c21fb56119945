/**
 * Postings as they are stored: in pieces, under the epoch in which they were written.
 *
 * @module
 */
import { searchPostingPrefix } from "../search_keys.ts";
import { joinBytes } from "../../objects/object_bytes.ts";
import type { Entry, StoredEntry } from "../../store/operation.ts";

/** The value of one posting key. Most postings have one piece; only the first piece's `pieces` is reliable. */
export interface PostingPiece {
  pieces: number;
  bytes: Uint8Array;
  /** In the first piece: of which definitions the texts are; left out by earlier versions. */
  paths?: string[];
  /** In the first piece: the language of the texts, if known. */
  language?: string;
}

/** A posting of the delta, as it is stored. */
export interface StoredPosting {
  documentId: string;
  versionstamp: string;
  bytes: Uint8Array;
  paths: string[];
  /** Empty if unknown. */
  language: string;
}

/** Whether pieces of one posting are from different commits. */
export function hasTornPosting(entries: readonly Entry[]): boolean {
  return entries.some(({ key, versionstamp }, at) => {
    const first = entries[at - Number(key[5])];
    return key[2] === searchPostingPrefix[2] && Number(key[5]) > 0 &&
      Number(key[5]) < ((first?.value as PostingPiece | undefined)?.pieces ?? 0) &&
      first?.versionstamp !== versionstamp;
  });
}

/** The newest posting of each document. Pieces come in order of epoch, document and piece; a later epoch replaces an earlier one. */
export function joinPieces(
  entries: readonly StoredEntry<PostingPiece>[],
): Map<string, StoredPosting> {
  const postings = new Map<string, StoredPosting>();
  for (const [at, { key, value, versionstamp }] of entries.entries()) {
    // Pieces that a longer posting of the same epoch left behind come after the last piece.
    if (key[5] !== 0) continue;
    const { pieces, bytes, paths = [], language = "" } = value;
    const documentId = key[4] as string;
    const rest = entries.slice(at + 1, at + pieces).map((entry) => entry.value.bytes);
    const whole = rest.length === 0 ? bytes : joinBytes([bytes, ...rest]);
    postings.set(documentId, { documentId, versionstamp, bytes: whole, paths, language });
  }
  return postings;
}
