/**
 * Long lists in order without a long sort: runs of some thousands are sorted, with others in between, and merged as
 * far as the caller reads.
 *
 * @module
 */
import { mergedRuns } from "../model/primitives/merge_heap.ts";
import { eventLoopTurn } from "../store/event_loop_turn.ts";

/** Elements that are sorted without a pause: some milliseconds. */
const RUN = 2_048;

/** The elements in order. */
export async function* sortedLazily<T extends object | string | number>(
  list: readonly T[],
  compare: (a: T, b: T) => number,
): AsyncIterable<T> {
  const runs: T[][] = [];
  for (let start = 0; start < list.length; start += RUN) {
    if (start > 0) await eventLoopTurn();
    runs.push(list.slice(start, start + RUN).sort(compare));
  }
  yield* mergedRuns(runs, compare);
}
