/**
 * Fingerprints of the listing pages of a collection: a few characters for each page, many of them in a value.
 *
 * @module
 */
import { type Key, listingFingerprintsKey } from "../../kv/keys.ts";
import type { Operation } from "../../kv/store/operation.ts";
import type { Store } from "../../kv/store/store.ts";

/** Fingerprints kept in one value; text takes up to two bytes a character. */
const PER_PIECE = 2_000;

/** The fingerprints of one collection, by place. */
export class Fingerprints {
  /** Characters of a fingerprint. */
  static readonly CHARS = 16;
  readonly #pieces: string[][];
  readonly #changed = new Set<number>();

  private constructor(pieces: string[][]) {
    this.#pieces = pieces;
  }

  /** Reads the fingerprints of at least `count` places. */
  static async read(store: Store, collectionId: string, count: number): Promise<Fingerprints> {
    const keys = Array.from(
      { length: Math.ceil(count / PER_PIECE) },
      (_, piece) => listingFingerprintsKey(collectionId, piece),
    );
    const pieces: string[][] = [];
    for (const { value } of await store.getMany(keys)) {
      pieces.push(typeof value === "string" ? split(value) : []);
    }
    return new Fingerprints(pieces);
  }

  get(place: number): string | undefined {
    return this.#pieces[Math.floor(place / PER_PIECE)]?.[place % PER_PIECE];
  }

  set(place: number, fingerprint: string): void {
    const piece = Math.floor(place / PER_PIECE);
    while (this.#pieces.length <= piece) this.#pieces.push([]);
    const fingerprints = this.#pieces[piece]!;
    while (fingerprints.length < place % PER_PIECE) {
      fingerprints.push("-".repeat(Fingerprints.CHARS));
    }
    fingerprints[place % PER_PIECE] = fingerprint;
    this.#changed.add(piece);
  }

  /** Adds what was set to a commit. */
  put(operation: Operation, keyOf: (piece: number) => Key): void {
    for (const piece of this.#changed) operation.set(keyOf(piece), this.#pieces[piece]!.join(""));
  }
}

function split(text: string): string[] {
  const fingerprints: string[] = [];
  for (let at = 0; at < text.length; at += Fingerprints.CHARS) {
    fingerprints.push(text.slice(at, at + Fingerprints.CHARS));
  }
  return fingerprints;
}
