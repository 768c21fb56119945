/**
 * Waiting for several values only when one of them has to be waited for: what is in the cache costs no turn
 * of the event loop.
 *
 * @module
 */

/** All of some values; a promise only when one of them is. */
export function allOf<T>(values: readonly (T | Promise<T>)[]): T[] | Promise<T[]> {
  return values.some((value) => value instanceof Promise) ? Promise.all(values) : values as T[];
}
