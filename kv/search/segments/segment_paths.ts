/**
 * Of which definitions the texts of a segment's documents are, per collection: once one of them is gone,
 * the segment may find documents by words that they no longer show.
 *
 * @module
 */

/** Paths by collection, as a segment's head has them. */
export type StoredPaths = Record<string, string[]>;

/** Gathers the paths of a segment. */
export class SegmentPaths {
  readonly #paths = new Map<string, Set<string>>();

  /** Adds the paths of a document. */
  add(collectionId: string, paths: readonly string[]): void {
    let known = this.#paths.get(collectionId);
    if (known === undefined) this.#paths.set(collectionId, known = new Set());
    for (const path of paths) known.add(path);
  }

  /** Adds the paths of another segment. */
  addAll(stored: StoredPaths): void {
    for (const [collectionId, paths] of Object.entries(stored)) this.add(collectionId, paths);
  }

  /** As they are stored. */
  stored(): StoredPaths {
    return Object.fromEntries([...this.#paths].map(([id, paths]) => [id, [...paths]]));
  }
}
