/**
 * The bytes of media and packages that a backup brings along, put where they are missing; and which are
 * missing still.
 *
 * @module
 */
import type { Context } from "../context.ts";
import {
  MEDIA_FOLDER,
  MEDIA_NAME,
  MediaLine,
  objectsOfLine,
  tablePath,
  type VersionLine,
} from "../model/entities/backup.ts";
import type { PackageState } from "../model/entities/package.ts";
import { PACKAGE_KINDS } from "../model/entities/package_manifest.ts";
import { importPath, mediaPath, packagePath } from "../objects/paths.ts";
import { packageUnswept } from "../packages/sweep_packages.ts";
import { MISSING_NAMED_MAX } from "../tuning.ts";
import { splitLines } from "./lines.ts";
import { digestOf, isPackageName } from "./package_bytes.ts";
import { unpackTarball } from "../objects/tarball.ts";

const GZIP = "application/gzip";
const PACKAGE_TABLES = PACKAGE_KINDS.map(tablePath);
/** Bytes that are passed over before others have their turn. */
const PASSED_BYTES = 500_000;

/** The number of restored and missing objects, and the names of some missing ones. */
export type RestoredBytes = { restored: number; missing: number; named: string[] };

/** Restores the bytes that a tarball that was checked brings along. */
export async function restoreBytes(
  context: Context,
  importId: string,
): Promise<RestoredBytes> {
  const { objects, store } = context;
  const packed = await objects.getStream(importPath(importId));
  if (packed === null) throw new Error("The tarball of an import is missing");
  const wanted = new Map<string, ReturnType<typeof objectsOfLine>[number]>();
  const packages = new PackagesNamed();
  const result: RestoredBytes = { restored: 0, missing: 0, named: [] };
  for await (const { name, content } of unpackTarball(packed)) {
    const object = name.startsWith(MEDIA_FOLDER) ? name.slice(MEDIA_FOLDER.length) : null;
    const contentType = object === null ? undefined : wanted.get(object)?.mime;
    if (name === MEDIA_NAME) {
      for await (const line of splitLines(content)) {
        const medium = MediaLine.parse(JSON.parse(new TextDecoder().decode(line)));
        for (const one of objectsOfLine(medium)) {
          if (await objects.head(mediaPath(one.object)) === null) wanted.set(one.object, one);
        }
      }
    } else if (object !== null && contentType !== undefined) {
      await objects.putStream(mediaPath(object), ReadableStream.from(content), { contentType });
      wanted.delete(object);
      result.restored += 1;
    } else if (isPackageName(name) && await isMissing(context, name)) {
      await objects.putStream(name, ReadableStream.from(content), { contentType: GZIP });
      result.restored += 1;
    } else if (PACKAGE_TABLES.includes(name)) await packages.read(content);
    else await passOver(content, () => store.sleep(0));
  }
  const missing = [...wanted.values()].map(({ filename }) => filename);
  for (const [digest, name] of packages.living()) {
    if (await objects.head(packagePath(digest)) === null) missing.push(name);
  }
  result.missing = missing.length;
  result.named = missing.slice(0, MISSING_NAMED_MAX);
  return result;
}

/** The packages that the tables of themes and plugins lead to. */
class PackagesNamed {
  readonly #newest = new Map<string, PackageState | null>();

  async read(content: AsyncIterable<Uint8Array>): Promise<void> {
    for await (const line of splitLines(content)) {
      const version = JSON.parse(new TextDecoder().decode(line)) as VersionLine;
      this.#newest.set(version.entity_id, version.state as PackageState | null);
    }
  }

  /** Of those that are installed the digests, with what they are called. */
  living(): [digest: string, name: string][] {
    return [...this.#newest.values()].filter((state) => state !== null).map((state) => [
      state.archive.sha256,
      `${state.packageId} ${state.version}`,
    ]);
  }
}

/** Whether a package's bytes must be stored; the lock of the import keeps sweeps from beginning. */
async function isMissing(context: Context, name: string): Promise<boolean> {
  await packageUnswept(context, digestOf(name));
  return await context.objects.head(name) === null;
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
