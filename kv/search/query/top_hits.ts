/**
 * The best of many matches: a page of them, in order of score, then id.
 *
 * @module
 */
import { compareIds } from "../../index/segments/id_words.ts";
import { TOP_HITS_HEAP_MAX } from "../../tuning.ts";

/** Matches of one segment or one document of the delta. */
export interface Matches {
  /** Ids of the documents, by ordinal. */
  ids: Uint32Array;
  ordinals: Uint32Array;
  scores: Float32Array;
  count: number;
}

/** A match that made it onto the page. A class for the reason given with `SearchHit`. */
class RankedMatch {
  constructor(
    /** Which of the sources. */
    public source: number,
    /** Which of its matches. */
    public row: number,
  ) {}
}

/** The matches from `from` to `to` in order of rank. */
export function topHits(sources: readonly Matches[], from: number, to: number): RankedMatch[] {
  const total = sources.reduce((sum, { count }) => sum + count, 0);
  const end = Math.min(to, total);
  if (from >= end) return [];
  const order = orderOf(sources);
  if (end <= TOP_HITS_HEAP_MAX) return best(sources, end, order).slice(from);
  return window(sources, total, from, end, order);
}

type Order = (a: RankedMatch, b: RankedMatch) => number;

function scoreAt(sources: readonly Matches[], { source, row }: RankedMatch): number {
  return sources[source]!.scores[row]!;
}

function orderOf(sources: readonly Matches[]): Order {
  return (a, b) => {
    const difference = scoreAt(sources, b) - scoreAt(sources, a);
    if (difference !== 0) return difference;
    if (a.source === b.source) return a.row - b.row;
    const one = sources[a.source]!;
    const other = sources[b.source]!;
    return compareIds(one.ids, one.ordinals[a.row]!, other.ids, other.ordinals[b.row]!);
  };
}

/** The `count` best, through a heap that has the worst of them on top. */
function best(sources: readonly Matches[], count: number, order: Order): RankedMatch[] {
  const heap: RankedMatch[] = [];
  const candidate = new RankedMatch(0, 0);
  sources.forEach(({ scores, count: matches }, source) => {
    candidate.source = source;
    for (let row = 0; row < matches; row++) {
      if (heap.length < count) {
        heap.push(new RankedMatch(source, row));
        if (heap.length === count) heap.sort(order).reverse();
        continue;
      }
      const [worst] = heap;
      if (worst === undefined || scores[row]! < scoreAt(sources, worst)) continue;
      candidate.row = row;
      if (order(candidate, worst) >= 0) continue;
      worst.source = source;
      worst.row = row;
      sink(heap, order);
    }
  });
  return heap.sort(order);
}

/** Moves the match on top down, below all that are worse. */
function sink(heap: RankedMatch[], order: Order): void {
  const [match] = heap;
  if (match === undefined) return;
  let at = 0;
  for (let child = 1; child < heap.length; child = 2 * at + 1) {
    let worse = heap[child];
    const right = child + 1 < heap.length ? heap[child + 1] : undefined;
    if (worse !== undefined && right !== undefined && order(worse, right) < 0) {
      worse = right;
      child += 1;
    }
    if (worse === undefined || order(match, worse) >= 0) break;
    heap[at] = worse;
    at = child;
  }
  heap[at] = match;
}

/** Far down: only what scores between the page's ends has to be sorted by id as well. */
function window(
  sources: readonly Matches[],
  total: number,
  from: number,
  to: number,
  order: Order,
): RankedMatch[] {
  const scores = new Float32Array(total);
  let at = 0;
  for (const source of sources) {
    scores.set(source.scores.subarray(0, source.count), at);
    at += source.count;
  }
  scores.sort();
  const highest = scores[total - 1 - from]!;
  const lowest = scores[total - to]!;
  const ranked: RankedMatch[] = [];
  let above = 0;
  sources.forEach((matches, source) => {
    for (let row = 0; row < matches.count; row++) {
      const score = matches.scores[row]!;
      if (score > highest) above += 1;
      else if (score >= lowest) ranked.push(new RankedMatch(source, row));
    }
  });
  return ranked.sort(order).slice(from - above, to - above);
}
