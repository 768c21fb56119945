/**
 * Round trips of a store, counted for the tests that let them only go down.
 *
 * @module
 */

/** How many round trips were made, for the tests that count them. */
export interface StoreCounts {
  /** Calls of getMany that left the process. */
  reads: number;
  lists: number;
  commits: number;
}
