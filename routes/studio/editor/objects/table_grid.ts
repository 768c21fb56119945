/**
 * Tables in rich text: reading rows and cells from stored values, and changing them. Unknown properties of
 * rows, cells and tables are preserved.
 *
 * @module
 */
import { isJsonObject } from "../../../../kv/model/values/json_object.ts";
import { freshKey } from "../keys.ts";
import type { Json, JsonObject } from "../schema.ts";
import { blocksOf } from "./text_objects.ts";

/** A table of which every row has as many cells, and every cell a key and blocks. */
export interface TableGrid {
  rows: GridRow[];
  hasHead: boolean;
}

interface GridRow {
  raw: JsonObject;
  cells: GridCell[];
}

/** A cell and its contents. */
export interface GridCell {
  key: string;
  raw: JsonObject;
  value: JsonObject[];
}

/** Reads a table; null if it has no rows. A cell without a key, or with that of another one, gets a new key. */
export function gridOf({ rows, headerRows }: JsonObject): TableGrid | null {
  const taken = new Set<string>();
  const read = listOf(rows).filter(isJsonObject).map((raw) => ({
    raw,
    cells: listOf(raw.cells).map((cell) => cellOf(cell, taken)),
  }));
  const width = Math.max(0, ...read.map(({ cells }) => cells.length));
  if (width === 0) return null;
  for (const { cells } of read) while (cells.length < width) cells.push(newCell());
  return { rows: read, hasHead: headerRows === 1 };
}

/** The table with other rows. */
export function withGrid(raw: JsonObject, { rows, hasHead }: TableGrid): JsonObject {
  return {
    ...raw,
    headerRows: hasHead ? 1 : 0,
    rows: rows.map(({ raw, cells }) => ({
      ...raw,
      _type: "row",
      _key: raw._key ?? freshKey(),
      cells: cells.map((cell) => ({
        ...cell.raw,
        _type: "cell",
        _key: cell.key,
        value: cell.value,
      })),
    })),
  };
}

/** Gives a cell other blocks. */
export function changeCell(grid: TableGrid, key: string, value: JsonObject[]): TableGrid {
  return mapRows(
    grid,
    (cells) => cells.map((cell) => cell.key === key ? { ...cell, value } : cell),
  );
}

/** A new row before the one at `at`. */
export function insertGridRow(grid: TableGrid, at: number): TableGrid {
  const cells = grid.rows[0]!.cells.map(newCell);
  return { ...grid, rows: grid.rows.toSpliced(at, 0, { raw: {}, cells }) };
}

/** A new column before the one at `at`. */
export function insertGridColumn(grid: TableGrid, at: number): TableGrid {
  return mapRows(grid, (cells) => cells.toSpliced(at, 0, newCell()));
}

/** Without the row at `at`; null when it was the last one. */
export function removeGridRow(grid: TableGrid, at: number): TableGrid | null {
  return grid.rows.length === 1 ? null : { ...grid, rows: grid.rows.toSpliced(at, 1) };
}

/** Without the column at `at`; null when it was the last one. */
export function removeGridColumn(grid: TableGrid, at: number): TableGrid | null {
  if (grid.rows[0]!.cells.length === 1) return null;
  return mapRows(grid, (cells) => cells.toSpliced(at, 1));
}

/** The next or previous cell in reading order; undefined beyond the ends. */
export function neighbour(grid: TableGrid, key: string, by: -1 | 1): GridCell | undefined {
  const all = grid.rows.flatMap(({ cells }) => cells);
  return all[all.findIndex((cell) => cell.key === key) + by];
}

/** The row and column of a cell; null if it was removed. */
export function cellPosition(grid: TableGrid, key: string): { row: number; column: number } | null {
  for (const [row, { cells }] of grid.rows.entries()) {
    const column = cells.findIndex((cell) => cell.key === key);
    if (column >= 0) return { row, column };
  }
  return null;
}

function mapRows(grid: TableGrid, change: (cells: GridCell[]) => GridCell[]): TableGrid {
  return { ...grid, rows: grid.rows.map(({ raw, cells }) => ({ raw, cells: change(cells) })) };
}

function newCell(): GridCell {
  return { key: freshKey(), raw: {}, value: [] };
}

function cellOf(cell: Json, taken: Set<string>): GridCell {
  if (!isJsonObject(cell)) return { ...newCell(), value: blocksOf(cell) };
  const { _key } = cell;
  const isOwn = typeof _key === "string" && _key !== "" && !taken.has(_key);
  const key = isOwn ? _key : freshKey();
  taken.add(key);
  return { key, raw: cell, value: blocksOf(cell.value) };
}

function listOf(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}
