/**
 * Streams multipart bodies: fields are collected, files are passed on as they arrive. A body is
 * refused by its declared length before it is read, and by its actual length while it is read.
 *
 * @module
 */
import type { BusboyInstance } from "@fastify/busboy";
import { Refusal } from "../../kv/refusals.ts";
import { Arrival, PACE, type Pace } from "./arrival.ts";
import { MULTIPART_FIELD_BYTES_MAX, MULTIPART_FRAMING_BYTES_MAX } from "./limits.ts";

/** A file of the body; `stream` must be read to its end, or refused by throwing. */
export interface MultipartFile {
  name: string;
  filename: string;
  stream: AsyncIterable<Uint8Array>;
}

/** Requirements on a body. */
export interface MultipartOptions {
  /** Largest file, bytes; all files together where there may be several. */
  bytesMax: number;
  /** How many files a body may have; one by default. */
  filesMax?: number;
  /** The maximum number of fields. */
  fieldsMax: number;
  /** Receives each file, one after the other. */
  onFile: (file: MultipartFile) => Promise<void>;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** The minimum speed of the body; default: that of uploads. */
  pace?: Pace;
}

/** A field of the body. */
export interface MultipartField {
  name: string;
  value: string;
}

/** Refuses a request by its headers. */
export function refuseAnnounced(request: Request, fileBytesMax: number): void {
  if (
    Number(request.headers.get("content-length") ?? 0) > fileBytesMax + MULTIPART_FRAMING_BYTES_MAX
  ) {
    throw new Refusal("PAYLOAD_TOO_LARGE");
  }
  const contentType = request.headers.get("content-type") ?? "";
  if (!/^multipart\/form-data\s*(?:;|$)/i.test(contentType)) {
    throw new Refusal("UNSUPPORTED_MEDIA_TYPE", { about: "use multipart/form-data" });
  }
}

/** Reads a multipart body; answers its fields in their order. */
export async function readMultipart(
  request: Request,
  options: MultipartOptions,
): Promise<MultipartField[]> {
  refuseAnnounced(request, options.bytesMax);
  if (request.body === null) throw bodyInvalid("it is missing");
  const parser = await newParser(
    request.headers.get("content-type")!,
    options.fieldsMax,
    options.filesMax ?? 1,
  );
  const parse = new MultipartParse(parser, options.onFile);
  const reader = request.body.getReader();
  const reads = new PacedReads(reader, options);
  try {
    await parse.feed(reads.pieces(), options.bytesMax + MULTIPART_FRAMING_BYTES_MAX);
  } catch (error) {
    // The rest is not wanted; whether the sender hears of it does not matter. A read that still waits for a stalled
    // sender is not cancelled: Deno would then never close the connection.
    if (!reads.isWaiting) reader.cancel().catch(() => {});
    await parse.abandon();
    throw error;
  }
  return parse.fields;
}

/** Pieces of a body, as long as they come fast enough. */
class PacedReads {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #arrival: Arrival;
  /** Whether a read waits for the sender, given up or not. */
  isWaiting = false;

  constructor(
    reader: ReadableStreamDefaultReader<Uint8Array>,
    { now, pace = PACE }: MultipartOptions,
  ) {
    this.#reader = reader;
    this.#arrival = new Arrival({ pace, now, kind: "multipart: " });
  }

  async *pieces(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const { value, done } = await this.#arrival.wait(() => this.#read());
      if (done) return;
      this.#arrival.count(value.byteLength);
      yield value;
    }
  }

  async #read() {
    this.isWaiting = true;
    try {
      return await readPiece(this.#reader);
    } finally {
      this.isWaiting = false;
    }
  }
}

/** One body being parsed: the parser's events as promises. */
class MultipartParse {
  readonly fields: MultipartField[] = [];
  readonly #parser: BusboyInstance;
  /** The first failure, which ends the wait of the moment and every later one. */
  #failure: { error: unknown } | null = null;
  #refuse: (error: unknown) => void = () => {};
  readonly #finished = Promise.withResolvers<void>();
  #file: Promise<void> = Promise.resolve();
  #stream: { destroy(error: Error): void } | undefined;

  constructor(parser: BusboyInstance, onFile: MultipartOptions["onFile"]) {
    this.#parser = parser;
    this.#parser.on(
      "error",
      (cause) => this.#fail(bodyInvalid("it ended prematurely", cause)),
    );
    this.#parser.on("finish", () => this.#finished.resolve());
    for (const limit of ["partsLimit", "filesLimit", "fieldsLimit"] as const) {
      this.#parser.on(limit, () => this.#fail(bodyInvalid("it has too many parts")));
    }
    this.#parser.on("field", (name, value, nameCut, valueCut) => {
      if (nameCut || valueCut) this.#fail(new Refusal("PAYLOAD_TOO_LARGE"));
      else this.fields.push({ name, value });
    });
    this.#parser.on("file", (name, stream, filename) => {
      // The parser reports its own errors; without a listener here they would end the process.
      stream.on("error", () => {});
      this.#stream = stream;
      this.#file = this.#file.then(() => onFile({ name, filename, stream }));
      this.#file.catch((error) => this.#fail(error));
    });
  }

  async feed(pieces: AsyncGenerator<Uint8Array>, bytesMax: number): Promise<void> {
    let bytes = 0;
    for (;;) {
      const { value, done } = await this.#orFailure(pieces.next());
      if (done) break;
      bytes += value.byteLength;
      if (bytes > bytesMax) throw new Refusal("PAYLOAD_TOO_LARGE");
      if (!this.#parser.write(value)) {
        await this.#orFailure(new Promise((drained) => this.#parser.once("drain", drained)));
      }
    }
    this.#parser.end();
    await this.#orFailure(this.#finished.promise);
    await this.#orFailure(this.#file);
  }

  /**
   * Ends the file and waits until its consumer has noticed, so that no work continues afterwards.
   */
  async abandon(): Promise<void> {
    this.#stream?.destroy(bodyInvalid("it was rejected"));
    await this.#file.catch(() => {});
  }

  #fail(error: unknown): void {
    this.#failure ??= { error };
    this.#refuse(this.#failure.error);
  }

  /** `Promise.race()` with a promise that stays pending would keep every piece in memory until the end of the body. */
  #orFailure<T>(work: Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.#refuse = reject;
    if (this.#failure !== null) reject(this.#failure.error);
    work.then(resolve, reject);
    return promise;
  }
}

async function newParser(
  contentType: string,
  fieldsMax: number,
  filesMax: number,
): Promise<BusboyInstance> {
  // Loaded with the first upload: the start does not wait for it.
  const { Busboy } = await import("@fastify/busboy");
  try {
    return new Busboy({
      headers: { "content-type": contentType },
      preservePath: true,
      limits: {
        files: filesMax,
        fields: fieldsMax,
        parts: fieldsMax + filesMax,
        fieldNameSize: 100,
        fieldSize: MULTIPART_FIELD_BYTES_MAX,
        headerPairs: 20,
      },
    });
  } catch (cause) {
    throw bodyInvalid("it has no boundary", cause);
  }
}

async function readPiece(reader: ReadableStreamDefaultReader<Uint8Array>) {
  try {
    return await reader.read();
  } catch (cause) {
    throw bodyInvalid("it ended prematurely", cause);
  }
}

function bodyInvalid(about: string, cause?: unknown): Refusal {
  return new Refusal("BODY_INVALID", { about: `multipart: ${about}` }, { cause });
}
