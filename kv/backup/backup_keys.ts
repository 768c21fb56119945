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
