/**
 * A long run of bytes as chunks of equal size: written in order, read at any offset.
 *
 * @module
 */
import type { SegmentSet } from "../../segments/segment_set.ts";
import { ByteWriter } from "./byte_writer.ts";

/** Bytes of a chunk: small enough that a rare word reads little, large enough that a frequent one reads few. */
const STREAM_CHUNK_BYTES = 24_000;

/** Takes chunk `n` of a part of a segment. */
export type Emit = (part: string, n: number, bytes: Uint8Array) => void;

/** Cuts what is written into chunks. */
export class ChunkWriter {
  readonly #writer = new ByteWriter(STREAM_CHUNK_BYTES * 2);
  readonly #part: string;
  readonly #emit: Emit;
  #chunks = 0;

  constructor(part: string, emit: Emit) {
    this.#part = part;
    this.#emit = emit;
  }

  /** Bytes written so far. */
  get length(): number {
    return this.#chunks * STREAM_CHUNK_BYTES + this.#writer.length;
  }

  /** Appends `bytes[start, end)`. */
  append(bytes: Uint8Array, start = 0, end = bytes.length): void {
    this.#writer.copy(bytes, start, end);
    if (this.#writer.length >= STREAM_CHUNK_BYTES) this.#cut(STREAM_CHUNK_BYTES);
  }

  /** Emits what is left. */
  finish(): void {
    this.#cut(1);
  }

  #cut(least: number): void {
    const bytes = this.#writer.take();
    this.#writer.clear();
    let at = 0;
    for (; bytes.length - at >= least; at += STREAM_CHUNK_BYTES) {
      this.#emit(this.#part, this.#chunks++, bytes.slice(at, at + STREAM_CHUNK_BYTES));
    }
    if (at < bytes.length) this.#writer.copy(bytes, at);
  }
}

/** Reads chunks of a part, several at a time. */
export async function readChunks(
  set: SegmentSet,
  segmentId: string,
  part: string,
  chunks: readonly number[],
): Promise<Uint8Array[]> {
  return await set.read(segmentId, chunks.map((n) => [part, n]));
}

/** The numbers of the chunks that hold `[start, end)`. */
export function chunksOf(start: number, end: number): number[] {
  const chunks: number[] = [];
  for (let n = Math.floor(start / STREAM_CHUNK_BYTES); n * STREAM_CHUNK_BYTES < end; n++) {
    chunks.push(n);
  }
  return chunks;
}

/** `[start, end)` of the stream, out of the chunks that hold it. */
export function cutOut(chunks: Uint8Array[], start: number, end: number): Uint8Array {
  const base = Math.floor(start / STREAM_CHUNK_BYTES) * STREAM_CHUNK_BYTES;
  const [only] = chunks;
  if (only !== undefined && chunks.length === 1) return only.subarray(start - base, end - base);
  const bytes = new Uint8Array(end - start);
  chunks.forEach((chunk, n) => {
    const chunkAt = base + n * STREAM_CHUNK_BYTES;
    const from = Math.max(start, chunkAt);
    const to = Math.min(end, chunkAt + chunk.length);
    bytes.set(chunk.subarray(from - chunkAt, to - chunkAt), from - start);
  });
  return bytes;
}

/** `[start, end)` of a part, read from the store. */
export async function readRange(
  set: SegmentSet,
  segmentId: string,
  part: string,
  start: number,
  end: number,
): Promise<Uint8Array> {
  if (end <= start) return new Uint8Array(0);
  return cutOut(await readChunks(set, segmentId, part, chunksOf(start, end)), start, end);
}
