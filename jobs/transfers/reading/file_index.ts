/**
 * Files of an archive by their paths, found in one step however many there are: rows name a file for each image and
 * link.
 *
 * @module
 */

/** Finds files by a whole path, or by the end of one. The first of several files wins. */
export class FileIndex<F extends { path: string }> {
  readonly #files: readonly F[];
  #byName: Map<string, F[]> | null = null;

  constructor(files: readonly F[]) {
    this.#files = files;
  }

  /** The file with this path, or else one whose path ends with it. */
  find(path: string): F | undefined {
    const named = this.#named(path);
    return named.find((file) => file.path === path) ??
      named.find((file) => file.path.endsWith(`/${path}`));
  }

  /** A file in a folder whose path a longer path ends with. */
  findInside(path: string): F | undefined {
    return this.#named(path).find((file) =>
      file.path.includes("/") && path.endsWith(`/${file.path}`)
    );
  }

  /** The files with the same last part. */
  #named(path: string): readonly F[] {
    this.#byName ??= Map.groupBy(this.#files, (file) => lastPart(file.path));
    return this.#byName.get(lastPart(path)) ?? [];
  }
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
