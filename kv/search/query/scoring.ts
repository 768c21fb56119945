/**
 * BM25F: how well a document answers a clause. A word counts for more in a title than in text fields, in
 * short parts than in long ones, and when few documents have it.
 *
 * @module
 */
import {
  LENGTHS,
  levelIn,
  LEVELS,
  occurrencesIn,
  onlyLevel,
  PARTS,
} from "../segments/occurrence.ts";

/** Weight of an occurrence in the title, the text fields and rich text. */
const WEIGHTS = [10, 1, 1];
/** How much a part's length matters; titles are short and their differences say much. */
const LENGTH_EFFECT = [0.8, 0.95, 0.95];
/** How quickly further occurrences stop counting. */
const SATURATION = 0.9;
/** Weight of a match on another form of the word, or on a longer word with this prefix. */
const INEXACT_WEIGHT = 0.6;

/** Values of an occurrence byte, and of a packed length. */
const BYTES = 256;

/** Statistics of the whole index that scores depend on. */
export interface Corpus {
  documents: number;
  /** Words of all documents per part. */
  lengthSums: readonly number[];
}

/** Documents of a segment that match every clause. */
export interface ScoredMatches {
  ordinals: Uint32Array;
  /** The score of each match so far. */
  scores: Float32Array;
  count: number;
  /** Of all documents of the segment the packed length of each part. */
  lengths: Uint8Array;
}

/** Scores documents of one index as it is now. */
export class Scorer {
  readonly #documents: number;
  /** Per part what its level of an occurrence byte weighs, by packed length. */
  readonly #parts: readonly [Float32Array, Float32Array, Float32Array];

  constructor({ documents, lengthSums }: Corpus) {
    this.#documents = documents;
    const tableOf = (part: number) => {
      const average = Math.max(0.1, lengthSums[part]! / Math.max(1, documents));
      const effect = LENGTH_EFFECT[part]!;
      return Float32Array.from({ length: LEVELS * BYTES }, (_, at) => {
        const counted = occurrencesIn(part, onlyLevel(part, Math.floor(at / BYTES)));
        return counted * WEIGHTS[part]! / (1 - effect + effect * LENGTHS[at % BYTES]! / average);
      });
    };
    this.#parts = [tableOf(0), tableOf(1), tableOf(2)];
  }

  /** The weight of a clause that so many documents match. */
  rarity(documents: number): number {
    return Math.log(1 + (this.#documents - documents + 0.5) / (documents + 0.5));
  }

  /** How much an occurrence byte says; `lengths` at `at` has the document's packed lengths. */
  saturated(occurrence: number, lengths: ArrayLike<number>, at: number): number {
    const [title, texts, rich] = this.#parts;
    const sum = title[levelIn(0, occurrence) * BYTES + lengths[at]!]! +
      texts[levelIn(1, occurrence) * BYTES + lengths[at + 1]!]! +
      rich[levelIn(2, occurrence) * BYTES + lengths[at + 2]!]!;
    return sum * (SATURATION + 1) / (sum + SATURATION);
  }

  /** The score that a clause adds to a document, by the occurrences of its prefix and of its whole word. */
  clauseScore(
    weight: ClauseWeight,
    all: number,
    exact: number,
    lengths: ArrayLike<number>,
    at: number,
  ): number {
    const score = weight.all * this.saturated(all, lengths, at);
    if (exact === 0) return score;
    return Math.max(score, weight.exact * this.saturated(exact, lengths, at));
  }

  /** Adds to every match what a clause says of it; `exact` is null where no prefix was asked for. */
  add(
    { ordinals, scores, count, lengths }: ScoredMatches,
    weight: ClauseWeight,
    all: Uint8Array,
    exact: Uint8Array | null,
  ): void {
    for (let n = 0; n < count; n++) {
      const whole = exact === null ? 0 : exact[n]!;
      const at = ordinals[n]! * PARTS.length;
      scores[n]! += this.clauseScore(weight, all[n]!, whole, lengths, at);
    }
  }
}

/** How much a clause counts, by how many documents match it. */
export interface ClauseWeight {
  all: number;
  /** For the word as it was asked for, where others will do. */
  exact: number;
}

/** The weights of a clause that `all` documents match, `exact` of them with the whole word. */
export function clauseWeight(
  scorer: Scorer,
  isInexact: boolean,
  all: number,
  exact: number,
): ClauseWeight {
  if (!isInexact) return { all: scorer.rarity(all), exact: 0 };
  return { all: INEXACT_WEIGHT * scorer.rarity(all), exact: scorer.rarity(exact) };
}
