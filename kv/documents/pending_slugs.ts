/**
 * Slugs that writes of this process are about to take. Only the commit decides which write gets a slug; this
 * class keeps concurrent writes from trying the same one.
 *
 * @module
 */
import { slugKey } from "../keys.ts";
import { keyText } from "../store/operation.ts";

/** The slugs that writes are about to take. */
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

  /** Marks a slug as pending; returns a function that removes the mark. */
  add(collectionId: string, slug: string): () => void {
    const text = keyText(slugKey(collectionId, slug));
    this.#wanted.add(text);
    return () => void this.#wanted.delete(text);
  }
}
