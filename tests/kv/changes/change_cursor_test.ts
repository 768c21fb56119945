import { assertEquals, assertThrows } from "@std/assert";
import {
  type ChangeCursor,
  decodeCursor,
  encodeCursor,
} from "../../../kv/changes/change_cursor.ts";
import { AFTER_ALL } from "../../../kv/changes/change_log.ts";
import { CHANGE_CURSOR_CHARS_MAX } from "../../../kv/limits/requests.ts";
import { Refusal } from "../../../kv/refusals.ts";

const STAMP = "0".repeat(19) + "a";
const ID = "01JD0000000000000000000000";
const DIGEST = "0123456789abcdef";
const CURSOR: ChangeCursor = {
  era: "",
  position: { stamp: STAMP, id: ID, n: 3 },
  visibility: DIGEST,
};
const FULL: ChangeCursor = {
  ...CURSOR,
  era: STAMP,
  sync: { to: DIGEST, after: ID },
  prior: { visibility: "", until: STAMP },
};

/** The text of a cursor's parts. */
const textOf = (parts: unknown) => btoa(JSON.stringify(parts)).replace(/=+$/, "");
const partsOf = (cursor: ChangeCursor) =>
  JSON.parse(atob(encodeCursor(cursor).replaceAll("-", "+").replaceAll("_", "/")));

Deno.test("decodeCursor() gives back what encodeCursor() was given", () => {
  const behind = { ...CURSOR, position: { stamp: STAMP, id: AFTER_ALL, n: 0 } };
  const begun = { ...CURSOR, visibility: "", sync: { to: "", after: "" } };
  for (const cursor of [CURSOR, FULL, behind, begun]) {
    assertEquals(decodeCursor(encodeCursor(cursor)), cursor);
  }
});

Deno.test("decodeCursor() refuses a cursor of which any part is something else", () => {
  const wrong: Record<string, unknown[]> = {
    "0": [2, "1", null],
    "1": ["x", "0".repeat(21), 1],
    "2": [null, "x", [STAMP, ID], [STAMP, ID, 3, 4], [STAMP.slice(1), ID, 3], [3, ID, 3]],
    "3": ["x", DIGEST.slice(1), null],
    "4": ["x", [DIGEST], [DIGEST, ID, ID], ["x", ID], [DIGEST, "x"], {}],
    "5": ["x", [DIGEST], [DIGEST, STAMP, STAMP], ["x", STAMP], [DIGEST, "x"], {}],
  };
  wrong["2"]!.push([STAMP, "x", 3], [STAMP, null, 3], [STAMP, ID, 1.5], [STAMP, ID, "3"]);
  for (const [place, values] of Object.entries(wrong)) {
    for (const value of values) {
      const parts = partsOf(FULL);
      parts[Number(place)] = value;
      const { code } = assertThrows(() => decodeCursor(textOf(parts)), Refusal);
      assertEquals(code, "CURSOR_INVALID", `${place}: ${JSON.stringify(value)}`);
    }
  }
  for (const text of ["", "%", "e30", textOf([]), textOf([...partsOf(FULL), 1])]) {
    assertThrows(() => decodeCursor(text), Refusal);
  }
  assertThrows(() => decodeCursor("A".repeat(CHANGE_CURSOR_CHARS_MAX + 1)), Refusal);
});
