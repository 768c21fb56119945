/**
 * Objects as files below one folder. A put writes a temporary file, flushes it, renames it into place and
 * flushes the folders, so that an object is whole or absent whenever the power fails, and what a commit
 * refers to is on the disk before the commit.
 *
 * @module
 */
import { ObjectsFull } from "../unavailable.ts";
import { isDiskFull } from "../store/disk/disk_reserve.ts";
import { RENAME_ATTEMPTS_MAX } from "../tuning.ts";
import { compareTexts } from "../model/values/compare_texts.ts";
import { eventLoopTurn } from "../store/event_loop_turn.ts";
import { firstBytes } from "./object_bytes.ts";
import { type ObjectInfo, type ObjectRange, type ObjectStore } from "./object_store.ts";
import { assertObjectKey, escapePart, unescapePart } from "./paths.ts";
import { sortedLazily } from "./sorted_lazily.ts";

/** No escaped key begins with a dot, so this folder can never be an object's. */
const TEMPORARY = ".temporary";
/** Temporary files older than this were left behind by a crash. */
const TEMPORARY_AGE_MS = 86_400_000;

/** Entries of a folder that are looked at without a pause: some milliseconds. */
const ENTRIES_PER_TURN = 1_000;

/** Which objects: those below a prefix and behind a key. */
interface ListRequest {
  prefix: string;
  after: string;
}

/** An object store over a folder that several processes may share. */
export class FileObjects implements ObjectStore {
  readonly #root: string;
  readonly #now: () => number;
  #opened: Promise<void> | undefined;

  constructor(root: string, options: { now: () => number }) {
    this.#root = root.replace(/\/+$/, "");
    this.#now = options.now;
  }

  /** Makes the folder. Throws what the file system does if nothing can be written into it; it may be full. */
  async assertWritable(): Promise<void> {
    try {
      await Deno.mkdir(`${this.#root}/${TEMPORARY}`, { recursive: true });
      await Deno.remove(await Deno.makeTempFile({ dir: `${this.#root}/${TEMPORARY}` }));
    } catch (error) {
      if (!isDiskFull(error)) throw error;
    }
  }

