/**
 * Counts of a store's round trips, for tests that only let them go down.
 *
 * @module
 */

/** How many round trips a store has made. */
export interface StoreCounts {
  /** Calls of getMany that left the process. */
  reads: number;
  lists: number;
  commits: number;
}
