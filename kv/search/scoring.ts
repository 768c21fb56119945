/**
 * BM25F: how well a document answers a clause. A word counts for more in a title than in text fields, in
 * short parts than in long ones, and when few documents have it.
 *
 * @module
 */
import { LENGTHS, occurrencesIn, PARTS } from "./occurrence.ts";

/** Weight of an occurrence in the title, the text fields and rich text. */
const WEIGHTS = [10, 1, 1];
/** How much a part's length matters; titles are short and their differences say much. */
const LENGTH_EFFECT = [0.8, 0.75, 0.75];
/** How quickly further occurrences stop counting. */
const SATURATION = 1.2;
/** What a word that only begins with the one asked for counts for. */
const PREFIX_WEIGHT = 0.6;

const COUNTS = PARTS.map((_, part) =>
  Float32Array.from({ length: 256 }, (_, occurrence) => occurrencesIn(part, occurrence))
);

/** What a score is made from: facts of the whole index. */
export interface Corpus {
  documents: number;
  /** Words of all documents per part. */
  lengthSums: readonly number[];
}

/** Scores documents of one index as it is now. */
export class Scorer {
  readonly #documents: number;
  /** Per part and packed length the weight of one occurrence. */
  readonly #weights: Float32Array[];

  constructor({ documents, lengthSums }: Corpus) {
    this.#documents = documents;
    this.#weights = PARTS.map((_, part) => {
      const average = Math.max(0.1, lengthSums[part]! / Math.max(1, documents));
      const effect = LENGTH_EFFECT[part]!;
      return Float32Array.from(
        LENGTHS,
        (length) => WEIGHTS[part]! / (1 - effect + effect * length / average),
      );
    });
  }

  /** The weight of a clause that so many documents match. */
  rarity(documents: number): number {
    return Math.log(1 + (this.#documents - documents + 0.5) / (documents + 0.5));
  }

  /** How much an occurrence byte says; `lengths` at `at` has the document's packed lengths. */
  saturated(occurrence: number, lengths: ArrayLike<number>, at: number): number {
    const sum = COUNTS[0]![occurrence]! * this.#weights[0]![lengths[at]!]! +
      COUNTS[1]![occurrence]! * this.#weights[1]![lengths[at + 1]!]! +
      COUNTS[2]![occurrence]! * this.#weights[2]![lengths[at + 2]!]!;
    return sum * (SATURATION + 1) / (sum + SATURATION);
  }
}

/** How much a clause counts, by how many documents match it. */
export interface ClauseWeight {
  all: number;
  /** For whole words, where a prefix was asked for. */
  exact: number;
}

/** The weights of a clause that `all` documents match, `exact` of them with the whole word. */
export function clauseWeight(
  scorer: Scorer,
  isPrefix: boolean,
  all: number,
  exact: number,
): ClauseWeight {
  if (!isPrefix) return { all: scorer.rarity(all), exact: 0 };
  return { all: PREFIX_WEIGHT * scorer.rarity(all), exact: scorer.rarity(exact) };
}
