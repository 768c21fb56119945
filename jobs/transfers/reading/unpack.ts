/**
 * Uploads as plain files: gzip, zip and tar archives are opened into objects, within limits on everything that a
 * hostile sender decides. Nothing is ever written under a name from an archive.
 *
 * @module
 */
import { createTarDecoder } from "modern-tar";
import { type Context, openSecret } from "../../../kv/context.ts";
import {
  TRANSFER_ENTRIES_MAX,
  TRANSFER_EXPANSION_FREE_BYTES,
  TRANSFER_EXPANSION_MAX,
} from "../../../kv/limits/transfers.ts";
import { transferEntryPath } from "../../../kv/objects/paths.ts";
import type { TransferFile, TransferRecord } from "../../../kv/transfers/transfers.ts";
import { BadSource, type ReadableFile, type SourceFile } from "./source_file.ts";
import { headBytes } from "./text_stream.ts";

/** Packed bytes unpacked at a time: gzip makes up to a thousand of one. */
const PACKED_PIECE_BYTES = 8_000;

/** The web's own types do not say which bytes; these are always plain ones. */
type Transform = TransformStream<Uint8Array, Uint8Array>;

/** Files that no system means to export. */
const IGNORED = /(?:^|\/)(?:__MACOSX|\.DS_Store|\.git|node_modules|Thumbs\.db)(?:\/|$)/;

/** A file that can be read from its object. */
export function readableFile({ objects }: Context, file: SourceFile): ReadableFile {
  return {
    ...file,
    async open() {
      const stream = await objects.getStream(file.object);
      if (stream === null) throw new BadSource(`${file.path} is no longer there: upload it again`);
      return stream;
    },
  };
}

/** Opens the archives among the files of a transfer. */
export async function unpackFiles(
  context: Context,
  { id, generation, files, token }: Pick<
    TransferRecord,
    "id" | "generation" | "files" | "token"
  >,
): Promise<SourceFile[]> {
  const key = token === undefined ? null : openSecret(context, token, { transfer: id });
  const unpacking = new Unpacking(context, { id, generation }, files, key);
  for (const { name, bytes, object } of files) {
    await unpacking.open(readableFile(context, { path: name, bytes, object }));
  }
  return unpacking.files;
}

class Unpacking {
  readonly files: SourceFile[] = [];
  readonly #context: Context;
  readonly #key: string | null;
  readonly #bytesMax: number;
  readonly #objectOf: (number: number) => string;
  #unpacked = 0;
  #entries = 0;

  constructor(
    context: Context,
    { id, generation }: { id: string; generation: string },
    uploaded: readonly TransferFile[],
    key: string | null,
  ) {
    this.#context = context;
    this.#key = key;
    this.#objectOf = (number) => transferEntryPath(id, generation, number);
    const packed = uploaded.reduce((sum, { bytes }) => sum + bytes, 0);
    this.#bytesMax = Math.max(TRANSFER_EXPANSION_FREE_BYTES, packed * TRANSFER_EXPANSION_MAX);
  }

  async open(file: ReadableFile): Promise<void> {
    if (/\.enc$/i.test(file.path)) return await this.#openEncrypted(file);
    const head = await headBytes(file);
    if (isZip(head)) return await this.#openZip(file);
    if (isGzip(head)) return await this.#openGzip(file);
    if (isTar(head)) return await this.#openTar(await file.open());
    this.files.push({ path: file.path, bytes: file.bytes, object: file.object });
  }

  async #openEncrypted(file: ReadableFile): Promise<void> {
    if (this.#key === null) {
      throw new BadSource("The archive is encrypted: send its key, or export it with --no-encrypt");
    }
    const object = this.#objectOf(0);
    const { decrypted } = await import("./decrypt.ts");
    const stream = decrypted(await file.open(), this.#key);
    const { bytes } = await this.#context.objects.putStream(object, stream);
    const path = file.path.replace(/\.enc$/i, "");
    const plain = readableFile(this.#context, { path, bytes, object });
    const head = await headBytes(plain);
    // A wrong key can leave bytes that end by chance.
    if (!isGzip(head) && !isTar(head)) throw new BadSource("The key of the archive is wrong");
    await this.open(plain);
  }

  async #openGzip(file: ReadableFile): Promise<void> {
    const inner = await this.#isTarball(file);
    if (inner) return await this.#openTar(await this.#gunzipped(file));
    const path = file.path.replace(/\.gz$/i, "");
    await this.#keep(path, await this.#gunzipped(file));
  }

