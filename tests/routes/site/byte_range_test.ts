import { assertEquals } from "@std/assert";
import { type ByteRange, parseByteRange } from "../../../routes/site/byte_range.ts";

Deno.test("parseByteRange() reads one range of a hundred bytes", () => {
  const cases: [string | undefined, ByteRange][] = [
    [undefined, null],
    ["bytes=0-0", { start: 0, end: 1 }],
    ["bytes=0-99", { start: 0, end: 100 }],
    ["bytes=10-", { start: 10, end: 100 }],
    ["bytes=-10", { start: 90, end: 100 }],
    ["bytes=-1000", { start: 0, end: 100 }],
    ["bytes=99-1000", { start: 99, end: 100 }],
    ["BYTES= 5 - 6 ", { start: 5, end: 7 }],
    ["bytes=100-", "unsatisfiable"],
    ["bytes=-0", "unsatisfiable"],
    ["bytes=200-300", "unsatisfiable"],
    ["bytes=9-5", null],
    ["bytes=-", null],
    ["bytes=a-b", null],
    ["bytes=0-1,5-6", null],
    ["items=0-1", null],
    [`bytes=${"9".repeat(400)}-`, "unsatisfiable"],
  ];
  for (const [header, expected] of cases) {
    assertEquals(parseByteRange(header, 100), expected, header);
  }
});

Deno.test("parseByteRange() finds nothing to satisfy in an empty object", () => {
  assertEquals(parseByteRange("bytes=0-", 0), "unsatisfiable");
  assertEquals(parseByteRange("bytes=-5", 0), "unsatisfiable");
});
