/**
 * Lines of a body, as they arrive: those of a piece of it together, and none is held longer than it takes to
 * hand it on.
 *
 * @module
 */
import { Refusal } from "../../kv/refusals.ts";
import { Arrival, pacedBody } from "./arrival.ts";

/** Limits of a body of lines. */
export interface LineLimits {
  /** Bytes of a line; a longer one is reported by number only. */
  lineBytesMax: number;
  bytesMax: number;
}

/** A line without its end, which may be CRLF; null for one that is too long. */
export type Line = Uint8Array | null;

/**
 * Bytes per read. A frame of a body has slightly more than 64 KiB; a smaller buffer would read each
 * frame twice, and the cost of a read grows with the bytes waiting behind it.
 */
const PIECE_BYTES = 131_072;
const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const EMPTY = new Uint8Array();

/**
 * The lines of a stream in order, including empty ones; those that end in the same piece arrive
 * together. `received` gets the bytes of each piece.
 *
 * @throws {Refusal} PAYLOAD_TOO_LARGE where the stream has more bytes than allowed; BODY_INVALID
 * where it is cut off.
 */
export async function* linesOf(
  stream: ReadableStream<Uint8Array>,
  { lineBytesMax, bytesMax }: LineLimits,
  received: (bytes: number) => void = () => {},
): AsyncGenerator<Line[]> {
  const line = new LineBuffer(lineBytesMax);
  let total = 0;
  for await (const piece of piecesOf(stream)) {
    total += piece.byteLength;
    received(piece.byteLength);
    if (total > bytesMax) throw new Refusal("PAYLOAD_TOO_LARGE");
    const lines: Line[] = [];
    let start = 0;
    for (;;) {
      const end = piece.indexOf(NEWLINE, start);
      if (end === -1) break;
      line.add(piece.slice(start, end));
      lines.push(line.take());
      start = end + 1;
    }
    line.add(piece.slice(start));
    if (lines.length > 0) yield lines;
  }
  if (!line.isEmpty) yield [line.take()];
}

/** The pieces of a stream; each is good until the next is asked for. */
async function* piecesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* isByteStream(stream) ? piecesInPlace(stream) : pacedBody(stream);
  } catch (cause) {
    if (cause instanceof Refusal) throw cause;
    throw new Refusal("BODY_INVALID", { about: "it ended prematurely" }, { cause });
  }
}

/** Reads into the same bytes again and again: a body of 100 MB would else leave as much to be collected. */
async function* piecesInPlace(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader({ mode: "byob" });
  const arrival = new Arrival();
  let isStalled = false;
  try {
    for (let room = new Uint8Array(PIECE_BYTES);;) {
      const { value, done } = await arrival.wait(() => reader.read(room)).catch((error) => {
        isStalled = true;
        throw error;
      });
      if (done) return;
      arrival.count(value.byteLength);
      yield value;
      room = new Uint8Array(value.buffer);
    }
  } finally {
    // Deno would never close the connection if a read in progress is cancelled.
    if (!isStalled) await reader.cancel().catch(() => {});
  }
}

function isByteStream(stream: ReadableStream<Uint8Array>): boolean {
  try {
    stream.getReader({ mode: "byob" }).releaseLock();
    return true;
  } catch {
    return false;
  }
}

/** The pieces of the line that is being read. */
class LineBuffer {
  #pieces: Uint8Array[] = [];
  #size = 0;
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  get isEmpty(): boolean {
    return this.#size === 0;
  }

  add(piece: Uint8Array): void {
    this.#size += piece.byteLength;
    if (this.#size > this.#max + 1) this.#pieces = [];
    else if (piece.byteLength > 0) this.#pieces.push(piece);
  }

  take(): Line {
    const whole = this.#whole();
    this.#pieces = [];
    this.#size = 0;
    const line = whole?.at(-1) === CARRIAGE_RETURN ? whole.subarray(0, -1) : whole;
    return line === null || line.byteLength > this.#max ? null : line;
  }

  /** With the carriage return, if it ends with one. */
  #whole(): Line {
    const [pieces, size] = [this.#pieces, this.#size];
    if (size > this.#max + 1) return null;
    if (pieces.length <= 1) return pieces[0] ?? EMPTY;
    const whole = new Uint8Array(size);
    let position = 0;
    for (const piece of pieces) {
      whole.set(piece, position);
      position += piece.byteLength;
    }
    return whole;
  }
}