  async put(key: string, body: Uint8Array): Promise<void> {
    await this.#write(key, async (file) => {
      let written = 0;
      while (written < body.byteLength) written += await file.write(body.subarray(written));
      return written;
    });
  }

  async putStream(key: string, body: ReadableStream<Uint8Array>): Promise<{ bytes: number }> {
    const bytes = await this.#write(key, async (file) => {
      let total = 0;
      for await (const piece of body) {
        let written = 0;
        while (written < piece.byteLength) written += await file.write(piece.subarray(written));
        total += written;
      }
      return total;
    });
    return { bytes };
  }

  async get(key: string): Promise<Uint8Array | null> {
    return await absentAsNull(() => Deno.readFile(this.#path(key)));
  }

  async getStream(key: string, range?: ObjectRange): Promise<ReadableStream<Uint8Array> | null> {
    const file = await absentAsNull(() => Deno.open(this.#path(key)));
    if (file === null) return null;
    if ((await file.stat()).isDirectory) {
      file.close();
      return null;
    }
    if (range === undefined) return file.readable;
    await file.seek(range.start, Deno.SeekMode.Start);
    if (range.end === undefined) return file.readable;
    return file.readable.pipeThrough(firstBytes(range.end - range.start));
  }

  async head(key: string): Promise<ObjectInfo | null> {
    const stat = await absentAsNull(() => Deno.stat(this.#path(key)));
    if (stat === null || !stat.isFile) return null;
    return { key, bytes: stat.size, modifiedAt: stat.mtime?.getTime() ?? 0 };
  }

  async delete(key: string): Promise<void> {
    const path = this.#path(key);
    await absentAsNull(() => Deno.remove(path));
    const folder = parentOf(path);
    if (folder !== this.#root) {
      // Fails while there is something left in it, which is what keeps the folder.
      await Deno.remove(folder).catch(() => {});
    }
  }

  async *list(prefix: string, after?: string): AsyncIterable<ObjectInfo> {
    const parts = prefix.split("/").slice(0, -1);
    if (parts.some((part) => part === "" || part === "." || part === "..")) return;
    const folder = [this.#root, ...parts.map(escapePart)].join("/");
    const base = parts.map((part) => `${part}/`).join("");
    yield* this.#walk(folder, base, { prefix, after: after ?? "" });
  }

  async *#walk(
    folder: string,
    base: string,
    wanted: ListRequest,
  ): AsyncIterable<ObjectInfo> {
    const found = await absentAsNull(() => entriesOf(folder, base, wanted)) ?? [];
    for await (const { name, key } of sortedLazily(found, (a, b) => compareTexts(a.key, b.key))) {
      if (key.endsWith("/")) yield* this.#walk(`${folder}/${name}`, key, wanted);
      else if (key !== wanted.after) {
        const info = await this.head(key);
        if (info !== null) yield info;
      }
    }
  }

  #path(key: string): string {
    assertObjectKey(key);
    return [this.#root, ...key.split("/").map(escapePart)].join("/");
  }

  async #write(key: string, fill: (file: Deno.FsFile) => Promise<number>): Promise<number> {
    const path = this.#path(key);
    await (this.#opened ??= this.#open().catch((error) => {
      this.#opened = undefined;
      throw error;
    }));
    const temporary = await Deno.makeTempFile({ dir: `${this.#root}/${TEMPORARY}` }).catch(asFull);
    try {
      const file = await Deno.open(temporary, { write: true });
      let bytes: number;
      try {
        bytes = await fill(file);
        await file.sync();
      } finally {
        file.close();
      }
      await this.#moveInto(temporary, path);
      return bytes;
    } catch (error) {
      await absentAsNull(() => Deno.remove(temporary));
      return asFull(error);
    }
  }

  /** A concurrent delete may remove the empty folder while it is created, or before the rename. */
  async #moveInto(temporary: string, path: string): Promise<void> {
    const folder = parentOf(path);
    for (let attempt = 1;; attempt++) {
      try {
        await Deno.mkdir(folder, { recursive: true });
        await Deno.rename(temporary, path);
        break;
      } catch (error) {
        if (!isFolderRemoved(error) || attempt === RENAME_ATTEMPTS_MAX) throw error;
      }
    }
    for (let flushed = folder; flushed.length >= this.#root.length; flushed = parentOf(flushed)) {
      await flushFolder(flushed);
    }
  }

  /** Makes the folders and removes what crashes left behind; runs once, before the first write. */
  async #open(): Promise<void> {
    const folder = `${this.#root}/${TEMPORARY}`;
    await Deno.mkdir(folder, { recursive: true });
    for await (const { name } of Deno.readDir(folder)) {
      const stat = await absentAsNull(() => Deno.stat(`${folder}/${name}`));
      const age = this.#now() - (stat?.mtime?.getTime() ?? Infinity);
      if (age > TEMPORARY_AGE_MS) await absentAsNull(() => Deno.remove(`${folder}/${name}`));
    }
  }
}

/**
 * Whether the error can mean that another process removed a folder: `mkdir` reports AlreadyExists when the folder was
 * there as it tried to create it and was gone when it looked whether it is one.
 */
function isFolderRemoved(error: unknown): boolean {
  return error instanceof Deno.errors.NotFound || error instanceof Deno.errors.AlreadyExists;
}

/** The entries of a folder that are wanted; the key of a folder among them ends with a slash. */
async function entriesOf(
  folder: string,
  base: string,
  { prefix, after }: ListRequest,
): Promise<{ name: string; key: string }[]> {
  const found: { name: string; key: string }[] = [];
  let examined = 0;
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (++examined % ENTRIES_PER_TURN === 0) await eventLoopTurn();
    const part = unescapePart(name);
    if (part === null) continue;
    const key = base + part + (isDirectory ? "/" : "");
    if (!key.startsWith(prefix)) continue;
    if (after.startsWith(key) || compareTexts(key, after) > 0) found.push({ name, key });
  }
  return found;
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/"));
}

async function flushFolder(path: string): Promise<void> {
  if (Deno.build.os === "windows") return;
  const folder = await absentAsNull(() => Deno.open(path));
  if (folder === null) return;
  try {
    await folder.sync();
  } finally {
    folder.close();
  }
}

function asFull(error: unknown): never {
  throw isDiskFull(error) ? new ObjectsFull("The disk is full", { cause: error }) : error;
}

async function absentAsNull<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (
      error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory ||
      error instanceof Deno.errors.IsADirectory
    ) return null;
    throw error;
  }
}
