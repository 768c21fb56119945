/**
 * The documents of a collection that meet the condition of a `match`, as one reader of its index has them.
 *
 * @module
 */
import type { Bits } from "../segments/bits.ts";
import { type Condition, leavesOf, type Target } from "./condition.ts";
import type { IndexReader } from "../index_reader.ts";
import { findRow, matchedRows, NO_LAYER } from "./matched_rows.ts";
import { ID_WORDS } from "../segments/id_words.ts";
import { inSlices, type Sliced } from "../../store/slices.ts";
import type { TargetDocuments } from "./matching.ts";

/** Finds documents of a reader that are selected. */
export class SelectedDocuments implements TargetDocuments {
  readonly name: string;
  readonly #reader: Pick<IndexReader, "layers">;
  readonly #matching: readonly (Bits | null)[];

  /** `matching` holds the rows of each layer that meet the condition that `name` identifies. */
  constructor(
    name: string,
    reader: Pick<IndexReader, "layers">,
    matching: readonly (Bits | null)[],
  ) {
    this.name = name;
    this.#reader = reader;
    this.#matching = matching;
  }

  has(ids: Uint32Array, index: number): boolean {
    const at = findRow(this.#reader, ids, index);
    return at !== null && this.selects(at.layer, at.row);
  }

  /** For each of some ids 1 if its document is selected. */
  *among(ids: Uint32Array): Sliced<Uint8Array> {
    const count = ids.length / ID_WORDS;
    const { layers, rows } = yield* matchedRows(this.#reader, ids, count);
    const are = new Uint8Array(count);
    yield* inSlices(count, (from, to) => {
      for (let index = from; index < to; index++) {
        const layer = layers[index] ?? NO_LAYER;
        are[index] = Number(layer !== NO_LAYER && this.selects(layer, rows[index] ?? 0));
      }
    });
    return are;
  }

  /** Whether a row of a layer is selected. */
  selects(layer: number, row: number): boolean {
    const matching = this.#matching[layer]!;
    return matching === null || matching.has(row);
  }
}

/** The conditions that follow references, with what they lead to. */
export function matchesOf(condition: Condition): { leaf: Condition; target: Target }[] {
  return leavesOf(condition).flatMap((leaf) =>
    leaf.kind === "match" ? [{ leaf, target: leaf.target }] : []
  );
}
