/**
 * Which of several sorted sources comes next: a binary heap of the sources, and sorted runs merged by it.
 *
 * @module
 */

/** Sources by what they stand at; `comesBefore` also decides between equal ones. */
export class MergeHeap<Source extends object> {
  readonly #heap: Source[];
  readonly #comesBefore: (source: Source, other: Source) => boolean;

  /** Begins with the sources that have something. */
  constructor(
    sources: Iterable<Source>,
    comesBefore: (source: Source, other: Source) => boolean,
  ) {
    this.#comesBefore = comesBefore;
    this.#heap = [...sources];
    for (let at = (this.#heap.length >>> 1) - 1; at >= 0; at--) this.#sink(at);
  }

  /** The source that comes next; undefined if all have ended. */
  get first(): Source | undefined {
    return this.#heap[0];
  }

  /** Call after the first source has moved on. */
  advanced(): void {
    this.#sink(0);
  }

  /** Call after the first source has ended. */
  ended(): void {
    const last = this.#heap.pop();
    if (last === undefined || this.#heap.length === 0) return;
    this.#heap[0] = last;
    this.#sink(0);
  }

  #sink(from: number): void {
    const heap = this.#heap;
    const source = heap[from];
    if (source === undefined) return;
    let at = from;
    for (let child = 2 * at + 1; child < heap.length; child = 2 * at + 1) {
      let next = heap[child];
      const right = child + 1 < heap.length ? heap[child + 1] : undefined;
      if (next !== undefined && right !== undefined && this.#comesBefore(right, next)) {
        next = right;
        child += 1;
      }
      if (next === undefined || !this.#comesBefore(next, source)) break;
      heap[at] = next;
      at = child;
    }
    heap[at] = source;
  }
}

/** A place in a sorted run. */
interface RunCursor<T> {
  run: readonly T[];
  /** The run's position among the runs. */
  order: number;
  at: number;
  head: T;
}

/** The elements of sorted runs, in order; of equal ones that of the last run comes first. */
export function* mergedRuns<T extends object | string | number>(
  runs: readonly (readonly T[])[],
  compare: (a: T, b: T) => number,
): Generator<T, void> {
  const cursors = runs.flatMap((run, order): RunCursor<T>[] => {
    const [head] = run;
    return head === undefined ? [] : [{ run, order, at: 0, head }];
  });
  const heap = new MergeHeap(cursors, (a, b) => {
    const order = compare(a.head, b.head);
    return order < 0 || (order === 0 && a.order > b.order);
  });
  for (let cursor = heap.first; cursor !== undefined; cursor = heap.first) {
    yield cursor.head;
    cursor.at += 1;
    const next = cursor.at < cursor.run.length ? cursor.run[cursor.at] : undefined;
    if (next === undefined) heap.ended();
    else {
      cursor.head = next;
      heap.advanced();
    }
  }
}
