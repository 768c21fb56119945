/**
 * A cache that is bounded by the bytes of what it holds; what was used longest ago goes first.
 *
 * @module
 */

/** What an entry costs besides its value and its name, about. */
const ENTRY_BYTES = 100;

/** Values by name, the least recently used ones dropped beyond `bytesMax`. */
export class ByteLru {
  readonly #bytesMax: number;
  readonly #entries = new Map<string, { value: unknown; bytes: number }>();
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
    this.#entries.delete(name);
    this.#entries.set(name, entry);
    return entry.value as T;
  }

  set<T>(name: string, value: T, bytes: number): T {
    this.delete(name);
    const held = bytes + name.length * 2 + ENTRY_BYTES;
    this.#entries.set(name, { value, bytes: held });
    this.#bytes += held;
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#bytesMax || oldest === name) break;
      this.delete(oldest);
    }
    return value;
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
