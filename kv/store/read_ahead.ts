/**
 * Reading ahead: while some entries of a range are worked on, the next ones are on their way.
 *
 * @module
 */

/**
 * Entries `size` at a time, which is what the range is read in: before some are given, the next ones are asked for.
 * None are after `likely` of them, which are all that is wanted, most likely.
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
        // An error is met by who takes more.
        coming.catch(() => {});
      }
      if (some.length > 0) yield some;
      if (next.done) return;
    }
  } finally {
    // Nothing goes on behind the back of who has had enough.
    await coming?.catch(() => {});
    await iterator.return?.();
  }
}
