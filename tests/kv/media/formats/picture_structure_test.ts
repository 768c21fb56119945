/** What the structure of a picture says, however its bytes come. */
import { pictureFacts, PictureStructure } from "../../../../kv/media/formats/picture_structure.ts";
import type { PictureMime } from "../../../../kv/model/entities/media.ts";
import { joinBytes } from "../../../../kv/objects/object_bytes.ts";
import { assertEquals } from "../../../support/harness/assert.ts";
import { IMAGES, jpegSegment, pngChunk } from "../../../support/sites/images.ts";
import { PHOTOGRAPHS } from "../../../support/browser/photographs.ts";

const pictures = [...Object.entries(IMAGES), ...Object.entries(PHOTOGRAPHS)] as [
  PictureMime,
  Uint8Array,
][];

Deno.test("PictureStructure finds the end of every picture, in pieces of any size", () => {
  for (const [mime, bytes] of pictures) {
    for (const size of [1, 2, 3, 7, 64, bytes.length]) {
      const structure = new PictureStructure(mime);
      for (let at = 0; at < bytes.length; at += size) {
        structure.push(bytes.subarray(at, at + size));
      }
      assertEquals([mime, size, structure.facts()], [mime, size, {
        isWhole: true,
        isFixed: false,
      }]);
    }
  }
});

Deno.test("PictureStructure knows a PNG, a JPEG and a WebP that were cut off anywhere", () => {
  for (const [mime, bytes] of pictures) {
    if (mime === "image/gif" || mime === "image/avif") continue;
    for (let length = 20; length < bytes.length - 12; length++) {
      const { isWhole } = pictureFacts(mime, bytes.subarray(0, length));
      // A WebP that ends with a chunk looks whole: its last one is not the picture.
      if (mime !== "image/webp") assertEquals([mime, length, isWhole], [mime, length, false]);
    }
    assertEquals(pictureFacts(mime, bytes.subarray(0, bytes.length - 14)).isWhole, false, mime);
  }
});

Deno.test("PictureStructure knows pictures that move, and colors for print", () => {
  const png = IMAGES["image/png"];
  const moving = joinBytes([
    png.subarray(0, 33),
    pngChunk("acTL", new Uint8Array(8)),
    png.subarray(33),
  ]);
  assertEquals(pictureFacts("image/png", moving), { isWhole: true, isFixed: true });

  const webp = IMAGES["image/webp"];
  const chunk = new Uint8Array(14);
  chunk.set(new TextEncoder().encode("ANIM"));
  chunk[4] = 6;
  const animated = joinBytes([webp.subarray(0, 12), chunk, webp.subarray(12)]);
  assertEquals(pictureFacts("image/webp", animated), { isWhole: true, isFixed: true });

  const avif = IMAGES["image/avif"].slice();
  avif.set(new TextEncoder().encode("avis"), 8);
  assertEquals(pictureFacts("image/avif", avif).isFixed, true);

  const frame = (components: number) =>
    joinBytes([
      Uint8Array.of(0xff, 0xd8),
      jpegSegment(
        0xc0,
        Uint8Array.of(8, 0, 4, 0, 6, components, ...new Array(components * 3).fill(0)),
      ),
      jpegSegment(0xda, Uint8Array.of(0, 0, 0)),
      Uint8Array.of(1, 0xff, 0, 2, 0xff, 0xd0, 3, 0xff, 0xd9),
    ]);
  assertEquals(pictureFacts("image/jpeg", frame(3)), { isWhole: true, isFixed: false });
  assertEquals(pictureFacts("image/jpeg", frame(4)), { isWhole: true, isFixed: true });
  assertEquals(pictureFacts("image/jpeg", frame(3).slice(0, -2)).isWhole, false);
});
