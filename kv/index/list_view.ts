/**
 * A list at one moment: its total, any page of it, and where in it a document stands or would stand.
 *
 * @module
 */
import type { ColumnKey } from "./segments/list_columns.ts";
import { type FacetRows, summary, valueCounts } from "./query/facets.ts";
import type { Layer, LayerRequest } from "./segments/layer.ts";
import {
  type Facet,
  type FacetKey,
  type ListedDocument,
  type Position,
  sortColumn,
  type ValueCount,
} from "./query/list_query.ts";
import { countAhead, cutAfter, cutPage, type CutRows, type Run } from "./segments/run.ts";
import type { Sliced } from "../store/slices.ts";

/** One layer's share of a list. */
export interface ListPart {
  run: Run;
  layer: Layer;
  wanted: LayerRequest;
}

/** The documents of a list in their order. */
export class ListView {
  readonly total: number;
  readonly #parts: readonly ListPart[];
  readonly #runs: readonly Run[];

  constructor(parts: readonly ListPart[]) {
    this.#parts = parts;
    this.#runs = parts.map(({ run }) => run);
    this.total = this.#runs.reduce((sum, run) => sum + run.count, 0);
  }

  /** The documents from `offset` on, at most `limit`. */
  page(offset: number, limit: number): ListedDocument[] {
    return cutPage(this.#runs, offset, limit).rows;
  }

  /** The same behind a position, with the next one. */
  cut(after: Position | "start" | undefined, offset: number, limit: number): CutRows {
    return after === undefined || after === "start"
      ? cutPage(this.#runs, offset, limit)
      : cutAfter(this.#runs, after, offset, limit);
  }

  /** The requested facets, over all documents of the list. */
  *facets(keys: readonly FacetKey[]): Sliced<Facet[]> {
    const facets: Facet[] = [];
    for (const key of keys) {
      const rows = this.#rowsOf(key.by);
      facets.push(key.kind === "values" ? yield* valueCounts(rows) : yield* summary(rows));
    }
    return facets;
  }

  /** All values of a column that the list was asked for as a facet, however many. */
  valuesOf(by: ColumnKey): Sliced<ValueCount[]> {
    return valueCounts(this.#rowsOf(by), Infinity);
  }

  #rowsOf(by: ColumnKey): FacetRows[] {
    const column = sortColumn({ by });
    return this.#parts.map(({ run: { rows, skipped }, layer, wanted }) => {
      return { rows, skipped, column: layer.column(column, wanted) };
    });
  }

  /** How many documents stand before a position. */
  rankOf(position: Position): number {
    return this.#runs.reduce((sum, run) => sum + countAhead(run, position), 0);
  }
}
