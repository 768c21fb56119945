/**
 * How many letters two texts have in common, in the same order.
 *
 * @module
 */

/** The length of the longest common subsequence of two texts, in time of the product of their lengths. */
export function commonLetters(one: string, other: string): number {
  let row = new Uint32Array(other.length + 1);
  let next = new Uint32Array(other.length + 1);
  for (let i = 0; i < one.length; i++) {
    const letter = one.charCodeAt(i);
    for (let j = 0; j < other.length; j++) {
      next[j + 1] = letter === other.charCodeAt(j)
        ? (row[j] ?? 0) + 1
        : Math.max(row[j + 1] ?? 0, next[j] ?? 0);
    }
    [row, next] = [next, row];
  }
  return row[other.length] ?? 0;
}
