/**
 * Which of several sorted sources is next: a binary heap of their numbers, and what sorted runs are together.
 *
 * @module
 */

/** Sources by what they stand at; of equal ones whichever `comesBefore` says. */
export class MergeHeap {
  readonly #heap: number[] = [];
  readonly #comesBefore: (source: number, other: number) => boolean;

  /** Begins with the sources that have something. */
  constructor(
    sources: Iterable<number>,
    comesBefore: (source: number, other: number) => boolean,
  ) {
    this.#comesBefore = comesBefore;
    for (const source of sources) this.#heap.push(source);
    for (let at = (this.#heap.length >>> 1) - 1; at >= 0; at--) this.#sink(at);
  }

  /** The source that is next; -1 when all have ended. */
  get first(): number {
    return this.#heap[0] ?? -1;
  }

  /** Says that the first source stands at something later now. */
  advanced(): void {
    this.#sink(0);
  }

  /** Says that the first source has nothing more. */
  ended(): void {
    const last = this.#heap.pop();
    if (last === undefined || this.#heap.length === 0) return;
    this.#heap[0] = last;
    this.#sink(0);
  }

  #sink(from: number): void {
    const heap = this.#heap;
    const source = heap[from]!;
    let at = from;
    for (let child = 2 * at + 1; child < heap.length; child = 2 * at + 1) {
      const right = child + 1;
      if (right < heap.length && this.#comesBefore(heap[right]!, heap[child]!)) child = right;
      if (!this.#comesBefore(heap[child]!, source)) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = source;
  }
}

/** The elements of sorted runs, none of them empty, in order; of equal ones that of the last run comes first. */
export function* mergedRuns<T>(
  runs: readonly (readonly T[])[],
  compare: (a: T, b: T) => number,
): Generator<T, void> {
  const at = runs.map(() => 0);
  const heap = new MergeHeap(runs.keys(), (a, b) => {
    const order = compare(runs[a]![at[a]!]!, runs[b]![at[b]!]!);
    return order < 0 || (order === 0 && a > b);
  });
  while (heap.first >= 0) {
    const { first } = heap;
    yield runs[first]![at[first]!++]!;
    if (at[first] === runs[first]!.length) heap.ended();
    else heap.advanced();
  }
}
