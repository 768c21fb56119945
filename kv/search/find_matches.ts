/**
 * Finds and scores every document that matches all clauses.
 *
 * @module
 */
import type { Bits } from "../index/bits.ts";
import { type ClauseList, matchDelta, matchSegment } from "./clause_match.ts";
import type { DeltaDocument } from "./delta_document.ts";
import { PARTS } from "./occurrence.ts";
import type { Layer, Picture } from "./picture.ts";
import { gallop, type PostingList } from "./posting_list.ts";
import { type ClauseWeight, clauseWeight, type Scorer } from "./scoring.ts";
import type { Clause } from "./search_query.ts";
import type { Matches } from "./top_hits.ts";

/** What was found: one source per segment, oldest first, then the delta. */
export interface Found {
  total: number;
  sources: Matches[];
}

/** Matches among the documents of some collections. */
export async function findMatches(
  picture: Picture,
  clauses: readonly Clause[],
  collectionIds: ReadonlySet<string>,
): Promise<Found> {
  const lists = await Promise.all(picture.layers.map(({ segment }) => listsOf(segment, clauses)));
  const delta = picture.delta.map((document) =>
    clauses.map((clause) => matchDelta(document, clause))
  );
  const { scorer } = picture;
  const weights = clauses.map(({ terms }, place) => {
    const isPrefix = terms.length === 1 && terms[0]!.isPrefix;
    let all = 0;
    let exact = 0;
    for (const segmentLists of lists) {
      all += segmentLists[place]!.all.documents.length;
      exact += segmentLists[place]!.exact?.documents.length ?? 0;
    }
    for (const matched of delta) {
      all += Math.sign(matched[place]![0]);
      exact += Math.sign(matched[place]![1]);
    }
    return clauseWeight(scorer, isPrefix, all, exact);
  });
  const sources = picture.layers.map((layer, place) =>
    matchLayer(layer, lists[place]!, collectionIds, weights, scorer)
  );
  sources.push(scoreDelta(picture, delta, collectionIds, weights, scorer));
  return { total: sources.reduce((sum, { count }) => sum + count, 0), sources };
}

function listsOf(
  segment: Layer["segment"],
  clauses: readonly Clause[],
): ClauseList[] | Promise<ClauseList[]> {
  const lists = clauses.map((clause) => matchSegment(segment, clause));
  return lists.some((list) => list instanceof Promise) ? Promise.all(lists) : lists as ClauseList[];
}

/** A clause's lists with the rows reached in them. */
interface Course {
  all: PostingList;
  row: number;
  exact: PostingList | null;
  exactRow: number;
  weight: ClauseWeight;
}

function matchLayer(
  { segment, masked }: Layer,
  lists: readonly ClauseList[],
  collectionIds: ReadonlySet<string>,
  weights: readonly ClauseWeight[],
  scorer: Scorer,
): Matches {
  const { table } = segment;
  const courses = lists.map(({ all, exact }, place): Course => ({
    all,
    row: 0,
    exact,
    exactRow: 0,
    weight: weights[place]!,
  })).sort((a, b) => a.all.documents.length - b.all.documents.length);
  const candidates = courses[0]!.all.documents;
  const isWanted = wantedDocuments(table.collections, table.collectionIds, collectionIds, masked);
  const ordinals = new Uint32Array(candidates.length);
  const scores = new Float32Array(candidates.length);
  let count = 0;
  for (const ordinal of candidates) {
    if (!isWanted(ordinal) || !haveAll(courses, ordinal)) continue;
    ordinals[count] = ordinal;
    scores[count++] = score(courses, ordinal, scorer, table.lengths);
  }
  return { ids: table.ids, ordinals, scores, count };
}

function wantedDocuments(
  collections: Uint16Array,
  ownIds: readonly string[],
  wantedIds: ReadonlySet<string>,
  masked: Bits,
): (ordinal: number) => boolean {
  const wanted = ownIds.map((id) => wantedIds.has(id));
  if (wanted.every(Boolean)) return (ordinal) => !masked.has(ordinal);
  return (ordinal) => wanted[collections[ordinal]!]! && !masked.has(ordinal);
}

function haveAll(courses: readonly Course[], ordinal: number): boolean {
  for (const course of courses) {
    const { documents } = course.all;
    course.row = gallop(documents, course.row, ordinal);
    if (documents[course.row] !== ordinal) return false;
  }
  return true;
}

function score(
  courses: readonly Course[],
  ordinal: number,
  scorer: Scorer,
  lengths: Uint8Array,
): number {
  const at = ordinal * PARTS.length;
  let sum = 0;
  for (const course of courses) {
    const { all, row, exact, weight } = course;
    const whole = exact === null ? 0 : exactOccurrence(course, exact, ordinal);
    sum += clauseScore(scorer, weight, all.occurrences[row]!, whole, lengths, at);
  }
  return sum;
}

function exactOccurrence(course: Course, exact: PostingList, ordinal: number): number {
  course.exactRow = gallop(exact.documents, course.exactRow, ordinal);
  return exact.documents[course.exactRow] === ordinal ? exact.occurrences[course.exactRow]! : 0;
}

function clauseScore(
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

function scoreDelta(
  { delta, deltaIds }: { delta: readonly DeltaDocument[]; deltaIds: Uint32Array },
  matched: readonly [all: number, exact: number][][],
  collectionIds: ReadonlySet<string>,
  weights: readonly ClauseWeight[],
  scorer: Scorer,
): Matches {
  const ordinals: number[] = [];
  const scores: number[] = [];
  delta.forEach(({ collectionId, lengths }, ordinal) => {
    const occurrences = matched[ordinal]!;
    if (!collectionIds.has(collectionId) || occurrences.some(([all]) => all === 0)) return;
    ordinals.push(ordinal);
    scores.push(occurrences.reduce((sum, [all, exact], place) => {
      const whole = weights[place]!.exact === 0 ? 0 : exact;
      return sum + clauseScore(scorer, weights[place]!, all, whole, lengths, 0);
    }, 0));
  });
  return {
    ids: deltaIds,
    ordinals: Uint32Array.from(ordinals),
    scores: Float32Array.from(scores),
    count: ordinals.length,
  };
}
