/**
 * Keys of backups that are being written.
 *
 * @module
 */
import type { Key } from "../keys.ts";

/** Touched by every backup: its versionstamp is the instant that the backup shows. */
export const exportInstantKey: Key = ["export_instant"];
/** Backups that hold on to versions while they are written. */
export const versionHoldsKey: Key = ["version_holds"];
/** Part `n` of the rows of a backup that is being written. */
export const backupPartKey = (id: string, n: number): Key => [...backupPartPrefix(id), n];
/** All parts of one backup, in order. */
export const backupPartPrefix = (id: string): Key => ["backup_part", id];
