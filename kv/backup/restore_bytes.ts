/**
 * The bytes of media and packages that a back-up brings along, put where they are missing; and which media
 * are missing still.
 *
 * @module
 */
import type { Context } from "../context.ts";
import { MEDIA_FOLDER, MEDIA_NAME, MediaLine } from "../model/backup.ts";
import { importPath, mediaPath } from "../objects/paths.ts";
import { splitLines } from "./lines.ts";
import { isPackageName } from "./package_bytes.ts";
import { unpackTarball } from "./tarball.ts";

const GZIP = "application/gzip";
/** Missing media that are named. */
const NAMED_MAX = 20;
/** Bytes that are passed over before others have their turn. */
const PASSED_BYTES = 500_000;

/** What came of it. */
export type RestoredBytes = { restored: number; missing: number; named: string[] };

/** Restores the bytes that a tarball that was checked brings along. */
export async function restoreBytes(
  { objects, store }: Context,
  importId: string,
): Promise<RestoredBytes> {
  const packed = await objects.getStream(importPath(importId));
  if (packed === null) throw new Error("The tarball of an import is missing");
  const wanted = new Map<string, MediaLine>();
  const result: RestoredBytes = { restored: 0, missing: 0, named: [] };
  for await (const { name, content } of unpackTarball(packed)) {
    const object = name.startsWith(MEDIA_FOLDER) ? name.slice(MEDIA_FOLDER.length) : null;
    if (name === MEDIA_NAME) {
      for await (const line of splitLines(content)) {
        const medium = MediaLine.parse(JSON.parse(new TextDecoder().decode(line)));
        if (await objects.head(mediaPath(medium.object)) === null) {
          wanted.set(medium.object, medium);
        }
      }
    } else if (object !== null && wanted.has(object)) {
      const { mime: contentType } = wanted.get(object)!;
      await objects.putStream(mediaPath(object), ReadableStream.from(content), { contentType });
      wanted.delete(object);
      result.restored += 1;
    } else if (isPackageName(name) && await objects.head(name) === null) {
      await objects.putStream(name, ReadableStream.from(content), { contentType: GZIP });
      result.restored += 1;
    } else await passOver(content, () => store.sleep(0));
  }
  result.missing = wanted.size;
  result.named = [...wanted.values()].slice(0, NAMED_MAX).map(({ filename }) => filename);
  return result;
}

async function passOver(
  content: AsyncIterable<Uint8Array>,
  pause: () => Promise<void>,
): Promise<void> {
  let bytes = 0;
  for await (const piece of content) {
    bytes += piece.byteLength;
    if (bytes < PASSED_BYTES) continue;
    bytes = 0;
    await pause();
  }
}
