/**
 * A cache that is bounded by the bytes of what it holds; what was not used lately goes first. A use only
 * leaves a mark: who is oldest and marked when room is needed loses the mark and stays, once.
 *
 * @module
 */

/** What an entry costs besides its value and its name, about. */
const ENTRY_BYTES = 100;

interface Held {
  value: unknown;
  bytes: number;
  isUsed: boolean;
}

/** Values by name; those that were not used lately are dropped beyond `bytesMax`. */
export class ByteLru {
  readonly #bytesMax: number;
  readonly #entries = new Map<string, Held>();
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Bytes held at present. */
  get bytes(): number {
    return this.#bytes;
  }

  get<T>(name: string): T | undefined {
    const entry = this.#entries.get(name);
    if (entry === undefined) return undefined;
    entry.isUsed = true;
    return entry.value as T;
  }

  set<T>(name: string, value: T, bytes: number): T {
    this.delete(name);
    const held = bytes + name.length * 2 + ENTRY_BYTES;
    this.#entries.set(name, { value, bytes: held, isUsed: false });
    this.#bytes += held;
    while (this.#bytes > this.#bytesMax && this.#entries.size > 1) this.#dropOldest(name);
    return value;
  }

  #dropOldest(kept: string): void {
    const [oldest, entry] = this.#entries.entries().next().value!;
    if (!entry.isUsed && oldest !== kept) return this.delete(oldest);
    entry.isUsed = false;
    this.#entries.delete(oldest);
    this.#entries.set(oldest, entry);
  }

  delete(name: string): void {
    this.#bytes -= this.#entries.get(name)?.bytes ?? 0;
    this.#entries.delete(name);
  }

  /** Drops everything whose name begins with `prefix`. */
  forget(prefix: string): void {
    for (const name of this.#entries.keys()) {
      if (name.startsWith(prefix)) this.delete(name);
    }
  }
}
