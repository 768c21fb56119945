/**
 * The id in samples and dry runs of a transfer that stands for a document or asset which the run would create.
 *
 * @module
 */

/** The id. */
export const FUTURE_ID = "01ZZZZZZZZZZZZZZZZZZZZZZZZ";
