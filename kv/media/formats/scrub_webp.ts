/**
 * A WebP without its metadata. Its size stands in front, so what is not on the list is blanked and renamed
 * instead of left out, in the frames of an animation too; {@linkcode withoutJunk} leaves it out in a second
 * pass.
 *
 * @module
 */
import { joinBytes } from "../../objects/object_bytes.ts";
import { malformedImage } from "../../model/values/malformed_image.ts";
import { viewOf } from "../bmff_box.ts";
import type { ByteSource } from "../byte_source.ts";
import type { CredentialsCollector } from "./content_credentials.ts";

/** The chunks of the picture itself. */
const KEPT = new Set(["VP8 ", "VP8L", "VP8X", "ALPH", "ANIM", "ANMF", "ICCP"]);
/** The chunks of a frame, behind its place and duration. */
const KEPT_IN_FRAME = new Set(["VP8 ", "VP8L", "ALPH"]);
const FRAME_HEAD_BYTES = 16;
const CREDENTIALS = "C2PA";
const JUNK = "JUNK";
/** Bits of a VP8X chunk that announce EXIF and XMP. */
const METADATA_BITS = 0b1100;

/** Passes on what belongs to the picture, up to its end; the rest is zeros. */
export async function* scrubWebp(
  source: ByteSource,
  credentials: CredentialsCollector,
): AsyncGenerator<Uint8Array> {
  const head = await source.take(12);
  if (head.byteLength < 12) throw malformedImage();
  yield head;
  yield* scrubChunks(source, KEPT, viewOf(head).getUint32(4, true) - 4, credentials);
  await source.skip();
}

async function* scrubChunks(
  source: ByteSource,
  kept: ReadonlySet<string>,
  room: number,
  credentials: CredentialsCollector | null,
): AsyncGenerator<Uint8Array> {
  let left = room;
  while (left >= 8) {
    const chunk = await source.take(8);
    if (chunk.byteLength < 8) {
      yield chunk;
      return;
    }
    const { type, padded: wanted, length } = chunkHead(chunk);
    const padded = Math.min(wanted, left - 8);
    left -= 8 + padded;
    if (!kept.has(type)) {
      yield Uint8Array.from(chunk, (byte, index) => index < 4 ? JUNK.charCodeAt(index) : byte);
      const taken = type === CREDENTIALS ? credentials : null;
      let untaken = length;
      for await (const piece of source.pass(padded)) {
        taken?.add(piece.subarray(0, untaken));
        untaken = Math.max(0, untaken - piece.byteLength);
        yield new Uint8Array(piece.byteLength);
      }
    } else if (type === "VP8X" && padded > 0) {
      yield chunk;
      yield (await source.take(1)).map((byte) => byte & ~METADATA_BITS);
      yield* source.pass(padded - 1);
    } else if (type === "ANMF" && padded >= FRAME_HEAD_BYTES) {
      yield chunk;
      yield* source.pass(FRAME_HEAD_BYTES);
      yield* scrubChunks(source, KEPT_IN_FRAME, padded - FRAME_HEAD_BYTES, null);
    } else {
      yield chunk;
      yield* source.pass(padded);
    }
  }
  if (kept === KEPT_IN_FRAME && left > 0) {
    for await (const piece of source.pass(left)) yield new Uint8Array(piece.byteLength);
  }
}

/**
 * The bytes of a scrubbed WebP without the chunks that were blanked. It is read twice: first for its size,
 * which stands in front of what it counts.
 */
export async function* withoutJunk(
  sourceAgain: () => Promise<ByteSource>,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const piece of keptChunks(await sourceAgain())) bytes += piece.byteLength;
  const head = joinBytes([new TextEncoder().encode("RIFF\0\0\0\0WEBP")]);
  viewOf(head).setUint32(4, bytes + 4, true);
  yield head;
  yield* keptChunks(await sourceAgain());
}

async function* keptChunks(source: ByteSource): AsyncGenerator<Uint8Array> {
  await source.skip(12);
  for (;;) {
    const chunk = await source.take(8);
    if (chunk.byteLength < 8) return;
    const { type, padded } = chunkHead(chunk);
    if (type === JUNK) await source.skip(padded);
    else {
      yield chunk;
      yield* source.pass(padded);
    }
  }
}

function chunkHead(chunk: Uint8Array): { type: string; length: number; padded: number } {
  const type = String.fromCharCode(...chunk.subarray(0, 4));
  const length = viewOf(chunk).getUint32(4, true);
  return { type, length, padded: length + length % 2 };
}
