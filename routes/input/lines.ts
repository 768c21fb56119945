/**
 * Lines of a body, as they arrive: none is held longer than it takes to hand it on.
 *
 * @module
 */
import { Refusal } from "../../kv/refusals.ts";

/** What is refused of a body of lines. */
export interface LineLimits {
  /** Bytes of a line; of a longer one its number is told, not its text. */
  lineBytesMax: number;
  bytesMax: number;
}

/** A line without its end; null for one that is too long. */
export type Line = Uint8Array | null;

const NEWLINE = 0x0a;
const EMPTY = new Uint8Array();

/**
 * The lines of a stream in order, empty ones too.
 *
 * @throws {Refusal} PAYLOAD_TOO_LARGE where the stream has more bytes than allowed; BODY_INVALID where it
 * is cut off.
 */
export async function* linesOf(
  stream: ReadableStream<Uint8Array>,
  { lineBytesMax, bytesMax }: LineLimits,
): AsyncGenerator<Line> {
  const line = new LineBuffer(lineBytesMax);
  let total = 0;
  for await (const piece of piecesOf(stream)) {
    total += piece.byteLength;
    if (total > bytesMax) throw new Refusal("PAYLOAD_TOO_LARGE");
    let start = 0;
    for (;;) {
      const end = piece.indexOf(NEWLINE, start);
      if (end === -1) break;
      line.add(piece.subarray(start, end));
      yield line.take();
      start = end + 1;
    }
    line.add(piece.subarray(start));
  }
  if (!line.isEmpty) yield line.take();
}

async function* piecesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* stream;
  } catch (cause) {
    throw new Refusal("BODY_INVALID", { about: "it ended too soon" }, { cause });
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
    if (this.#size > this.#max) this.#pieces = [];
    else if (piece.byteLength > 0) this.#pieces.push(piece);
  }

  take(): Line {
    const [pieces, size] = [this.#pieces, this.#size];
    this.#pieces = [];
    this.#size = 0;
    if (size > this.#max) return null;
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
