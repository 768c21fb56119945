/** Pairs of the items of two lists of the same length, such as ids and the entries that were read for them. */
export function zip<A, B>(left: readonly A[], right: readonly B[]): [A, B][] {
  if (left.length !== right.length) {
    throw new RangeError(`${left.length} and ${right.length} items`);
  }
  return left.map((item, index) => [item, right[index] as B]);
}
