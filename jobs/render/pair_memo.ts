/**
 * What was made of two objects, such as the look of a site and something that is shown in it.
 *
 * @module
 */

/** Keeps what is made of a pair for as long as both are in memory. */
export class PairMemo<A extends object, B extends object, V> {
  readonly #known = new WeakMap<A, WeakMap<B, { made: V }>>();

  /** What was made of the pair, made now if it was not yet. */
  of(first: A, second: B, make: () => V): V {
    const known = this.#known.get(first) ?? new WeakMap<B, { made: V }>();
    this.#known.set(first, known);
    const kept = known.get(second) ?? { made: make() };
    known.set(second, kept);
    return kept.made;
  }
}
