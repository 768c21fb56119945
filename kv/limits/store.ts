/**
 * The bounds of the store and of what one commit holds, each with its unit and reason.
 *
 * @module
 */

/** Largest value of one key, bytes (Deno KV). */
export const KV_VALUE_BYTES_MAX = 65_536;
/** Largest key, bytes (Deno KV). */
export const KV_KEY_BYTES_MAX = 2_048;
/** Checks in one commit: a denokv server takes ten (Deno 100), of which the fence of a remote store is one. */
export const KV_CHECKS_MAX = 9;
/** Mutations in one commit (Deno KV). */
export const KV_MUTATIONS_MAX = 1_000;
/** Total size of one commit, bytes (Deno KV). */
export const KV_COMMIT_BYTES_MAX = 819_200;
/** Keys of one getMany (Deno KV). */
export const KV_GET_MANY_MAX = 10;
/** Entries one range read may return (Deno KV). */
export const KV_LIST_MAX = 1_000;
/** Bytes of one piece of a chunked value: leaves room for the value's envelope. */
export const CHUNK_BYTES = 60_000;
/** A state up to this many bytes is kept inside its row; larger ones are chunked. */
export const INLINE_BYTES_MAX = 48_000;
/** Serialised states, and a document's `data` or `blocks`, above this go to the object store. */
export const SPILL_BYTES = 204_800;
/** How long a contended write is retried before it is refused, milliseconds; but it is tried a few times anyway. */
export const WRITE_DEADLINE_MS = 3_000;
/** The same for a create, which finds another slug each time and so gets through in the end. */
export const CREATE_DEADLINE_MS = 180_000;
/** Ids of one document that get a row: old and new ones must fit in one commit with all the rest. */
export const REFERENCE_ROWS_MAX = 300;
/** Longest key, bytes (S3). */
export const OBJECT_KEY_BYTES_MAX = 1_024;
/** Longest part between two slashes, bytes: leaves room for escapes in a file name of 255. */
export const OBJECT_KEY_PART_BYTES_MAX = 255;
/** Versions that may be set to be kept of each entity. */
export const KEPT_VERSIONS_MAX = 100_000;
/** Exports that may be set to be kept. */
export const KEPT_EXPORTS_MAX = 365;
/** Characters of a payload as JSON; larger things belong into the object store. */
export const JOB_PAYLOAD_CHARS_MAX = 16_000;
/** Bytes of a packed backup. */
export const IMPORT_BYTES_MAX = 10_000_000_000;
/** Entities of each type that a view of the site at an instant shows. */
export const SAMPLE_MAX = 5;

if (CHUNK_BYTES >= KV_VALUE_BYTES_MAX || INLINE_BYTES_MAX >= CHUNK_BYTES) {
  throw new RangeError("CHUNK_BYTES and INLINE_BYTES_MAX must fit in one value");
}

if (3 * SPILL_BYTES + INLINE_BYTES_MAX > KV_COMMIT_BYTES_MAX) {
  throw new RangeError("A commit must hold a state just below the spill threshold");
}
