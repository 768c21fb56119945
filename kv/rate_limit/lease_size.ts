/**
 * How many slots a process takes at once, and for how long.
 *
 * @module
 */
import { LEASE_QUOTA_MIN, LEASED_REST_MIN, LEASED_SLOTS_MIN } from "../tuning.ts";

/** How long a lease lasts that is taken because requests follow quickly, milliseconds. */
export const LEASE_MS = 1_000;
/** How long a lease lasts that is taken under contention: many rounds of a remote store. */
export const CONTENDED_LEASE_MS = 10_000;

/** A lease takes at most this part of the quota. */
const QUOTA_SHARE = 16;
/** Leases without contention take at most what is left of this part of the quota, or else a small part of the rest. */
const USED_SHARE = 2;
/** A lease without contention in the rest takes at most this part of what is left: others are hardly refused early. */
const REST_SHARE = 64;
/** A lease under contention takes at most this part of what is left. */
const ROOM_SHARE = 8;

/** Slots of a lease when requests follow quickly; 0 when none is worth it. */
export function quickSlots(quota: number, used: number): number {
  if (quota < LEASE_QUOTA_MIN) return 0;
  const room = Math.floor(quota / USED_SHARE) - used;
  const rest = Math.floor((quota - used) / REST_SHARE);
  const slots = Math.max(room, rest < LEASED_REST_MIN ? 0 : rest);
  return Math.min(slots, Math.floor(quota / QUOTA_SHARE));
}

/** Slots of a lease when other processes contend; 0 when none is worth it. */
export function contendedSlots(quota: number, used: number): number {
  const room = Math.floor((quota - used) / ROOM_SHARE);
  const slots = Math.min(room, Math.floor(quota / QUOTA_SHARE));
  return slots >= LEASED_SLOTS_MIN ? slots : 0;
}
