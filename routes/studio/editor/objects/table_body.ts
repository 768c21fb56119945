/**
 * A table: an editor per cell, and buttons for the row and column of the current cell.
 *
 * @module
 */
/// <reference lib="dom" />
import type { Command } from "prosemirror-state";
import { icon, make } from "../../browser/page/elements.ts";
import { lineBreak } from "../commands.ts";
import { atEdge, NestedText } from "../nested_text.ts";
import { type BodyFacts, type ObjectBody, ownEvents } from "./object_body.ts";
import type { JsonObject } from "../schema.ts";
import {
  cellPosition,
  changeCell,
  type GridCell,
  gridOf,
  insertGridColumn,
  insertGridRow,
  neighbour,
  removeGridColumn,
  removeGridRow,
  type TableGrid,
  withGrid,
} from "./table_grid.ts";

/** Changes the table at the current cell; null removes the table. */
type Action = (grid: TableGrid, at: { row: number; column: number }) => TableGrid | null;

const ACTIONS: readonly (readonly [label: string, drawing: string, action: Action])[] = [
  [
    "Insert row above",
    "M4 13h16v6H4zM12 9V4M9.500 6.500h5",
    (grid, { row }) => insertGridRow(grid, row),
  ],
  [
    "Insert row below",
    "M4 5h16v6H4zM12 15v5M9.500 17.500h5",
    (grid, { row }) => insertGridRow(grid, row + 1),
  ],
  [
    "Insert column before",
    "M13 4v16h6V4zM4 12h5M6.500 9.500v5",
    (grid, { column }) => insertGridColumn(grid, column),
  ],
  [
    "Insert column after",
    "M5 4v16h6V4zM15 12h5M17.500 9.500v5",
    (grid, { column }) => insertGridColumn(grid, column + 1),
  ],
  ["Remove row", "M4 9h16v6H4zM10 19l4-4M14 19l-4-4", (grid, { row }) => removeGridRow(grid, row)],
  [
    "Remove column",
    "M9 4v16h6V4zM18 10l4 4M22 10l-4 4",
    (grid, { column }) => removeGridColumn(grid, column),
  ],
  [
    "Header row",
    "M4 5h16v14H4zM4 10h16M4 6.500h16M4 8h16",
    (grid) => ({ ...grid, hasHead: !grid.hasHead }),
  ],
];

/** A table on the page. */
export class TableBody implements ObjectBody {
  readonly dom: HTMLElement;
  readonly #facts: BodyFacts;
  readonly #table = make("table", {});
  readonly #texts = new Map<string, NestedText>();
  #raw: JsonObject;
  #grid: TableGrid;
  /** The key of the current or last cell. */
  #at: string;

