/**
 * Bulk work on many things, several of them at a time: on a store at a distance each waits for the way there and
 * back, and what waits together shares reads and commits.
 *
 * @module
 */

/**
 * Works on all items, at most `atOnce` at a time, in their order. Once one fails no other is begun, and those
 * under way have ended when the failure is told.
 */
export async function forEachConcurrent<T>(
  items: Iterable<T>,
  atOnce: number,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const waiting = Iterator.from(items);
  let failure: { error: unknown } | null = null;
  const worker = async () => {
    while (failure === null) {
      const { done, value } = waiting.next();
      if (done) return;
      try {
        await work(value);
      } catch (error) {
        failure ??= { error };
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  if (failure !== null) throw (failure as { error: unknown }).error;
}

/**
 * Makes pieces of work ready one after the other while those before go on, at most `atOnce` of them: `prepare` hands
 * each to `begin`, which waits for room. All have ended when this has; once one has failed no other is begun.
 */
export async function pipelined<T>(
  atOnce: number,
  prepare: (begin: (work: () => Promise<unknown>) => Promise<void>) => Promise<T>,
): Promise<T> {
  const underWay = new Set<Promise<void>>();
  let failure: { error: unknown } | null = null;
  const throwFailure = () => {
    if (failure !== null) throw failure.error;
  };
  const begin = async (work: () => Promise<unknown>) => {
    while (underWay.size >= atOnce) await Promise.race(underWay);
    throwFailure();
    const one: Promise<void> = work().then(() => {}, (error) => void (failure ??= { error }))
      .finally(() => underWay.delete(one));
    underWay.add(one);
  };
  try {
    return await prepare(begin);
  } finally {
    await Promise.all(underWay);
    throwFailure();
  }
}

/** Like `Promise.all`, but all have ended when the failure of one is told. */
export async function allSettledOrThrow<T extends readonly unknown[]>(
  works: readonly [...{ [K in keyof T]: Promise<T[K]> }],
): Promise<T> {
  await Promise.allSettled(works);
  return await Promise.all(works) as unknown as T;
}
