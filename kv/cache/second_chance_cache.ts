/**
 * A cache bounded by the bytes of what it holds, with the second-chance (clock) policy: a hit sets a bit,
 * and an entry whose bit is set is spared once when it is the oldest and room is needed.
 *
 * @module
 */

/** The approximate cost of an entry besides its value and its name. */
const ENTRY_BYTES = 100;

interface CachedEntry {
  value: unknown;
  bytes: number;
  isUsed: boolean;
}

/** Values by name; beyond `bytesMax` those that were not used lately are evicted. */
export class SecondChanceCache<Name extends string | number = string> {
  readonly #bytesMax: number;
  readonly #entries = new Map<Name, CachedEntry>();
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Bytes held at present. */
  get bytes(): number {
    return this.#bytes;
  }

  get<T>(name: Name): T | undefined {
    const entry = this.#entries.get(name);
    if (entry === undefined) return undefined;
    entry.isUsed = true;
    return entry.value as T;
  }

  set<T>(name: Name, value: T, bytes: number): T {
    this.delete(name);
    const held = bytes + ENTRY_BYTES + (typeof name === "string" ? name.length * 2 : 8);
    this.#entries.set(name, { value, bytes: held, isUsed: false });
    this.#bytes += held;
    while (this.#bytes > this.#bytesMax && this.#entries.size > 1) this.#evict(name);
    return value;
  }

  #evict(kept: Name): void {
    const [oldest, entry] = this.#entries.entries().next().value!;
    if (!entry.isUsed && oldest !== kept) return this.delete(oldest);
    entry.isUsed = false;
    this.#entries.delete(oldest);
    this.#entries.set(oldest, entry);
  }

  delete(name: Name): void {
    this.#bytes -= this.#entries.get(name)?.bytes ?? 0;
    this.#entries.delete(name);
  }

  /** Evicts everything whose name answers a description. */
  forget(isMeant: (name: Name) => boolean): void {
    for (const name of this.#entries.keys()) {
      if (isMeant(name)) this.delete(name);
    }
  }
}
