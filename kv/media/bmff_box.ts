/**
 * Boxes of an ISO base media file: a length, four letters, and what is inside.
 *
 * @module
 */
import { malformedImage } from "../model/values/malformed_image.ts";
import type { ByteSource } from "./byte_source.ts";

/** The head of a box that is being read. */
export interface BoxHead {
  type: string;
  /** The head itself, as it stands in the file. */
  bytes: Uint8Array;
  /** Bytes behind the head; all that are left when the box does not say. */
  length: number;
}

/** A box inside bytes that are at hand. */
export interface Box {
  type: string;
  start: number;
  end: number;
  headBytes: number;
}

/** Reads the head of the next box; null if the file ends, or if what follows is not a box. */
export async function readBoxHead(source: ByteSource): Promise<BoxHead | null> {
  let bytes = await source.take(8);
  if (bytes.byteLength < 8) return null;
  const size = viewOf(bytes).getUint32(0);
  const type = typeOf(bytes, 4);
  if (size === 0) return { type, bytes, length: Infinity };
  if (size === 1) {
    const rest = await source.take(8);
    if (rest.byteLength < 8) return null;
    bytes = Uint8Array.of(...bytes, ...rest);
    return { type, bytes, length: lengthOf(Number(viewOf(rest).getBigUint64(0)), 16) };
  }
  // Bytes behind the last box: whatever they are, no picture needs them.
  if (size < 8) {
    await source.skip();
    return null;
  }
  return { type, bytes, length: lengthOf(size, 8) };
}

/** The boxes that lie side by side in bytes. */
export function* boxesOf(bytes: Uint8Array): Generator<Box> {
  const view = viewOf(bytes);
  for (let start = 0; start + 8 <= bytes.byteLength;) {
    const size = view.getUint32(start);
    const isLong = size === 1;
    if (isLong && start + 16 > bytes.byteLength) throw malformedImage();
    const length = isLong ? Number(view.getBigUint64(start + 8)) : size;
    const end = size === 0 ? bytes.byteLength : start + length;
    const headBytes = isLong ? 16 : 8;
    if (end < start + headBytes || end > bytes.byteLength) throw malformedImage();
    yield { type: typeOf(bytes, start + 4), start, end, headBytes };
    start = end;
  }
}

/** A view of bytes. */
export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Four letters at an offset. */
export function typeOf(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + 4));
}

function lengthOf(size: number, headBytes: number): number {
  if (size < headBytes || !Number.isSafeInteger(size)) throw malformedImage();
  return size - headBytes;
}
