/**
 * Sounds without what players show of them: MP3 and AAC lose their tags (ID3, APE), FLAC and WAV the blocks
 * and chunks that are not the sound itself.
 *
 * @module
 */
import { joinBytes } from "../../objects/object_bytes.ts";
import { SOUND_TAIL_BYTES } from "../../tuning.ts";
import { viewOf } from "../bmff_box.ts";
import type { ByteSource } from "../byte_source.ts";

const ID3_HEAD_BYTES = 10;
/** A tag without anything in it: programs that look for one at the beginning still know the type of the file. */
const EMPTY_ID3 = Uint8Array.of(0x49, 0x44, 0x33, 4, 0, 0, 0, 0, 0, 0);
const ID3V1_BYTES = 128;
const APE_FOOTER_BYTES = 32;

/** Tags at the beginning become an empty one, those at the end go. */
export async function* scrubTagged(source: ByteSource): AsyncGenerator<Uint8Array> {
  yield* withoutId3(source);
  let tail: Uint8Array = new Uint8Array();
  for await (const piece of source.pass()) {
    tail = joinBytes([tail, piece]);
    if (tail.byteLength < 2 * SOUND_TAIL_BYTES) continue;
    yield tail.subarray(0, -SOUND_TAIL_BYTES);
    tail = tail.slice(-SOUND_TAIL_BYTES);
  }
  yield tail.subarray(0, soundEnd(tail));
}

async function* withoutId3(source: ByteSource): AsyncGenerator<Uint8Array> {
  for (let isFirst = true;; isFirst = false) {
    const head = await source.take(ID3_HEAD_BYTES);
    if (head.byteLength < ID3_HEAD_BYTES || textOf(head.subarray(0, 3)) !== "ID3") {
      return source.unread(head);
    }
    if (isFirst) yield EMPTY_ID3;
    // The size is four digits of seven bits.
    const size = head.subarray(6, 10).reduce((sum, byte) => (sum << 7) | (byte & 127), 0);
    const hasFooter = (viewOf(head).getUint8(5) & 0x10) !== 0;
    await source.skip(size + (hasFooter ? ID3_HEAD_BYTES : 0));
  }
}

/** The offset at which the sound ends, before the tags that follow it. */
function soundEnd(tail: Uint8Array): number {
  let end = tail.byteLength;
  for (;;) {
    const from = end;
    if (textOf(tail.subarray(Math.max(0, end - ID3V1_BYTES), end)).startsWith("TAG")) {
      end = Math.max(0, end - ID3V1_BYTES);
    }
    const footer = tail.subarray(Math.max(0, end - APE_FOOTER_BYTES), end);
    if (footer.byteLength === APE_FOOTER_BYTES && textOf(footer.subarray(0, 8)) === "APETAGEX") {
      const view = viewOf(footer);
      // Its size counts the footer and not the header, which a flag announces.
      const header = view.getUint32(20, true) & 0x80000000 ? APE_FOOTER_BYTES : 0;
      end = Math.max(0, end - view.getUint32(12, true) - header);
    }
    if (end === from) return end;
  }
}

/** Blocks of FLAC that say how to play it: the stream's facts, its seek table, its cue sheet. */
const FLAC_KEPT = new Set([0, 3, 5]);
const FLAC_PADDING = 1;
const FLAC_LAST = 0x80;

/** Blocks that are not the sound become padding of the same size. */
export async function* scrubFlac(source: ByteSource): AsyncGenerator<Uint8Array> {
  yield* withoutId3(source);
  yield await source.take(4);
  for (;;) {
    const head = await source.take(4);
    if (head.byteLength < 4) return yield head;
    const length = viewOf(head).getUint32(0) & 0xffffff;
    const kind = viewOf(head).getUint8(0);
    const last = kind & FLAC_LAST;
    if (FLAC_KEPT.has(kind & 0x7f)) {
      yield head;
      yield* source.pass(length);
    } else {
      yield Uint8Array.of(FLAC_PADDING | last, ...head.subarray(1));
      for await (const piece of source.pass(length)) yield new Uint8Array(piece.byteLength);
    }
    if (last) break;
  }
  yield* source.pass();
}

/** Chunks of WAV that say how to play it. */
const WAV_KEPT = new Set(["fmt ", "fact", "data", "cue ", "smpl"]);

/** Chunks that are not the sound become empty ones of the same size. */
export async function* scrubWav(source: ByteSource): AsyncGenerator<Uint8Array> {
  yield await source.take(12);
  for (;;) {
    const chunk = await source.take(8);
    if (chunk.byteLength < 8) return yield chunk;
    const type = textOf(chunk.subarray(0, 4));
    const length = viewOf(chunk).getUint32(4, true);
    if (WAV_KEPT.has(type)) {
      yield chunk;
      // A recorder that did not know the length has left it empty: the sound goes to the end.
      yield* source.pass(type === "data" && length === 0 ? Infinity : length + length % 2);
    } else {
      yield joinBytes([new TextEncoder().encode("JUNK"), chunk.subarray(4)]);
      for await (const piece of source.pass(length + length % 2)) {
        yield new Uint8Array(piece.byteLength);
      }
    }
  }
}

function textOf(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}
