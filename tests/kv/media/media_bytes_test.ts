import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { pictureSize, sniffMime } from "../../../kv/media/media_bytes.ts";
import { IMAGES } from "../../support/sites/images.ts";

const encoder = new TextEncoder();

Deno.test("sniffMime() knows the five types by their bytes", () => {
  for (const [mime, bytes] of Object.entries(IMAGES)) assertEquals(sniffMime(bytes), mime);
});

Deno.test("sniffMime() knows an AVIF whose major brand is another", () => {
  const avif = IMAGES["image/avif"].slice();
  avif.set(encoder.encode("mif1"), 8);

  assertEquals(sniffMime(avif), "image/avif");
});

Deno.test("sniffMime() refuses files that only resemble a picture", () => {
  const impostors = [
    "",
    "GIF88a",
    "<svg xmlns='http://www.w3.org/2000/svg'/>",
    "<!doctype html><script>",
    "RIFF\x10\0\0\0WAVEfmt ",
    "\x89PNG\n\x1a\n",
    " \x89PNG\r\n\x1a\n",
    "BM6\x03\0\0",
    "\0\0\0\x18ftypheic\0\0\0\0mif1heic",
    "\0\0\0\x18ftypisom\0\0avifisomiso2",
    "\0\0\0\x10ftypmif1\0\0\0\0mif1avif",
    "%PDF-1.7",
  ];
  for (const impostor of impostors) {
    const bytes = Uint8Array.from(impostor, (character) => character.charCodeAt(0));
    assertEquals(sniffMime(bytes), null, impostor);
  }
});

Deno.test("pictureSize() reads the size of the five types", () => {
  for (const [mime, bytes] of Object.entries(IMAGES)) {
    const expected = mime === "image/gif" ? { width: 1, height: 1 } : { width: 6, height: 4 };
    assertEquals(pictureSize(bytes), expected, mime);
  }
});

Deno.test("pictureSize() answers null for a picture without a size", () => {
  const empty = IMAGES["image/png"].slice();
  empty.fill(0, 16, 24);

  assertEquals(pictureSize(empty), null);
  for (const bytes of Object.values(IMAGES)) assertEquals(pictureSize(bytes.slice(0, 9)), null);
});

Deno.test("pictureSize() survives damaged bytes", () => {
  const images = fc.constantFrom(...Object.values(IMAGES));
  const damage = fc.array(fc.tuple(fc.nat(400), fc.nat(255)), { maxLength: 8 });
  fc.assert(
    fc.property(images, damage, fc.nat(600), (image, changes, length) => {
      const bytes = image.slice(0, length);
      for (const [index, byte] of changes) if (index < bytes.length) bytes[index] = byte;
      const size = pictureSize(bytes);
      assertEquals(size === null || (size.width >= 1 && size.height >= 1), true);
    }),
    { numRuns: 2_000 },
  );
});
