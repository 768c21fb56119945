/**
 * Builds a table of rich text, whose cells are rich texts.
 *
 * @module
 */
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

  /** Adds the table to a text, with the warnings of its cells; one without cells is left out. */
  addTo(text: RichTextBuilder): void {
    const rows = this.#rows.filter(({ cells }) => cells.length > 0);
    if (rows.length === 0) return;
    const finished = rows.map(({ cells }) => cells.map((cell) => cell.finish()));
    for (const warning of finished.flat().flatMap(({ warnings }) => warnings)) text.warn(warning);
    text.object({
      _type: "table",
      headerRows: rows[0]?.isHead && rows.length > 1 ? 1 : 0,
      rows: finished.map((cells) => ({
        _type: "row",
        cells: cells.map(({ blocks }) => ({ _type: "cell", value: blocks })),
      })),
    });
  }
}
