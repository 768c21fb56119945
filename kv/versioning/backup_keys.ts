/**
 * Keys of back-ups that are being written.
 *
 * @module
 */
import type { Key } from "../keys.ts";

/** Touched by every back-up: its versionstamp is the instant that the back-up shows. */
export const exportInstantKey: Key = ["export_instant"];
/** Back-ups that hold on to versions while they are written. */
export const versionHoldsKey: Key = ["version_holds"];
/** Part `n` of the rows of a back-up that is being written. */
export const backupPartKey = (id: string, n: number): Key => [...backupPartPrefix(id), n];
/** All parts of one back-up, in order. */
export const backupPartPrefix = (id: string): Key => ["backup_part", id];
