/**
 * A cache of values derived from two objects, such as the look of a site and an image shown in it.
 *
 * @module
 */

/** Caches a value derived from a pair while both objects are in memory. */
export class PairMemo<A extends object, B extends object, V> {
  readonly #known = new WeakMap<A, WeakMap<B, { made: V }>>();

  /** The value of the pair, computed on first use. */
  of(first: A, second: B, make: () => V): V {
    const known = this.#known.get(first) ?? new WeakMap<B, { made: V }>();
    this.#known.set(first, known);
    const kept = known.get(second) ?? { made: make() };
    known.set(second, kept);
    return kept.made;
  }
}
