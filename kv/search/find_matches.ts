/**
 * Finds and scores every document that matches all clauses.
 *
 * @module
 */
import type { Bits } from "../index/bits.ts";
import { type ClauseList, matchDelta, matchSegment } from "./clause_match.ts";
import { clauseScore, Course } from "./course.ts";
import type { DeltaDocument } from "./delta_document.ts";
import { PARTS } from "./occurrence.ts";
import type { Layer, Picture } from "./picture.ts";
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

function matchLayer(
  { segment, masked }: Layer,
  lists: readonly ClauseList[],
  collectionIds: ReadonlySet<string>,
  weights: readonly ClauseWeight[],
  scorer: Scorer,
): Matches {
  const { table } = segment;
  const { lengths } = table;
  const courses = lists.map((list, place) => new Course(list, weights[place]!, scorer))
    .sort((a, b) => a.documents.length - b.documents.length);
  const candidates = courses[0]!.documents;
  const isWanted = wantedDocuments(table.collections, table.collectionIds, collectionIds, masked);
  const ordinals = new Uint32Array(candidates.length);
  const scores = new Float32Array(candidates.length);
  const occurrences = new Uint8Array(courses.length);
  let count = 0;
  for (const ordinal of candidates) {
    if (!isWanted(ordinal) || !haveAll(courses, ordinal, occurrences)) continue;
    const at = ordinal * PARTS.length;
    let score = 0;
    for (let place = 0; place < courses.length; place++) {
      score += courses[place]!.score(occurrences[place]!, ordinal, lengths, at);
    }
    ordinals[count] = ordinal;
    scores[count++] = score;
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

/** Whether a document is on every course; fills in how often each clause occurs in it. */
function haveAll(courses: readonly Course[], ordinal: number, occurrences: Uint8Array): boolean {
  for (let place = 0; place < courses.length; place++) {
    const occurrence = courses[place]!.occurrence(ordinal);
    if (occurrence === 0) return false;
    occurrences[place] = occurrence;
  }
  return true;
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
