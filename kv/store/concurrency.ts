/**
 * Concurrent bulk work. On a remote store every call waits for a round trip, and calls that are in flight
 * together share reads and commits.
 *
 * @module
 */

/**
 * Works on all items, at most `atOnce` at a time, in order. After a failure no further item starts, and the
 * running ones have ended when the error is thrown.
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

/** Starts pieces of work, and waits for those that have started. */
export interface Pipeline {
  /** Starts work as soon as there is room for it. */
  begin(work: () => Promise<unknown>): Promise<void>;
  /** Resolves when everything that has started has ended. */
  drain(): Promise<void>;
}

/**
 * Prepares pieces of work one after another while earlier ones run, at most `atOnce` of them. All have ended when
 * this resolves or throws; after a failure none starts.
 */
export async function pipelined<T>(
  atOnce: number,
  prepare: (pipeline: Pipeline) => Promise<T>,
): Promise<T> {
  const underWay = new Set<Promise<void>>();
  const waiting: (() => void)[] = [];
  let failure: { error: unknown } | null = null;
  const throwFailure = () => {
    if (failure !== null) throw failure.error;
  };
  const begin = async (work: () => Promise<unknown>) => {
    while (underWay.size >= atOnce) await new Promise<void>((resume) => waiting.push(resume));
    throwFailure();
    const one: Promise<void> = work().then(() => {}, (error) => void (failure ??= { error }))
      .finally(() => {
        underWay.delete(one);
        waiting.shift()?.();
      });
    underWay.add(one);
  };
  const drain = async () => {
    await Promise.all(underWay);
    throwFailure();
  };
  try {
    return await prepare({ begin, drain });
  } finally {
    await Promise.all(underWay);
    throwFailure();
  }
}

/** Like `Promise.all`, but all promises have settled when an error is thrown. */
export async function allSettledOrThrow<T extends readonly unknown[] | []>(
  works: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(works);
  return await Promise.all(works);
}
