/**
 * Fingerprints of the pages of a listing: a few characters for each page, many of them in a
 * value, of which only those that are asked for are read.
 *
 * @module
 */
import { zip } from "../../../kv/model/primitives/zip.ts";
import { listingFingerprintsKey } from "../../../kv/pages/page_keys.ts";
import type { Operation } from "../../../kv/store/operation.ts";
import type { Store } from "../../../kv/store/store.ts";

/** Fingerprints kept in one value. */
const PER_PIECE = 128;
/** Characters of a fingerprint. */
export const FINGERPRINT_CHARS = 16;
/** Stands for a page that is not there. */
const NONE = "-".repeat(FINGERPRINT_CHARS);

/** The fingerprints of one listing, by number of the older page; 0 is the newest page. */
export class Fingerprints {
  readonly #store: Store;
  readonly #listing: string;
  readonly #pieces = new Map<number, string[]>();
  readonly #changed = new Set<number>();

  constructor(store: Store, listing: string) {
    this.#store = store;
    this.#listing = listing;
  }

  /** Makes those of these pages known. */
  async read(pages: Iterable<number>): Promise<void> {
    const pieces = new Set<number>();
    for (const page of pages) pieces.add(pieceOf(page));
    const missing = [...pieces].filter((piece) => !this.#pieces.has(piece));
    const keys = missing.map((piece) => listingFingerprintsKey(this.#listing, piece));
    const entries = await this.#store.getMany(keys);
    for (const [piece, { value }] of zip(missing, entries)) {
      this.#pieces.set(piece, typeof value === "string" ? split(value) : []);
    }
  }

  /** The fingerprint of a page that was read; null when it was never rendered. */
  get(page: number): string | null {
    const fingerprint = this.#pieces.get(pieceOf(page))?.[page % PER_PIECE] ?? NONE;
    return fingerprint === NONE ? null : fingerprint;
  }

  /** Sets that of a page that was read; null when it is gone. */
  set(page: number, fingerprint: string | null): void {
    const piece = this.#pieces.get(pieceOf(page))!;
    while (piece.length < page % PER_PIECE) piece.push(NONE);
    piece[page % PER_PIECE] = fingerprint ?? NONE;
    this.#changed.add(pieceOf(page));
  }

  /** Adds what was set to a commit. */
  put(operation: Operation): void {
    for (const [piece, fingerprints] of this.#pieces) {
      if (!this.#changed.has(piece)) continue;
      const key = listingFingerprintsKey(this.#listing, piece);
      if (fingerprints.every((one) => one === NONE)) operation.delete(key);
      else operation.set(key, fingerprints.join(""));
    }
  }
}

function pieceOf(page: number): number {
  return Math.floor(page / PER_PIECE);
}

function split(text: string): string[] {
  const fingerprints: string[] = [];
  for (
    let at = 0;
    at < Math.min(text.length, PER_PIECE * FINGERPRINT_CHARS);
    at += FINGERPRINT_CHARS
  ) {
    fingerprints.push(text.slice(at, at + FINGERPRINT_CHARS));
  }
  return fingerprints;
}
