/**
 * Takes out of a picture or film what nobody means to publish (places, cameras, names, thumbnails, whatever
 * hangs behind the end) without encoding it again.
 *
 * @module
 */
import { malformedImage } from "../model/malformed_image.ts";
import { ByteSource } from "./byte_source.ts";
import type { PictureMime } from "../model/media.ts";
import { scrubAvif } from "./scrub_avif.ts";
import { scrubGif } from "./scrub_gif.ts";
import { scrubFilm } from "./scrub_film.ts";
import { scrubJpeg } from "./scrub_jpeg.ts";

/** The bytes of a picture without its metadata. */
export function scrub(
  mime: PictureMime | FilmMime,
  stream: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const source = new ByteSource(stream);
  if (mime === "image/jpeg") return scrubJpeg(source);
  if (mime === "image/png") return scrubPng(source);
  if (mime === "image/webp") return scrubWebp(source);
  if (isFilm(mime)) return scrubFilm(source);
  return mime === "image/gif" ? scrubGif(source) : scrubAvif(source);
}

/** Films and sounds whose metadata is taken out. */
const FILMS = ["video/mp4", "video/quicktime", "audio/mp4"] as const;
type FilmMime = typeof FILMS[number];

/** Whether files of a type are films or sounds whose metadata is taken out. */
export function isFilm(mime: string): mime is FilmMime {
  return (FILMS as readonly string[]).includes(mime);
}

/** The chunks of the picture itself: its size, colours, pixels, frames. Anything else may say anything. */
const PNG_KEPT = new Set([
  ...["IHDR", "PLTE", "IDAT", "IEND", "tRNS", "acTL", "fcTL", "fdAT"],
  ...["cHRM", "gAMA", "iCCP", "sBIT", "sRGB", "cICP", "mDCV", "mDCv", "cLLI", "cLLi"],
  ...["bKGD", "hIST", "pHYs", "sPLT"],
]);

async function* scrubPng(source: ByteSource): AsyncGenerator<Uint8Array> {
  yield await source.take(8);
  for (;;) {
    const head = await source.take(8);
    if (head.byteLength < 8) return;
    const length = viewOf(head).getUint32(0);
    const type = textOf(head.subarray(4));
    if (length > 0x7fffffff || !/^[A-Za-z]{4}$/.test(type)) throw malformedImage();
    if (!PNG_KEPT.has(type)) {
      await source.skip(length + 4);
      continue;
    }
    yield head;
    yield* source.pass(length + 4);
    if (type === "IEND") return await source.skip();
  }
}

/** The chunks of the picture itself. */
const WEBP_KEPT = new Set(["VP8 ", "VP8L", "VP8X", "ALPH", "ANIM", "ANMF", "ICCP"]);
/** Bits of a VP8X chunk that announce EXIF and XMP. */
const WEBP_METADATA_BITS = 0b1100;

/** The size stands in front, so chunks are blanked and renamed instead of left out. */
async function* scrubWebp(source: ByteSource): AsyncGenerator<Uint8Array> {
  const head = await source.take(12);
  if (head.byteLength < 12) throw malformedImage();
  yield head;
  let left = viewOf(head).getUint32(4, true) - 4;
  while (left >= 8) {
    const chunk = await source.take(8);
    if (chunk.byteLength < 8) return;
    const type = textOf(chunk.subarray(0, 4));
    const length = viewOf(chunk).getUint32(4, true);
    const padded = Math.min(length + length % 2, left - 8);
    left -= 8 + padded;
    if (!WEBP_KEPT.has(type)) {
      yield Uint8Array.from(chunk, (byte, index) => index < 4 ? "JUNK".charCodeAt(index) : byte);
      for await (const piece of source.pass(padded)) yield new Uint8Array(piece.byteLength);
    } else if (type === "VP8X" && padded > 0) {
      const flags = (await source.take(1)).map((byte) => byte & ~WEBP_METADATA_BITS);
      yield chunk;
      yield flags;
      yield* source.pass(padded - 1);
    } else {
      yield chunk;
      yield* source.pass(padded);
    }
  }
  await source.skip();
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function textOf(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}