  constructor(raw: JsonObject, facts: BodyFacts) {
    this.#raw = raw;
    this.#facts = facts;
    this.#grid = gridOf(raw)!;
    this.#at = this.#grid.rows[0]!.cells[0]!.key;
    this.dom = make(
      "div",
      { class: "pt-table" },
      ...(facts.isEditable ? [this.#tools()] : []),
      make("div", { class: "pt-table-scroll" }, this.#table),
    );
    this.#draw();
  }

  show(raw: JsonObject): void {
    if (raw === this.#raw) return;
    const before = outlineOf(this.#grid);
    this.#raw = raw;
    this.#grid = gridOf(raw) ?? this.#grid;
    if (outlineOf(this.#grid) !== before) return this.#draw();
    // The focused cell keeps the focus.
    for (const { cells } of this.#grid.rows) {
      for (const { key, value } of cells) this.#texts.get(key)?.show(value);
    }
  }

  focus(): void {
    this.#texts.get(this.#at)?.focus();
  }

  destroy(): void {
    for (const text of this.#texts.values()) text.destroy();
  }

  #change(grid: TableGrid, isStep = false): void {
    this.#grid = grid;
    this.#raw = withGrid(this.#raw, grid);
    this.#facts.change(this.#raw, isStep);
  }

  #tools(): HTMLElement {
    const tools = make("div", {
      class: "pt-table-tools",
      role: "group",
      "aria-label": "Rows and columns",
    });
    for (const [label, drawing, action] of ACTIONS) {
      const button = make("button", {
        type: "button",
        class: "pt-button",
        "aria-label": label,
        title: label,
        onmousedown: (event) => event.preventDefault(),
        onclick: () => this.#act(action),
      });
      button.append(icon(drawing));
      tools.append(button);
    }
    return ownEvents(tools);
  }

  #act(action: Action): void {
    const at = cellPosition(this.#grid, this.#at) ?? { row: 0, column: 0 };
    const next = action(this.#grid, at);
    if (next === null) return this.#facts.remove();
    this.#change(next, true);
    this.#draw();
    const row = next.rows[Math.min(at.row, next.rows.length - 1)]!;
    const isThere = cellPosition(next, this.#at) !== null;
    if (!isThere) this.#at = row.cells[Math.min(at.column, row.cells.length - 1)]!.key;
    this.focus();
  }

  /** Renders rows and cells again and reuses their editors. */
  #draw(): void {
    const { rows, hasHead } = this.#grid;
    const kept = new Set(rows.flatMap(({ cells }) => cells.map(({ key }) => key)));
    for (const [key, text] of this.#texts) {
      if (kept.has(key)) continue;
      text.destroy();
      this.#texts.delete(key);
    }
    const cellsOf = (row: number, cells: GridCell[]) =>
      cells.map((cell, column) => {
        const text = this.#textOf(cell, `Row ${row + 1}, column ${column + 1}`);
        const made = make(hasHead && row === 0 ? "th" : "td", {});
        made.append(text.dom);
        return made;
      });
    this.#table.replaceChildren(
      ...rows.map(({ cells }, row) => make("tr", {}, ...cellsOf(row, cells))),
    );
  }

  #textOf(cell: GridCell, label: string): NestedText {
    const known = this.#texts.get(cell.key);
    if (known !== undefined) {
      known.rename(label);
      known.show(cell.value);
      return known;
    }
    const { key } = cell;
    const text = new NestedText(cell.value, {
      label,
      facts: this.#facts,
      cell: key,
      changed: (blocks) => this.#change(changeCell(this.#grid, key, blocks)),
      keys: this.#keysOf(key),
    });
    text.dom.addEventListener("focusin", () => this.#at = key);
    this.#texts.set(key, text);
    return text;
  }

  /** Tab goes through the cells and makes a row behind the last one; Enter is a new line. */
  #keysOf(key: string): { [key: string]: Command } {
    const step = (by: -1 | 1): Command => () => {
      const next = neighbour(this.#grid, key, by);
      if (next === undefined && by < 0) return false;
      if (next === undefined) {
        this.#change(insertGridRow(this.#grid, this.#grid.rows.length), true);
        this.#draw();
      }
      this.#go((next ?? this.#grid.rows.at(-1)!.cells[0]!).key);
      return true;
    };
    const beside = (by: -1 | 1): Command => () => {
      const at = cellPosition(this.#grid, key);
      const other = at && this.#grid.rows[at.row + by]?.cells[at.column];
      if (!other) return false;
      this.#go(other.key, by > 0 ? "start" : "end");
      return true;
    };
    return {
      "Tab": step(1),
      "Shift-Tab": step(-1),
      "Enter": lineBreak,
      "ArrowUp": atEdge("up", beside(-1)),
      "ArrowDown": atEdge("down", beside(1)),
    };
  }

  #go(key: string, at: "start" | "end" = "end"): void {
    this.#at = key;
    this.#texts.get(key)?.focus(at);
  }
}

/** The structure of a table without the contents of its cells. */
function outlineOf({ rows, hasHead }: TableGrid): string {
  return JSON.stringify([hasHead, rows.map(({ cells }) => cells.map(({ key }) => key))]);
}
