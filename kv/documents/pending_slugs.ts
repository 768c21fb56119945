/**
 * Slugs that writes of this process are about to take. A commit alone decides who gets one; this only keeps
 * writes that run side by side from wanting the same one.
 *
 * @module
 */
import { slugKey } from "../keys.ts";
import { keyText } from "../store/operation.ts";

/** The slugs that are wanted at this moment. */
export class PendingSlugs {
  readonly #wanted = new Set<string>();

  /** How many there are. */
  get size(): number {
    return this.#wanted.size;
  }

  /** Whether a write is about to take a slug. */
  has(collectionId: string, slug: string): boolean {
    return this.#wanted.has(keyText(slugKey(collectionId, slug)));
  }

  /** Notes a slug as wanted; answers what takes the note away again. */
  add(collectionId: string, slug: string): () => void {
    const text = keyText(slugKey(collectionId, slug));
    this.#wanted.add(text);
    return () => void this.#wanted.delete(text);
  }
}
