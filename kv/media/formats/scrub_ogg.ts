/**
 * An Ogg file without its comments: the second packet of each of its streams (Vorbis, Opus, Theora, Speex)
 * becomes one that says nothing, of the same size, and the checksums of its pages are made again.
 *
 * @module
 */
import { joinBytes } from "../../objects/object_bytes.ts";
import { malformedImage } from "../../model/values/malformed_image.ts";
import { OGG_STREAMS_MAX } from "../../tuning.ts";
import { viewOf } from "../bmff_box.ts";
import type { ByteSource } from "../byte_source.ts";

const PAGE_HEAD_BYTES = 27;
const SERIAL_AT = 14;
const CHECKSUM_AT = 22;
/** Behind the name of the packet: no vendor, no comments, and the bit that ends a Vorbis packet. */
const EMPTY_COMMENTS = Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0, 1);
const NAMES = ["\x03vorbis", "OpusTags", "\x81theora"];
const COMMENT_PACKET = 1;
/** In Ogg, comments of FLAC and others are blocks with a type in front. */
const FLAC = "\x7fFLAC";

/** A stream: which packet its next bytes belong to, and how many of them have passed. */
interface OggStream {
  packet: number;
  passed: number;
  isFlac: boolean;
  /** The beginning of the comment packet as it becomes. */
  replacement: Uint8Array | null;
}

/** Passes pages on with their comments written over. */
export async function* scrubOgg(source: ByteSource): AsyncGenerator<Uint8Array> {
  const streams = new Map<number, OggStream>();
  for (;;) {
    const head = (await source.take(PAGE_HEAD_BYTES)).slice();
    if (head.byteLength < PAGE_HEAD_BYTES) return;
    if (String.fromCharCode(...head.subarray(0, 4)) !== "OggS") throw malformedImage();
    const lacing = await source.take(viewOf(head).getUint8(PAGE_HEAD_BYTES - 1));
    const body = await source.take(lacing.reduce((sum, length) => sum + length, 0));
    const serial = viewOf(head).getUint32(SERIAL_AT, true);
    const stream = streams.get(serial) ??
      { packet: 0, passed: 0, isFlac: false, replacement: null };
    streams.set(serial, stream);
    if (streams.size > OGG_STREAMS_MAX) throw malformedImage();
    const bytes = body.slice();
    if (!rewrite(stream, lacing, bytes)) {
      yield joinBytes([head, lacing, body]);
      continue;
    }
    head.fill(0, CHECKSUM_AT, CHECKSUM_AT + 4);
    const page = joinBytes([head, lacing, bytes]);
    viewOf(page).setUint32(CHECKSUM_AT, checksum(page), true);
    yield page;
  }
}

/** Follows the packets of a page; answers whether something of it was written over. */
function rewrite(stream: OggStream, lacing: Uint8Array, bytes: Uint8Array): boolean {
  let isChanged = false;
  let at = 0;
  for (const length of lacing) {
    const part = bytes.subarray(at, at + length);
    if (stream.packet === 0 && stream.passed === 0) {
      stream.isFlac = String.fromCharCode(...part.subarray(0, FLAC.length)) === FLAC;
    }
    if (stream.packet === COMMENT_PACKET) {
      if (stream.passed === 0) stream.replacement = emptied(stream, bytes.subarray(at));
      const wanted = stream.replacement;
      for (let index = 0; index < length; index++) {
        part[index] = wanted?.[stream.passed + index] ?? 0;
      }
      isChanged = true;
    }
    at += length;
    stream.passed += length;
    if (length < 255) {
      stream.packet += 1;
      stream.passed = 0;
    }
  }
  return isChanged;
}

/** A comment packet that says nothing, by how the present one begins. */
function emptied({ isFlac }: OggStream, packet: Uint8Array): Uint8Array {
  if (isFlac) return joinBytes([packet.slice(0, 4), EMPTY_COMMENTS.subarray(0, 8)]);
  const text = String.fromCharCode(...packet.subarray(0, 8));
  const name = NAMES.find((one) => text.startsWith(one)) ?? "";
  const comments = name === "\x03vorbis" ? EMPTY_COMMENTS : EMPTY_COMMENTS.subarray(0, 8);
  return joinBytes([packet.slice(0, name.length), comments]);
}

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte << 24;
  for (let bit = 0; bit < 8; bit++) sum = (sum << 1) ^ (sum & 0x80000000 ? 0x04c11db7 : 0);
  return sum >>> 0;
});

function checksum(page: Uint8Array): number {
  let sum = 0;
  for (const byte of page) sum = ((sum << 8) ^ TABLE[((sum >>> 24) ^ byte) & 255]!) >>> 0;
  return sum;
}
