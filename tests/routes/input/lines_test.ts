/** Lines of a body: their ends, their lengths, and pieces that part them anywhere. */
import { linesOf } from "../../../routes/input/lines.ts";
import { assertEquals } from "../../support/harness/assert.ts";
import { inPieces } from "../../support/sites/headless.ts";

/** The texts of the lines; null for those that are too long. */
async function lines(...pieces: string[]): Promise<(string | null)[]> {
  const decoder = new TextDecoder();
  const limits = { lineBytesMax: 5, bytesMax: 100 };
  const found = await Array.fromAsync(linesOf(inPieces(...pieces), limits));
  return found.flat().map((line) => line && decoder.decode(line));
}

Deno.test("a line ends with a newline, with or without a carriage return, or with the body", async () => {
  const expected = ["one", null, "", "five!", "é", "end"];
  for (
    const text of ["one\ntoo long\n\nfive!\né\nend", "one\r\ntoo long\r\n\r\nfive!\r\né\r\nend"]
  ) {
    const bytes = [...new TextEncoder().encode(text)];
    assertEquals((await lines(text)).map((line) => line ?? null), expected);
    const apart = await Array.fromAsync(
      linesOf(ReadableStream.from(bytes.map((byte) => new Uint8Array([byte]))), {
        lineBytesMax: 5,
        bytesMax: 100,
      }),
    );
    const decoder = new TextDecoder();
    assertEquals(apart.flat().map((line) => line && decoder.decode(line)), expected);
  }
  assertEquals(await lines("123456\n", "12345\r", "\n12345\r"), [null, "12345", "12345"]);
  assertEquals(await lines("a\rb\n", "123456"), ["a\rb", null]);
  assertEquals(await lines("\n\r\n"), ["", ""]);
});