  async #isTarball(file: ReadableFile): Promise<boolean> {
    const stream = (await file.open()).pipeThrough(new DecompressionStream("gzip") as Transform);
    try {
      const head = await headBytes({ ...file, open: () => Promise.resolve(stream) });
      return isTar(head);
    } catch (cause) {
      throw damaged(file.path, cause);
    }
  }

  async #gunzipped(file: ReadableFile): Promise<ReadableStream<Uint8Array>> {
    const small = new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, controller) {
        for (let start = 0; start < piece.byteLength; start += PACKED_PIECE_BYTES) {
          controller.enqueue(piece.subarray(start, start + PACKED_PIECE_BYTES));
        }
      },
    });
    const counted = new TransformStream<Uint8Array, Uint8Array>({
      transform: (piece, controller) => {
        this.#count(piece.byteLength);
        controller.enqueue(piece);
      },
    });
    return (await file.open()).pipeThrough(small)
      .pipeThrough(new DecompressionStream("gzip") as Transform).pipeThrough(counted);
  }

  async #openTar(stream: ReadableStream<Uint8Array>): Promise<void> {
    try {
      const entries = stream.pipeThrough(createTarDecoder());
      for await (const { header, body } of entries) {
        const isFile = header.type === "file" || header.type === undefined;
        if (!isFile || IGNORED.test(header.name)) {
          for await (const _ of body) { /* Passed over. */ }
          continue;
        }
        await this.#keep(safePath(header.name), body);
      }
    } catch (cause) {
      throw damaged("The archive", cause);
    }
  }

  async #openZip(file: ReadableFile): Promise<void> {
    const { configure, Reader, ZipReader } = await import("@zip.js/zip.js");
    configure({ useWebWorkers: false });
    const { objects } = this.#context;
    class ObjectReader extends Reader<string> {
      override size = file.bytes;
      override async readUint8Array(index: number, length: number): Promise<Uint8Array> {
        const end = Math.min(index + length, file.bytes);
        const stream = await objects.getStream(file.object, { start: index, end });
        if (stream === null) throw new BadSource(`${file.path} is no longer there`);
        return new Uint8Array(await new Response(stream as ReadableStream<never>).arrayBuffer());
      }
    }
    try {
      const reader = new ZipReader(new ObjectReader(file.object));
      for await (const entry of reader.getEntriesGenerator()) {
        if (entry.directory || IGNORED.test(entry.filename)) continue;
        const path = safePath(entry.filename);
        if (entry.encrypted) throw new BadSource(`${path} is encrypted`);
        // The size that an entry announces is checked while it is read.
        const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>({
          transform: (piece, controller) => {
            this.#count(piece.byteLength);
            controller.enqueue(piece);
          },
        });
        const filled = entry.getData(writable as never);
        filled.catch(() => {});
        await this.#keep(path, readable);
        await filled;
      }
      await reader.close();
    } catch (cause) {
      throw damaged(file.path, cause);
    }
  }

  async #keep(path: string, stream: ReadableStream<Uint8Array>): Promise<void> {
    this.#entries += 1;
    if (this.#entries > TRANSFER_ENTRIES_MAX) {
      throw new BadSource(`An upload can hold at most ${TRANSFER_ENTRIES_MAX} files`);
    }
    const object = this.#objectOf(this.#entries);
    const { bytes } = await this.#context.objects.putStream(object, stream);
    this.files.push({ path, bytes, object });
  }

  #count(bytes: number): void {
    this.#unpacked += bytes;
    if (this.#unpacked > this.#bytesMax) {
      throw new BadSource(
        `The upload unpacks to more than ${TRANSFER_EXPANSION_MAX} times its size`,
      );
    }
  }
}

/** A path of an archive; refuses one that leads out of it. */
function safePath(name: string): string {
  const path = name.replaceAll("\\", "/").replace(/^\.\//, "");
  const parts = path.split("/");
  const isWrong = path.startsWith("/") || /^[a-z]:/i.test(path) || path.length > 1_000 ||
    parts.some((part) => part === ".." || part === "") || /[\x00-\x1f]/.test(path);
  if (isWrong) throw forbiddenName();
  return path;
}

function forbiddenName(): BadSource {
  return new BadSource("The archive holds a file with a forbidden name");
}

function isGzip(head: Uint8Array): boolean {
  return head[0] === 0x1f && head[1] === 0x8b;
}

function isZip(head: Uint8Array): boolean {
  return head[0] === 0x50 && head[1] === 0x4b && (head[2] === 3 || head[2] === 5);
}

function isTar(head: Uint8Array): boolean {
  return new TextDecoder().decode(head.subarray(257, 262)) === "ustar";
}

function damaged(path: string, cause: unknown): Error {
  if (cause instanceof BadSource) return cause;
  if (cause instanceof Error && cause.cause instanceof BadSource) return cause.cause;
  // The reader of zip archives refuses such names itself.
  if (cause instanceof Error && /unsafe filename/i.test(cause.message)) return forbiddenName();
  return new BadSource(`${path} is damaged or cut off`, { cause });
}
