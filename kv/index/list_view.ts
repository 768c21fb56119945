/**
 * A list at one moment: its total, any page of it, and where in it a document stands or would stand.
 *
 * @module
 */
import { deltaSegment, rowsColumn } from "./segment.ts";
import type { IndexRow } from "./index_row.ts";
import { type ListedDocument, sortColumn, type SortKey } from "./list_query.ts";
import { cutPage, type Run } from "./run.ts";
import type { Sortable } from "./sorting.ts";

/** The documents of a list in their order. */
export class ListView {
  readonly total: number;
  readonly #runs: readonly Run[];
  readonly #sort: readonly SortKey[];

  constructor(runs: readonly Run[], sort: readonly SortKey[]) {
    this.#runs = runs;
    this.#sort = sort;
    this.total = runs.reduce((sum, run) => sum + run.count, 0);
  }

  /** The documents from `offset` on, at most `limit`. */
  page(offset: number, limit: number): ListedDocument[] {
    return cutPage(this.#runs, offset, limit);
  }

  /** How many documents stand before a row, which need not be in the list. */
  rankOf(row: IndexRow): number {
    const probe: Sortable = {
      segment: deltaSegment("probe", [{ id: row.id, epoch: 0, row, versionstamp: "" }]),
      sort: this.#sort.map((key) => ({
        column: rowsColumn([row], sortColumn(key)),
        descending: key.descending,
      })),
    };
    return this.#runs.reduce((sum, run) => sum + run.countBefore(probe, 0, 0, run.count), 0);
  }
}
