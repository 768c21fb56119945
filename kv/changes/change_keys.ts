/**
 * The keys of the change log: the rest of the keyspace is in `kv/keys.ts`.
 *
 * @module
 */
import type { Key } from "../keys.ts";
import { isSameKey } from "../store/operation.ts";

/** Touched by every change of a document: up to its versionstamp the log is complete. */
export const changeStampKey: Key = ["change", "stamp"];
/** Whether a key is that one. */
export const isChangeStamp = (key: Key): boolean => isSameKey(key, changeStampKey);
/** Changes of one commit, named after the first. Their place in the order, the versionstamp, is not written down yet. */
export const changeOpenKey = (id: string, n: number): Key => ["change", "open", id, n];
/** All of them. */
export const changeOpenPrefix: Key = ["change", "open"];
/** Changes of one commit, named after the first, in the order of commits. */
export const changeLogKey = (
  stamp: string,
  id: string,
  n: number,
): Key => ["change", "log", stamp, id, n];
/** All of them, the oldest first. */
export const changeLogPrefix: Key = ["change", "log"];
/** All of a commit. */
export const changeLogOf = (stamp: string): Key => [...changeLogPrefix, stamp];
/** Up to which versionstamp changes were forgotten. */
export const changeHorizonKey: Key = ["change", "horizon"];
/** The visibility of a token at a cursor. */
export const changeVisibilityKey = (
  tokenId: string,
  digest: string,
): Key => ["change", "sight", tokenId, digest];
