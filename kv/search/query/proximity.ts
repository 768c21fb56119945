/**
 * How much it says that the words of a query stand close together in a document, in the order asked for,
 * or are its title: what BM25F does not see. Pairs of neighbouring clauses are looked at, as in the
 * sequential dependence model of Metzler and Croft.
 *
 * @module
 */
import { ORDERED_GAP_MAX } from "../../tuning.ts";

/** Bonus of two adjacent words at their closest occurrence, as a share of the rarer word's weight. */
const NEAR_WEIGHT = 1;
/** Bonus for words in the order of the query, no further apart than {@linkcode ORDERED_GAP_MAX}. */
const ORDER_WEIGHT = 1;
/** Bonus for a title that consists of some of the query's words, as a share of their weight. */
const TITLE_WEIGHT = 1.5;
/** The same for a title with all of the query's words. */
const WHOLE_TITLE_WEIGHT = 3;

/** A clause in one document. */
export interface PlacedClause {
  /** How much the clause counts. */
  weight: number;
  /** Positions that it takes. */
  span: number;
  /** Positions at which the clause begins, ascending; empty if unknown. */
  starts: readonly number[];
  /** How much the title has of it: 1 if it has it as it was asked for, 0 if it does not. */
  inTitle: number;
}

/** The proximity bonus of a document; its title takes the positions before `titleWords`. */
export function proximity(clauses: readonly PlacedClause[], titleWords: number): number {
  let gain = 0;
  let before: PlacedClause | null = null;
  for (const clause of clauses) {
    if (before !== null) gain += pairGain(before, clause);
    before = clause;
  }
  return gain + titleGain(clauses, titleWords);
}

function pairGain(first: PlacedClause, second: PlacedClause): number {
  const before = closest(first, second);
  const after = closest(second, first);
  const gap = Math.min(before, after);
  if (gap === Infinity) return 0;
  const order = before <= after && before <= ORDERED_GAP_MAX ? ORDER_WEIGHT / before : 0;
  return Math.min(first.weight, second.weight) * (NEAR_WEIGHT / Math.sqrt(gap) + order);
}

/** The least distance from the end of one clause to a later start of another; 1 when they touch. */
function closest(one: PlacedClause, other: PlacedClause): number {
  let least = Infinity;
  let at = 0;
  for (const start of other.starts) {
    while (at + 1 < one.starts.length && one.starts[at + 1]! <= start) at += 1;
    const from = one.starts[at];
    if (from === undefined || from > start) continue;
    least = Math.min(least, Math.max(1, start - from - one.span + 1));
  }
  return least;
}

/** A title counts by the share of its words that the query has. */
function titleGain(clauses: readonly PlacedClause[], titleWords: number): number {
  let weights = 0;
  let words = 0;
  for (const { weight, span, inTitle } of clauses) {
    weights += weight * inTitle;
    words += span * inTitle;
  }
  const isWhole = clauses.every(({ inTitle }) => inTitle > 0);
  const share = Math.min(1, words / Math.max(1, titleWords));
  return (isWhole ? WHOLE_TITLE_WEIGHT : TITLE_WEIGHT) * weights * share;
}
