/**
 * Builds a table of rich text, whose cells are rich texts.
 *
 * @module
 */
import type { JsonObject } from "../../../kv/model/values/json_object.ts";
import { RichTextBuilder } from "./rich_text_builder.ts";

interface Row {
  cells: RichTextBuilder[];
  isHead: boolean;
}

/** Builds a table. */
export class TableBuilder {
  readonly #rows: Row[] = [];
  /** Whether text goes into a cell. */
  isInCell = false;

  /** Begins a row. */
  beginRow(): void {
    this.#rows.push({ cells: [], isHead: true });
  }

  /** Begins a cell; answers what builds its text. */
  beginCell(isHead: boolean): RichTextBuilder {
    if (this.#rows.length === 0) this.beginRow();
    const row = this.#rows.at(-1);
    const cell = new RichTextBuilder();
    row?.cells.push(cell);
    if (row !== undefined && !isHead) row.isHead = false;
    this.isInCell = true;
    return cell;
  }

  /** Ends a cell. */
  endCell(): void {
    this.isInCell = false;
  }

  /** The table; null if it has no cells. */
  finish(): JsonObject | null {
    const rows = this.#rows.filter(({ cells }) => cells.length > 0);
    if (rows.length === 0) return null;
    return {
      _type: "table",
      headerRows: rows[0]?.isHead && rows.length > 1 ? 1 : 0,
      rows: rows.map(({ cells }) => ({
        _type: "row",
        cells: cells.map((cell) => ({ _type: "cell", value: cell.finish().blocks })),
      })),
    };
  }
}
