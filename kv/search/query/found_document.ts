/**
 * A match, as the query passes it on.
 *
 * @module
 */

/** A document that was found. A class for the reason given with `SearchHit`. */
export class FoundDocument {
  constructor(
    /** The index of its layer; behind the last one for the delta. */
    readonly source: number,
    readonly ordinal: number,
    readonly score: number,
  ) {}
}
