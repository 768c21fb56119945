/**
 * The documents of a collection that meet the condition of a `match`, as one reader of its index has them.
 *
 * @module
 */
import { isUlid } from "../model/ulid.ts";
import type { Bits } from "./bits.ts";
import type { Condition, Target } from "./condition.ts";
import { findId, ID_WORDS, writeId } from "./id_words.ts";
import type { IndexReader } from "./index_reader.ts";
import type { TargetDocuments } from "./matching.ts";

/** A row of a reader. */
export interface ReaderRow {
  layer: number;
  row: number;
}

/** Finds documents of a reader that are selected. */
export class SelectedDocuments implements TargetDocuments {
  readonly name: string;
  readonly #reader: Pick<IndexReader, "layers">;
  readonly #matching: readonly (Bits | null)[];
  readonly #id = new Uint32Array(ID_WORDS);

  /** `matching` are the rows of each layer that meet what `name` stands for. */
  constructor(
    name: string,
    reader: Pick<IndexReader, "layers">,
    matching: readonly (Bits | null)[],
  ) {
    this.name = name;
    this.#reader = reader;
    this.#matching = matching;
  }

  has(id: string): boolean {
    if (!isUlid(id)) return false;
    this.#id.fill(0);
    writeId(this.#id, 0, id);
    return this.find(this.#id, 0) !== null;
  }

  /** The row of an id; null when it is not selected. The newest layer that has a document counts. */
  find(ids: Uint32Array, index: number): ReaderRow | null {
    const { layers } = this.#reader;
    for (let layer = layers.length - 1; layer >= 0; layer--) {
      const { segment } = layers[layer]!;
      const row = findId(segment.ids, ids, index);
      if (row < 0) continue;
      if (segment.gone?.has(row)) return null;
      const matching = this.#matching[layer]!;
      return matching === null || matching.has(row) ? { layer, row } : null;
    }
    return null;
  }
}

/** The conditions that follow references, with what they lead to. */
export function matchesOf(condition: Condition): { leaf: Condition; target: Target }[] {
  switch (condition.kind) {
    case "and":
    case "or":
      return condition.of.flatMap(matchesOf);
    case "not":
      return matchesOf(condition.of);
    case "match":
      return [{ leaf: condition, target: condition.target }];
    default:
      return [];
  }
}
