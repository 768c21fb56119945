/** What a byte writer wrote is read back. */
import { ByteReader } from "../../../../kv/search/segments/byte_reader.ts";
import { ByteWriter } from "../../../../kv/search/segments/byte_writer.ts";
import { assertEquals } from "../../../support/harness/assert.ts";

Deno.test("texts of every length and script are read as they were written", () => {
  const lengths = [0, 1, 63, 64, 65, 128, 1_000];
  const texts = lengths.flatMap((length) =>
    ["a", "é", "字", "\ud800", "😀"].map((one) => one.repeat(length))
  );
  const writer = new ByteWriter();
  for (const text of texts) writer.text(text);

  const reader = new ByteReader(writer.take());

  assertEquals(texts.map(() => reader.text()), texts);
  assertEquals(reader.at, writer.length);
});
