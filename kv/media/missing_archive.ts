/**
 * An archive that brings the bytes of media again: a backup with its images, or a folder of them that a user
 * has packed. Other files in it are ignored.
 *
 * @module
 */
import { BadTarball, unpackTarball } from "../objects/tarball.ts";
import type { Context } from "../context.ts";
import { downloadName, type FileMime } from "../model/values/file_type.ts";
import { ALL_MIMES, type MediaMime } from "../model/entities/media.ts";
import { MEDIA_BYTES_MAX } from "../limits/media.ts";
import type { Actor } from "../model/entities/entity.ts";
import { Refusal } from "../refusals.ts";
import { bringCredentials } from "./bring_credentials.ts";
import { ByteSource } from "./byte_source.ts";
import { isManifestStore, MANIFEST_HEAD_BYTES } from "./formats/content_credentials.ts";
import type { MediaList } from "./media_list.ts";
import { bringBytes, isKnownDigest, type SuppliedBytes } from "./missing_bytes.ts";
import { type StoreOptions, storeUpload, type Upload } from "./upload.ts";

/** How the files of an archive are stored. */
export type ArchiveStoreOptions = Pick<StoreOptions, "keepCredentials" | "check">;

/**
 * Takes a gzip tarball, file after file; what was brought before a failure stays, and the same archive may
 * come again. Answers how many files were good for what.
 *
 * @throws {Refusal} BODY_INVALID when it is no gzip tarball, or a damaged one.
 */
export async function bringArchive(
  context: Context,
  actor: Actor,
  { mediaList, ...store }: { mediaList: MediaList } & ArchiveStoreOptions,
  packed: ReadableStream<Uint8Array>,
): Promise<Record<SuppliedBytes, number>> {
  const counts: Record<SuppliedBytes, number> = { restored: 0, replaced: 0, unneeded: 0 };
  try {
    for await (const { name, bytes, content } of unpackTarball(packed)) {
      const filename = name.slice(name.lastIndexOf("/") + 1);
      const file = { ...store, filename, bytes, content };
      const upload = await storeFile(context, mediaList, file);
      if (upload === null) continue;
      const brought = await bringBytes(context, actor, mediaList, upload, filename);
      // Do not count an unneeded text file: it only accompanies the pictures in the archive.
      if (brought !== "unneeded" || !isText(upload.mime)) counts[brought] += 1;
    }
  } catch (error) {
    if (!(error instanceof BadTarball)) throw error;
    throw new Refusal("BODY_INVALID", { about: error.message }, { cause: error });
  }
  return counts;
}

/** Stores a file if it is of a type that media have; reads it to its end in any case. */
async function storeFile(
  context: Context,
  mediaList: MediaList,
  { filename, bytes, content, ...store }: ArchiveStoreOptions & {
    filename: string;
    bytes: number;
    content: AsyncIterable<Uint8Array>;
  },
): Promise<Upload | null> {
  const pieces = content[Symbol.asyncIterator]();
  // Without `return`, so that a refusal in the middle of a file leaves its rest to be read.
  const file = { [Symbol.asyncIterator]: () => ({ next: () => pieces.next() }) };
  try {
    if (bytes > MEDIA_BYTES_MAX) return null;
    const source = new ByteSource(file);
    const head = await source.take(MANIFEST_HEAD_BYTES);
    source.unread(head);
    if (isManifestStore(head)) {
      await bringCredentials(context, mediaList, source.pass());
      return null;
    }
    const types = typesFor(filename);
    const keepIf = isKnownDigest(mediaList);
    return await storeUpload(context, source.pass(), { ...store, types, keepIf });
  } catch (error) {
    if (error instanceof Refusal && error.code === "UNSUPPORTED_MEDIA_TYPE") return null;
    throw error;
  } finally {
    while (!(await pieces.next()).done);
  }
}

/** Nearly every file is a text, the tables of a backup too: only those are taken whose names say so. */
function typesFor(filename: string): MediaMime[] {
  return ALL_MIMES.filter((mime) => !isText(mime) || downloadName(filename, mime) === filename);
}

function isText(mime: MediaMime): mime is Extract<FileMime, `text/${string}`> {
  return mime.startsWith("text/");
}
