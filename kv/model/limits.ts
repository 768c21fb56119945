/**
 * Bounds of requests, with their units and reasons; those of stored data are in `kv/limits.ts`.
 *
 * @module
 */

/** Events that one webhook names, repeated ones counted: every element of a list is checked. */
export const EVENTS_NAMED_MAX = 100;
