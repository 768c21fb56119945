/**
 * Packages in the object store: the very bytes that were verified, under their digest, so that every
 * version of a package leads to its own and none can be exchanged.
 *
 * @module
 */
import type { Context } from "../../kv/context.ts";
import { SecondChanceCache } from "../../kv/cache/second_chance_cache.ts";
import type { Archive } from "../../kv/model/entities/package.ts";
import { PackageFault, type PackageKind } from "../../kv/model/entities/package_manifest.ts";
import { packagePath } from "../../kv/objects/paths.ts";
import { sha256 } from "../../kv/model/values/sha256.ts";
import { PACKAGE_CACHE_BYTES_MAX } from "../limits.ts";
import { type PackageFiles, readPackage } from "./read_package.ts";

/** Keeps and finds packages. */
export class PackageArchives {
  readonly #context: Context;
  readonly #cache = new SecondChanceCache(PACKAGE_CACHE_BYTES_MAX);

  constructor(context: Context) {
    this.#context = context;
  }

  /** Stores verified bytes; they stay for good, as the versions do that lead to them. */
  async keep(packed: Uint8Array): Promise<Archive> {
    const digest = sha256(packed);
    await this.#context.objects.put(packagePath(digest), packed, {
      contentType: "application/gzip",
    });
    return { sha256: digest, bytes: packed.byteLength };
  }

  /** The files of a package; throws a {@linkcode PackageFault} when its bytes are gone or damaged. */
  async files(archive: Archive, kind: PackageKind): Promise<PackageFiles> {
    const known = this.#cache.get<PackageFiles>(archive.sha256);
    if (known !== undefined) return known;
    const packed = await this.#context.objects.get(packagePath(archive.sha256));
    if (packed === null || sha256(packed) !== archive.sha256) {
      throw new PackageFault("The bytes of the package are missing or damaged: install it again");
    }
    const files = await readPackage(packed, kind);
    const bytes = [...files.values()].reduce((sum, { byteLength }) => sum + byteLength, 0);
    return this.#cache.set(archive.sha256, files, bytes);
  }
}
