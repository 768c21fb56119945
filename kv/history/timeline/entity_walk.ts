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
  /** The parts, and the row that each is at. */
  readonly #cursors: { ids: Uint32Array; count: number; row: number }[];

  constructor(parts: readonly Events[]) {
    this.#cursors = parts.map((part) => ({ ids: part.ids, count: entityCount(part), row: 0 }));
    this.rows = new Int32Array(parts.length).fill(-1);
  }

  /** Goes to the next entity; false when there is none. */
  next(): boolean {
    const { rows } = this;
    let first: { ids: Uint32Array; row: number } | null = null;
    this.first = -1;
    let index = -1;
    for (const cursor of this.#cursors) {
      index += 1;
      if (rows[index] === cursor.row) cursor.row += 1;
      rows[index] = -1;
      if (cursor.row >= cursor.count) continue;
      const order = first === null ? -1 : compareIds(cursor.ids, cursor.row, first.ids, first.row);
      if (order < 0) {
        rows.fill(-1, 0, index);
        first = cursor;
        this.first = index;
      }
      if (order <= 0) rows[index] = cursor.row;
    }
    return first !== null;
  }
}
