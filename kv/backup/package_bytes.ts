/**
 * The bytes of packages in a backup: each file is named for its digest.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { PACKED_BYTES_MAX } from "../tuning.ts";
import { packagePath, PACKAGES_PREFIX } from "../objects/paths.ts";
import { BadTarball } from "../objects/tarball.ts";

/** Whether a file of a tarball is called as a package is. */
export function isPackageName(name: string): boolean {
  const digest = digestOf(name);
  return /^[0-9a-f]{64}$/.test(digest) && name === packagePath(digest);
}

/** The digest in the name of a package. */
export function digestOf(name: string): string {
  return name.slice(PACKAGES_PREFIX.length).replace(/\.tar\.gz$/, "");
}

/** The fault in the bytes of a package; null if their digest matches the name. */
export async function packageFault(
  name: string,
  content: AsyncIterable<Uint8Array>,
): Promise<string | null> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const piece of content) {
    bytes += piece.byteLength;
    hash.update(piece);
    if (bytes > PACKED_BYTES_MAX) throw new BadTarball("It holds a package that is too large");
  }
  return packagePath(hash.digest("hex")) === name ? null : "Its bytes are not what its name says";
}
