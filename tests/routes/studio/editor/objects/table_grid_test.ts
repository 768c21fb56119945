/** Tables of rich text: rows and columns come and go, and nothing of the others changes. */
import { assert, assertEquals } from "@std/assert";
import type { JsonObject } from "../../../../../routes/studio/editor/schema.ts";
import {
  cellPosition,
  changeCell,
  gridOf,
  insertGridColumn,
  insertGridRow,
  neighbour,
  removeGridColumn,
  removeGridRow,
  type TableGrid,
  withGrid,
} from "../../../../../routes/studio/editor/objects/table_grid.ts";
import { paragraph, table } from "../../../../../routes/studio/editor/objects/text_objects.ts";
import { plainText } from "../../../../../kv/model/values/portable_text.ts";

const SHIPS = table(
  [["Ship", "Crew"], ["Anna", "12"]].map((row) => row.map((words) => [paragraph(words)])),
);

const grid = (raw: JsonObject = SHIPS) => gridOf(raw)!;
const words = ({ rows }: TableGrid) =>
  rows.map(({ cells }) => cells.map(({ value }) => plainText(value)).join("|"));

Deno.test("a table that is read and written again is the same, with what it holds besides", () => {
  const raw = { ...SHIPS, _key: "t", alignment: ["left", null] };
  assertEquals(withGrid(raw, grid(raw)), raw);
});

Deno.test("gridOf() reads tables of other editors, and none if there are no cells", () => {
  const loose = { _type: "table", rows: [{ cells: ["Ship", "Crew"] }, { cells: ["Anna"] }, "x"] };
  assertEquals(words(grid(loose)), ["Ship|Crew", "Anna|"]);
  assertEquals(grid(loose).hasHead, false);
  for (const rows of [undefined, [], [{}], [{ cells: [] }], "rows"] as JsonObject["rows"][]) {
    assertEquals(gridOf({ _type: "table", rows: rows! }), null);
  }
});

Deno.test("rows and columns are put in and taken away where one is", () => {
  assertEquals(words(insertGridRow(grid(), 1)), ["Ship|Crew", "|", "Anna|12"]);
  assertEquals(words(insertGridColumn(grid(), 1)), ["Ship||Crew", "Anna||12"]);
  assertEquals(words(removeGridRow(grid(), 0)!), ["Anna|12"]);
  assertEquals(words(removeGridColumn(grid(), 0)!), ["Crew", "12"]);
  const last = grid(table([[[]]]));
  assertEquals([removeGridRow(last, 0), removeGridColumn(last, 0)], [null, null]);
  const keys = insertGridRow(grid(), 2).rows.flatMap(({ cells }) => cells.map(({ key }) => key));
  assertEquals(new Set(keys).size, 6);
});

Deno.test("cells are known by their keys", () => {
  const key = grid().rows[1]!.cells[0]!.key;
  assertEquals(cellPosition(grid(), key), { row: 1, column: 0 });
  assertEquals(cellPosition(grid(), "gone"), null);
  assertEquals(words(changeCell(grid(), key, [paragraph("Bo")])), ["Ship|Crew", "Bo|12"]);
  assertEquals(plainText(neighbour(grid(), key, 1)!.value), "12");
  assertEquals(plainText(neighbour(grid(), key, -1)!.value), "Crew");
  const first = grid().rows[0]!.cells[0]!.key;
  assert(neighbour(grid(), first, -1) === undefined);
});
