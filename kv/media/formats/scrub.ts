/**
 * Removes metadata from a picture or film (places, cameras, names, thumbnails, and
 * hangs behind the end) without encoding it again.
 *
 * @module
 */
import { malformedImage } from "../../model/values/malformed_image.ts";
import { ByteSource } from "../byte_source.ts";
import type { FileMime } from "../../model/values/file_type.ts";
import type { PictureMime } from "../../model/entities/media.ts";
import { scrubAvif } from "./scrub_avif.ts";
import { scrubGif } from "./scrub_gif.ts";
import { scrubFilm } from "./scrub_film.ts";
import { scrubJpeg } from "./scrub_jpeg.ts";
import { scrubOgg } from "./scrub_ogg.ts";
import { scrubFlac, scrubTagged, scrubWav } from "./scrub_sound.ts";
import { scrubWebm } from "./scrub_webm.ts";
import { scrubWebp } from "./scrub_webp.ts";
import { CredentialsCollector } from "./content_credentials.ts";

/** The bytes of a file without its metadata; `credentials` takes the Content Credentials out of it. */
export function scrub(
  mime: PictureMime | FilmMime,
  stream: AsyncIterable<Uint8Array>,
  credentials: CredentialsCollector = new CredentialsCollector(),
): AsyncGenerator<Uint8Array> {
  const source = new ByteSource(stream);
  if (mime === "image/jpeg") return scrubJpeg(source, credentials);
  if (mime === "image/png") return scrubPng(source, credentials);
  if (mime === "image/webp") return scrubWebp(source, credentials);
  if (mime === "image/gif") return scrubGif(source, credentials);
  if (mime === "image/avif") return scrubAvif(source, credentials);
  return FILMS[mime](source, credentials);
}

type Scrub = (
  source: ByteSource,
  credentials: CredentialsCollector,
) => AsyncGenerator<Uint8Array>;

/** Films and sounds whose metadata is taken out. */
const FILMS = {
  "video/mp4": scrubFilm,
  "video/quicktime": scrubFilm,
  "audio/mp4": scrubFilm,
  "video/webm": scrubWebm,
  "video/ogg": scrubOgg,
  "audio/ogg": scrubOgg,
  "audio/mpeg": scrubTagged,
  "audio/aac": scrubTagged,
  "audio/flac": scrubFlac,
  "audio/wav": scrubWav,
} as const satisfies Partial<Record<FileMime, Scrub>>;
/** A type of those. */
export type FilmMime = keyof typeof FILMS;

/** Whether files of a type are films or sounds whose metadata is taken out. */
export function isFilm(mime: string): mime is FilmMime {
  return Object.hasOwn(FILMS, mime);
}

/** The chunks of the picture itself: its size, colors, pixels, frames. Anything else may say anything. */
const PNG_KEPT = new Set([
  ...["IHDR", "PLTE", "IDAT", "IEND", "tRNS", "acTL", "fcTL", "fdAT"],
  ...["cHRM", "gAMA", "iCCP", "sBIT", "sRGB", "cICP", "mDCV", "mDCv", "cLLI", "cLLi"],
  ...["bKGD", "hIST", "pHYs", "sPLT"],
]);

const PNG_CREDENTIALS = "caBX";

async function* scrubPng(
  source: ByteSource,
  credentials: CredentialsCollector,
): AsyncGenerator<Uint8Array> {
  yield await source.take(8);
  for (;;) {
    const head = await source.take(8);
    if (head.byteLength < 8) return;
    const length = viewOf(head).getUint32(0);
    const type = textOf(head.subarray(4));
    if (length > 0x7fffffff || !/^[A-Za-z]{4}$/.test(type)) throw malformedImage();
    if (type === PNG_CREDENTIALS) {
      for await (const piece of source.pass(length)) credentials.add(piece);
      await source.skip(4);
      continue;
    }
    if (!PNG_KEPT.has(type)) {
      await source.skip(length + 4);
      continue;
    }
    yield head;
    yield* source.pass(length + 4);
    if (type === "IEND") return await source.skip();
  }
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function textOf(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}
