/** A PNG is whole when its checksums are right and its pixels unpack to its size. */
import { deflateSync } from "node:zlib";
import { PngCheck } from "../../../kv/media/png_check.ts";
import { storeUpload } from "../../../kv/media/upload.ts";
import { PICTURE_PIXELS_MAX } from "../../../kv/model/limits.ts";
import { joinBytes } from "../../../kv/objects/object_bytes.ts";
import { assert, assertEquals, assertRejects } from "../../support/harness/assert.ts";
import { testContext } from "../../support/harness/context.ts";
import { IMAGES, pngChunk } from "../../support/sites/images.ts";
import { streamOf } from "../../support/stores/object_store_contract.ts";
import { PHOTOGRAPHS } from "../../support/browser/photographs.ts";

const SIGNATURE = IMAGES["image/png"].subarray(0, 8);

interface Shape {
  width?: number;
  height?: number;
  depth?: number;
  colors?: number;
  interlaced?: boolean;
}

/** A PNG whose pixels are `rows` zeros, before they are packed. */
function png(rows: number, shape: Shape = {}, cut = 0): Uint8Array {
  const { width = 20, height = 10, depth = 8, colors = 6, interlaced = false } = shape;
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  header.set([depth, colors, 0, 0, interlaced ? 1 : 0], 8);
  const packed = deflateSync(new Uint8Array(rows));
  const pixels = packed.subarray(0, packed.byteLength - cut);
  const half = pixels.byteLength >> 1;
  return joinBytes([
    SIGNATURE,
    pngChunk("IHDR", header),
    pngChunk("IDAT", pixels.subarray(0, half)),
    pngChunk("IDAT", pixels.subarray(half)),
    pngChunk("IEND", new Uint8Array()),
  ]);
}

async function faultOf(bytes: Uint8Array, pieceBytes = 1_000): Promise<string | null> {
  const check = new PngCheck();
  for (let at = 0; at < bytes.byteLength; at += pieceBytes) {
    await check.push(bytes.subarray(at, at + pieceBytes));
  }
  return await check.fault();
}

Deno.test("PngCheck finds nothing wrong with whole pictures, in pieces of any size", async () => {
  const pictures = [
    IMAGES["image/png"],
    PHOTOGRAPHS["image/png"],
    png(10 * 81),
    png(10 * 4, { depth: 1, colors: 0 }),
    png(10 * 121, { depth: 16, colors: 2 }),
    // 3 × 2, 2 × 2, 5 × 1, 5 × 3, 10 × 2, 10 × 5 and 20 × 5 pixels.
    png(2 * 4 + 2 * 3 + 6 + 3 * 6 + 2 * 11 + 5 * 11 + 5 * 21, {
      height: 10,
      colors: 3,
      interlaced: true,
    }),
  ];
  for (const bytes of pictures) {
    for (const size of [1, 7, 1_000]) assertEquals(await faultOf(bytes, size), null);
  }
});

Deno.test("PngCheck finds a wrong checksum, pixels that end too early, and broken ones", async () => {
  const bytes = png(10 * 81);
  const wrong = bytes.slice();
  wrong[wrong.length - 20]! ^= 1;
  assertEquals(await faultOf(wrong), "the checksum of IDAT is wrong");
  const renamed = bytes.slice();
  renamed[18]! ^= 1;
  assertEquals(await faultOf(renamed), "the checksum of IHDR is wrong");
  assertEquals(await faultOf(png(9 * 81)), "its pixels have 729 of 810 bytes");
  assert(await faultOf(png(10 * 81, {}, 9)) !== null);
  // Rows behind the last one are no fault.
  assertEquals(await faultOf(png(40 * 81)), null);
});

Deno.test("PngCheck unpacks nothing of a picture that is too large to be accepted", async () => {
  const width = 10_000;
  const height = Math.ceil(PICTURE_PIXELS_MAX / width);
  assertEquals(await faultOf(png(100, { width, height: height + 1 })), null);
  assert(await faultOf(png(100, { width, height })) !== null);
});

Deno.test("PngCheck finds a header with colors or bits that do not exist", async () => {
  for (const shape of [{ colors: 5 }, { depth: 3 }]) {
    assertEquals(await faultOf(png(10 * 81, shape)), "its header is wrong");
  }
});

Deno.test("an upload of a PNG whose end was put behind half of its pixels is refused", async () => {
  await using context = await testContext();
  const stored = () => Array.fromAsync(context.objects.list(""));
  await storeUpload(context, streamOf(png(10 * 81)));
  for (const bytes of [png(5 * 81), png(10 * 81, {}, 6)]) {
    const error = await assertRejects(() => storeUpload(context, streamOf(bytes)));
    assertEquals((error as { code?: string }).code, "UNSUPPORTED_MEDIA_TYPE");
  }
  const wrong = IMAGES["image/png"].slice();
  wrong[60]! ^= 4;
  await assertRejects(() => storeUpload(context, streamOf(wrong)));
  assertEquals((await stored()).length, 1);
});
