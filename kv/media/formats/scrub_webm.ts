/**
 * A WebM without what is said about it: tags, attachments, its title and date. Its parts point at each other
 * by their offsets, so what goes becomes an element that players pass over, of the same size.
 *
 * @module
 */
import { malformedImage } from "../../model/values/malformed_image.ts";
import { viewOf } from "../bmff_box.ts";
import type { ByteSource } from "../byte_source.ts";

const SEGMENT = 0x18538067;
const INFO = 0x1549a966;
const VOID = 0xec;
const TRACKS = 0x1654ae6b;
const TRACK = 0xae;
const TRACK_NAME = 0x536e;
/** Elements in which others are looked at. */
const HOLDERS = new Set([SEGMENT, INFO, TRACKS, TRACK]);
/** The elements that are kept, at the top and in the segment. */
const KEPT = new Set([
  ...[0x1a45dfa3, SEGMENT, 0x114d9b74, INFO, TRACKS, 0x1043a770, 0x1f43b675, 0x1c53bb6b],
  ...[VOID, 0xbf],
]);
/** In Info: scale, duration, the programs (which every file must name), segment numbers. */
const KEPT_IN_INFO = new Set([0x2ad7b1, 0x4489, 0x4d80, 0x5741, 0x73a4, VOID, 0xbf]);
/** Programs are named, but not which. */
const APPS = new Set([0x4d80, 0x5741]);

/** Passes elements on with those that say something about the film written over. */
export async function* scrubWebm(source: ByteSource): AsyncGenerator<Uint8Array> {
  yield* scrubElements(source, Infinity, (id) => KEPT.has(id));
}

async function* scrubElements(
  source: ByteSource,
  room: number,
  isKept: (id: number) => boolean,
): AsyncGenerator<Uint8Array> {
  let left = room;
  while (left > 0) {
    const head = await readHead(source);
    if (head === null) return;
    const { id, bytes, isEndless } = head;
    const length = Math.min(head.length, left - bytes.byteLength);
    left -= bytes.byteLength + length;
    if (!isKept(id)) {
      if (isEndless) throw malformedImage();
      yield* voided(source, bytes, length);
    } else if (isEndless && !HOLDERS.has(id)) {
      // A cluster of a live recording ends where the next one begins: its elements are looked at as they come.
      yield bytes;
      yield* source.pass();
      return;
    } else {
      yield bytes;
      if (id === SEGMENT) yield* scrubElements(source, length, (inner) => KEPT.has(inner));
      else if (id === INFO) {
        yield* scrubElements(source, length, (inner) => KEPT_IN_INFO.has(inner));
      } else if (id === TRACKS || id === TRACK) {
        yield* scrubElements(source, length, (inner) => inner !== TRACK_NAME);
      } else if (APPS.has(id)) {
        for await (const piece of source.pass(length)) yield new Uint8Array(piece.byteLength);
      } else yield* source.pass(length);
    }
  }
}

/** An element that means nothing, as long as the one in whose place it stands. */
async function* voided(
  source: ByteSource,
  head: Uint8Array,
  length: number,
): AsyncGenerator<Uint8Array> {
  const total = head.byteLength + length;
  const width = Math.min(8, head.byteLength - 1);
  const blank = new Uint8Array(head.byteLength);
  blank[0] = VOID;
  let size = total - 1 - width;
  for (let at = width; at >= 1; at--) {
    blank[at] = size % 256;
    size = Math.floor(size / 256);
  }
  blank[1]! |= 1 << (8 - width);
  yield blank;
  for await (const piece of source.pass(length)) yield new Uint8Array(piece.byteLength);
}

interface Head {
  id: number;
  bytes: Uint8Array;
  length: number;
  isEndless: boolean;
}

async function readHead(source: ByteSource): Promise<Head | null> {
  const id = await readNumber(source, 4);
  if (id === null) return null;
  const size = await readNumber(source, 8);
  if (size === null) return null;
  const bytes = Uint8Array.of(...id, ...size);
  const first = viewOf(size).getUint8(0) & (0xff >> size.length);
  const isEndless = first === 0xff >> size.length && size.subarray(1).every((byte) => byte === 255);
  const length = size.subarray(1).reduce((sum, byte) => sum * 256 + byte, first);
  return {
    id: id.reduce((sum, byte) => sum * 256 + byte, 0),
    bytes,
    length: isEndless ? Infinity : length,
    isEndless,
  };
}

/** The bytes of a number whose first one says how many it has; null at the end. */
async function readNumber(source: ByteSource, most: number): Promise<Uint8Array | null> {
  const [first] = await source.take(1);
  if (first === undefined) return null;
  const count = Math.clz32(first) - 23;
  if (count > most) throw malformedImage();
  const rest = await source.take(count - 1);
  return rest.byteLength < count - 1 ? null : Uint8Array.of(first, ...rest);
}
