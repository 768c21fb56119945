/**
 * Values derived from an object, such as what the fields of a collection say.
 *
 * @module
 */

/** The same function, which computes the value of an object once while the object is in memory. */
export function perObject<K extends object, V>(make: (key: K) => V): (key: K) => V {
  const known = new WeakMap<K, { made: V }>();
  return (key) => {
    const before = known.get(key);
    if (before !== undefined) return before.made;
    const made = make(key);
    known.set(key, { made });
    return made;
  };
}
