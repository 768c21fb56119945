/**
 * Reading ahead: while entries of a range are processed, the next ones are being read.
 *
 * @module
 */

/**
 * Yields entries in batches of `size`. The next batch is requested before one is yielded, up to `likely`
 * entries, which is how many the caller most likely wants.
 */
export async function* readAhead<T>(
  entries: AsyncIterable<T>,
  size: number,
  likely = Infinity,
): AsyncGenerator<T[], void> {
  const iterator = entries[Symbol.asyncIterator]();
  let coming: Promise<IteratorResult<T>> | null = null;
  let given = 0;
  try {
    for (;;) {
      const some: T[] = [];
      let next = await (coming ?? iterator.next());
      coming = null;
      while (!next.done) {
        some.push(next.value);
        if (some.length === size) break;
        next = await iterator.next();
      }
      given += some.length;
      if (!next.done && given < likely) {
        coming = iterator.next();
        // The error is thrown when the caller takes the next batch.
        coming.catch(() => {});
      }
      if (some.length > 0) yield some;
      if (next.done) return;
    }
  } finally {
    // Nothing continues after the caller has stopped.
    await coming?.catch(() => {});
    await iterator.return?.();
  }
}
