/**
 * Reads the bytes of a picture for the codec. Of a PNG, chunks that the pixels do not need are left out: they
 * may take most of the file.
 *
 * @module
 */
import { viewOf } from "../../kv/media/bmff_box.ts";
import { ByteSource } from "../../kv/media/byte_source.ts";
import type { PictureMime } from "../../kv/model/entities/media.ts";
import { joinBytes } from "../../kv/objects/object_bytes.ts";

const NEEDED_CHUNKS = new Set(["IHDR", "PLTE", "tRNS", "IDAT", "IEND"]);

/** The bytes that the codec needs. */
export async function decodedBytes(
  mime: PictureMime,
  stream: AsyncIterable<Uint8Array>,
): Promise<Uint8Array<ArrayBuffer>> {
  const source = new ByteSource(stream);
  if (mime !== "image/png") return await source.take(Infinity) as Uint8Array<ArrayBuffer>;
  const parts = [await source.take(8)];
  for (;;) {
    const head = await source.take(8);
    if (head.byteLength < 8) break;
    const behind = viewOf(head).getUint32(0) + 4;
    if (NEEDED_CHUNKS.has(String.fromCharCode(...head.subarray(4)))) {
      parts.push(head, await source.take(behind));
    } else await source.skip(behind);
  }
  return joinBytes(parts) as Uint8Array<ArrayBuffer>;
}
