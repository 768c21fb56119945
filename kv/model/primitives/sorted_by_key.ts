/**
 * Objects in the order of their keys, so that equal ones are equal as text.
 *
 * @module
 */

/** The same object with its keys in order. */
export function sortedByKey<T>(object: { readonly [key: string]: T }): { [key: string]: T } {
  return Object.fromEntries(Object.entries(object).sort(([a], [b]) => a < b ? -1 : 1));
}
