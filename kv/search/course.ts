/**
 * A clause on its way through the documents of a segment, which are asked for in rising order.
 *
 * @module
 */
import type { ClauseList } from "./clause_match.ts";
import { gallop, type PostingList } from "./posting_list.ts";
import type { ClauseWeight, Scorer } from "./scoring.ts";

/** One clause's lists, with the rows reached in them. */
export class Course {
  /** Documents that match, at most. */
  readonly documents: Uint32Array;
  readonly #all: Walk;
  /** Of a prefix: the whole word. */
  readonly #exact: Walk | null;
  readonly #weight: ClauseWeight;
  readonly #scorer: Scorer;

  constructor({ all, exact }: ClauseList, weight: ClauseWeight, scorer: Scorer) {
    this.documents = all.documents;
    this.#all = new Walk(all);
    this.#exact = exact === null ? null : new Walk(exact);
    this.#weight = weight;
    this.#scorer = scorer;
  }

  /** The occurrence byte of a document, 0 if it does not match. */
  occurrence(ordinal: number): number {
    return this.#all.occurrence(ordinal);
  }

  /** What a document that matches with this occurrence scores; `lengths` at `at` has its lengths. */
  score(occurrence: number, ordinal: number, lengths: Uint8Array, at: number): number {
    const exact = this.#exact === null ? 0 : this.#exact.occurrence(ordinal);
    return clauseScore(this.#scorer, this.#weight, occurrence, exact, lengths, at);
  }
}

/** What a clause adds to the score of a document, by the occurrences of its prefix and its whole word. */
export function clauseScore(
  scorer: Scorer,
  weight: ClauseWeight,
  all: number,
  exact: number,
  lengths: ArrayLike<number>,
  at: number,
): number {
  const score = weight.all * scorer.saturated(all, lengths, at);
  if (exact === 0) return score;
  return Math.max(score, weight.exact * scorer.saturated(exact, lengths, at));
}

/** A list and the row reached in it. */
class Walk {
  readonly #list: PostingList;
  #row = 0;

  constructor(list: PostingList) {
    this.#list = list;
  }

  occurrence(ordinal: number): number {
    const { documents, occurrences, dense } = this.#list;
    if (dense !== null) return dense[ordinal]!;
    this.#row = gallop(documents, this.#row, ordinal);
    return documents[this.#row] === ordinal ? occurrences[this.#row]! : 0;
  }
}
