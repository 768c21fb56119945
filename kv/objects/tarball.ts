/**
 * Gzip tarballs as streams: written one file after the other, read with limits on everything that a
 * hostile sender decides.
 *
 * @module
 */
import { createTarDecoder, createTarPacker } from "modern-tar";
import {
  TARBALL_FILES_MAX,
  TARBALL_WAITING_BYTES_MAX,
  UNPACKED_BYTES_MAX,
  UNPACKED_RATIO_MAX,
} from "../tuning.ts";

/** Bytes that are compressed at a time. */
const PIECE_BYTES = 32_000;
/** Pieces after which others have their turn: about two milliseconds' work. */
const PIECES_PER_TURN = 2;
/** Bytes that the ratio is not asked of. */
const RATIO_FREE_BYTES = 64_000_000;
/** Packed bytes unpacked at a time: gzip makes up to a thousand of one. */
const PACKED_PIECE_BYTES = 8_000;

/** An invalid tarball; its message is safe to show. */
export class BadTarball extends Error {
  override name = "BadTarball";
}

/** A file on its way into a tarball; it must have exactly the size that it announces. */
export interface TarballFile {
  name: string;
  bytes: number;
  content: AsyncIterable<Uint8Array>;
}

/** A gzip tarball of files; they are asked for one after the other, as the reader takes them. */
export function packTarball(
  files: AsyncIterable<TarballFile>,
  options: { at: number; pause: () => Promise<void>; signal?: AbortSignal },
): ReadableStream<Uint8Array> {
  const { readable, controller } = createTarPacker();
  const mtime = new Date(options.at * 1000);
  const write = async () => {
    let pieces = 0;
    for await (const { name, bytes, content } of files) {
      const body = controller.add({ name, size: bytes, type: "file", mtime, mode: 0o600 });
      const writer = body.getWriter();
      for await (const piece of gathered(content)) {
        options.signal?.throwIfAborted();
        await writer.write(piece);
        if (++pieces % PIECES_PER_TURN === 0) await options.pause();
      }
      await writer.close();
    }
    controller.finalize();
  };
  // The failure arrives where the stream is read.
  write().catch((error) => controller.error(error));
  return readable.pipeThrough(new CompressionStream("gzip") as Transform);
}

/** The web's own types do not say which bytes; these are always plain ones. */
type Transform = TransformStream<Uint8Array, Uint8Array>;

/** Small pieces made into large ones. */
async function* gathered(
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let buffer = new Uint8Array(PIECE_BYTES);
  let filled = 0;
  for await (const piece of pieces) {
    let taken = 0;
    while (taken < piece.byteLength) {
      const part = piece.subarray(taken, taken + PIECE_BYTES - filled);
      buffer.set(part, filled);
      filled += part.byteLength;
      taken += part.byteLength;
      if (filled < PIECE_BYTES) continue;
      yield buffer;
      buffer = new Uint8Array(PIECE_BYTES);
      filled = 0;
    }
  }
  if (filled > 0) yield buffer.subarray(0, filled);
}

/** A file of a tarball that is being read; `content` must be read to its end before the next one. */
export interface UnpackedFile {
  name: string;
  bytes: number;
  content: AsyncIterable<Uint8Array>;
}

/**
 * The files of a gzip tarball, in order. Only plain files with plain relative names pass, each name once.
 *
 * @throws {BadTarball} for anything else, and when it is damaged, cut off or too large.
 */
export async function* unpackTarball(
  packed: ReadableStream<Uint8Array>,
  options: { signal?: AbortSignal } = {},
): AsyncGenerator<UnpackedFile> {
  const meter = new Meter();
  const stream = packed
    .pipeThrough(meter.packed())
    .pipeThrough(new DecompressionStream("gzip") as Transform, signalOf(options))
    .pipeThrough(meter.unpacked())
    .pipeThrough(createTarDecoder({ strict: true }));
  const reader = stream.getReader();
  const names = new Set<string>();
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const { header, body } = value;
      meter.header();
      // A folder that was packed again has its name in front, and contains the folder itself.
      const name = header.name.replace(/^\.\//, "");
      if (header.type === "directory" && header.size === 0) continue;
      refuseHeader({ ...header, name }, names);
      yield { name, bytes: header.size, content: meter.body(body) };
    }
  } catch (error) {
    throw reasonOf(error);
  } finally {
    await reader.cancel().catch(() => {});
  }
}

function signalOf({ signal }: { signal?: AbortSignal }): { signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}

function refuseHeader(
  { name, type, size, linkname }: { name: string; type?: string; size: number; linkname?: string },
  names: Set<string>,
): void {
  if (type !== "file" || linkname) throw new BadTarball(`It holds a ${type ?? "strange entry"}`);
  const parts = name.split("/");
  const plain = /^[a-zA-Z0-9_./-]{1,200}$/.test(name);
  if (!plain || parts.some((part) => part === "" || part === "." || part === "..")) {
    throw new BadTarball("It holds a file with a forbidden name");
  }
  if (!Number.isSafeInteger(size) || size < 0) throw new BadTarball("It holds a file of no size");
  if (names.has(name.toLowerCase())) throw new BadTarball(`It holds ${name} twice`);
  names.add(name.toLowerCase());
  if (names.size > TARBALL_FILES_MAX) throw new BadTarball("It holds too many files");
}

/** The error to throw: a bad tarball for a decoding error; object store failures and aborts pass unchanged. */
function reasonOf(error: unknown): unknown {
  if (error instanceof BadTarball || !(error instanceof Error)) return error;
  if (error instanceof TypeError) {
    return new BadTarball("It is damaged, cut off or no gzip", { cause: error });
  }
  if (/\btar\b/i.test(error.message)) {
    return new BadTarball("It is damaged, cut off or no tarball", { cause: error });
  }
  return error;
}

/** Counts what goes in and out, so that no sender makes more of little than is allowed. */
class Meter {
  #packed = 0;
  #unpacked = 0;
  #taken = 0;

  packed(): TransformStream<Uint8Array, Uint8Array> {
    return new TransformStream({
      transform: (piece, controller) => {
        this.#packed += piece.byteLength;
        for (let start = 0; start < piece.byteLength; start += PACKED_PIECE_BYTES) {
          controller.enqueue(piece.subarray(start, start + PACKED_PIECE_BYTES));
        }
      },
    });
  }

  unpacked(): TransformStream<Uint8Array, Uint8Array> {
    const inspect = (piece: Uint8Array) => {
      this.#unpacked += piece.byteLength;
      const past = this.#unpacked - RATIO_FREE_BYTES;
      if (this.#unpacked > UNPACKED_BYTES_MAX || past > this.#packed * UNPACKED_RATIO_MAX) {
        throw new BadTarball("It unpacks to far more than it is");
      }
      if (this.#unpacked - this.#taken > TARBALL_WAITING_BYTES_MAX) {
        throw new BadTarball("It has a header that is far too long");
      }
    };
    return new TransformStream({
      transform(piece, controller) {
        inspect(piece);
        controller.enqueue(piece);
      },
    });
  }

  /** Everything up to a header has been looked at. */
  header(): void {
    this.#taken = Math.max(this.#taken, this.#unpacked - TARBALL_WAITING_BYTES_MAX / 2);
  }

  async *body(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      for await (const piece of body) {
        this.#taken += piece.byteLength;
        yield piece;
      }
    } catch (error) {
      throw reasonOf(error);
    }
  }
}
