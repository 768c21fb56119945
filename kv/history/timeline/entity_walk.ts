/**
 * Goes through several parts of a timeline at once, entity by entity.
 *
 * @module
 */
import { compareIds } from "../../index/segments/id_words.ts";
import { entityCount, type Events } from "../../versioning/timeline/events.ts";

/** Visits every entity of several parts, in order of id. */
export class EntityWalk {
  /** In which row each part has the entity; -1 where it has not. */
  readonly rows: Int32Array;
  /** A part that has it. */
  first = -1;
  readonly #parts: readonly Events[];
  readonly #counts: number[];
  readonly #cursors: Int32Array;

  constructor(parts: readonly Events[]) {
    this.#parts = parts;
    this.#counts = parts.map(entityCount);
    this.#cursors = new Int32Array(parts.length);
    this.rows = new Int32Array(parts.length).fill(-1);
  }

  /** Goes to the next entity; false when there is none. */
  next(): boolean {
    const { rows } = this;
    const parts = this.#parts;
    const cursors = this.#cursors;
    let first = -1;
    for (let index = 0; index < parts.length; index++) {
      if (rows[index]! >= 0) cursors[index]! += 1;
      rows[index] = -1;
      const cursor = cursors[index]!;
      if (cursor >= this.#counts[index]!) continue;
      const order = first < 0
        ? -1
        : compareIds(parts[index]!.ids, cursor, parts[first]!.ids, cursors[first]!);
      if (order < 0) {
        rows.fill(-1, 0, index);
        first = index;
      }
      if (order <= 0) rows[index] = cursor;
    }
    this.first = first;
    return first >= 0;
  }
}
