/**
 * The files of a package out of its bytes. What a hostile sender decides is bounded while it is unpacked;
 * only plain files under plain names come out.
 *
 * @module
 */
import { createTarDecoder } from "modern-tar";
import { PACKAGE_BYTES_MAX, PACKAGE_FILES_MAX } from "../../kv/limits/packages.ts";
import {
  isPackagePath,
  MANIFEST_FILE,
  PackageFault,
  type PackageKind,
  SIGNATURE_FILE,
} from "../../kv/model/entities/package_manifest.ts";
import { joinBytes } from "../../kv/objects/object_bytes.ts";
import { TAR_FRAMING_BYTES_MAX } from "../limits.ts";

/** Packed bytes unpacked at a time: gzip makes up to a thousand of one. */
const PIECE_BYTES = 8_000;

/** Files of a package by path; manifest and signature are among them. */
export type PackageFiles = ReadonlyMap<string, Uint8Array>;

/** Unpacks a package; throws a {@linkcode PackageFault} for anything that is not as it should be. */
export async function readPackage(packed: Uint8Array, kind: PackageKind): Promise<PackageFiles> {
  const limits = PACKAGE_BYTES_MAX[kind];
  if (packed.byteLength > limits.packed) throw tooLarge(kind, limits.packed, "packed");
  const tarball = await gunzip(packed, kind);
  const files = new Map<string, Uint8Array>();
  const seen = new Set<string>();
  let bytes = 0;
  const stream = streamOf(tarball).pipeThrough(createTarDecoder({ strict: true }));
  const reader = stream.getReader();
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      const { header: { name, type }, body } = value;
      refuseEntry(name, type ?? "file", seen);
      if (seen.size > PACKAGE_FILES_MAX + 2) {
        throw new PackageFault(`The package has over ${PACKAGE_FILES_MAX} files`);
      }
      const content = joinBytes(await Array.fromAsync(body));
      bytes += content.byteLength;
      if (bytes > limits.unpacked) throw tooLarge(kind, limits.unpacked, "unpacked");
      files.set(name, content);
    }
  } catch (error) {
    // Whatever the decoder says of the bytes is the sender's fault.
    reader.cancel().catch(() => {});
    throw asFault("The package is no tarball", error);
  }
  for (const name of [MANIFEST_FILE, SIGNATURE_FILE]) {
    if (!files.has(name)) throw new PackageFault(`The package has no ${name}`);
  }
  return files;
}

function refuseEntry(name: string, type: string, seen: Set<string>): void {
  const shown = JSON.stringify(name.slice(0, 100));
  if (type !== "file") throw new PackageFault(`${shown} is a ${type}, not a file`);
  if (!isPackagePath(name)) throw new PackageFault(`${shown} is no plain relative path`);
  // A store that does not tell cases apart would let the second overwrite the first.
  const path = name.toLowerCase();
  if (seen.has(path)) throw new PackageFault(`The package has ${shown} twice`);
  seen.add(path);
}

async function gunzip(packed: Uint8Array, kind: PackageKind): Promise<Uint8Array> {
  const { unpacked } = PACKAGE_BYTES_MAX[kind];
  const bytesMax = unpacked + (PACKAGE_FILES_MAX + 2) * TAR_FRAMING_BYTES_MAX;
  const gzip = new DecompressionStream("gzip") as TransformStream<Uint8Array, Uint8Array>;
  const reader = streamOf(packed).pipeThrough(gzip).getReader();
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return joinBytes(pieces);
      bytes += value.byteLength;
      if (bytes > bytesMax) throw tooLarge(kind, unpacked, "unpacked");
      pieces.push(value);
    }
  } catch (error) {
    reader.cancel().catch(() => {});
    throw asFault("The package is not gzipped, or damaged", error);
  }
}

/** Bytes piece by piece, each only when it is asked for. */
function streamOf(bytes: Uint8Array): ReadableStream<Uint8Array> {
  let start = 0;
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      if (start >= bytes.byteLength) return controller.close();
      controller.enqueue(bytes.subarray(start, start + PIECE_BYTES));
      start += PIECE_BYTES;
    },
  }, { highWaterMark: 0 });
}

function tooLarge(kind: PackageKind, bytes: number, how: string): PackageFault {
  return new PackageFault(`A ${kind} has at most ${bytes} bytes ${how}`);
}

function asFault(about: string, error: unknown): PackageFault {
  if (error instanceof PackageFault) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new PackageFault(`${about}: ${reason}`, { cause: error });
}
