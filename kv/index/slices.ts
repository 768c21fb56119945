/**
 * Long computations that others need not wait for: each is a generator, which yields where it may pause.
 * The same code runs at once where it is short.
 *
 * @module
 */

/** A computation in slices. */
export type Sliced<T> = Generator<void, T>;

/** Milliseconds after which a computation pauses. */
export const SLICE_MS = 4;
/** Elements that are worked on between two yields: well under a millisecond. */
const AT_ONCE = 32_768;

/** Runs a computation without a pause. */
export function runAtOnce<T>(work: Sliced<T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value as T;
  }
}

/** Runs a computation with a pause every few milliseconds. */
export async function runInSlices<T>(work: Sliced<T>, pause: () => Promise<void>): Promise<T> {
  let since = performance.now();
  for (;;) {
    const { done, value } = work.next();
    if (done) return value as T;
    if (performance.now() - since < SLICE_MS) continue;
    await pause();
    since = performance.now();
  }
}

/** Calls `part` for consecutive ranges up to `count`. */
export function* inSlices(
  count: number,
  part: (from: number, to: number) => void,
): Sliced<void> {
  for (let from = 0; from < count; from += AT_ONCE) {
    part(from, Math.min(from + AT_ONCE, count));
    yield;
  }
}
