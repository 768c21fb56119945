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
export async function sideBySide<T>(
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
