/**
 * Waiting for what may never end.
 *
 * @module
 */

/** What `work` gives, or what `late` gives, or throws, when it has not ended after so many milliseconds. */
export async function inTime<T, L>(
  work: PromiseLike<T>,
  ms: number,
  late: () => L,
): Promise<T | L> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<void>((done) => timer = setTimeout(done, ms)).then(late);
  try {
    return await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
  }
}
