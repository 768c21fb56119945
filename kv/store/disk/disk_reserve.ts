/**
 * A file that keeps room on the disk of an embedded store. Deno KV removes expired rows on its own, also when
 * it opens the database, and ends the process when it finds no room for that. Once the disk is full the file is
 * removed, so that Deno KV has room while this service writes nothing.
 *
 * @module
 */
import { StoreFull } from "../../unavailable.ts";
import { statfs } from "node:fs";
import { dirname } from "node:path";
import { DISK_RESERVE_BYTES } from "../../tuning.ts";

/** Bytes that are written at a time, and the least room that opening a database takes. */
const PIECE_BYTES = 1_048_576;

/** Whether an error of the file system says that no room is left. */
export function isDiskFull(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string };
  return code === "ENOSPC" || code === "EDQUOT" ||
    /os error (28|122)\b/.test(message ?? "");
}

/** Bytes that are free on the disk of a folder; null when Deno was not permitted to ask. */
export async function freeBytes(folder: string): Promise<number | null> {
  const { state } = await Deno.permissions.query({ name: "sys", kind: "statfs" });
  if (state !== "granted") return null;
  return await new Promise((resolve, reject) => {
    statfs(folder, (error, found) => {
      if (error === null || error === undefined) resolve(found.bavail * found.bsize);
      else reject(error);
    });
  });
}

/** The room that is kept on one disk. */
export class DiskReserve {
  readonly #path: string;
  readonly #bytes: number;

  constructor(path: string, bytes = DISK_RESERVE_BYTES) {
    this.#path = path;
    this.#bytes = bytes;
  }

  /**
   * Takes the room, unless it is taken already; false when the disk has less than twice as much. A disk where the
   * reserve alone fits is as full as it was when the reserve was given back.
   */
  async take(): Promise<boolean> {
    const size = await this.#size();
    if (size >= this.#bytes) return true;
    // An attempt on a full disk takes what little room Deno KV has left.
    const free = await freeBytes(dirname(this.#path));
    if (free !== null && free + size < 2 * this.#bytes) {
      await this.release();
      return false;
    }
    try {
      await this.#fill(free === null ? 2 * this.#bytes : this.#bytes);
      return true;
    } catch (error) {
      if (!isDiskFull(error)) throw error;
      await this.release();
      return false;
    }
  }

  /**
   * Makes room before the database is opened; false when the disk is full.
   *
   * @throws {StoreFull} When there is not even room to open it.
   */
  async prepare(): Promise<boolean> {
    if (await this.#hasRoom()) return await this.take();
    await this.release();
    if (await this.#hasRoom()) return false;
    throw new StoreFull("The disk is full");
  }

  /** Whether one piece more fits on the disk. */
  async #hasRoom(): Promise<boolean> {
    const probe = new DiskReserve(`${this.#path}.probe`, PIECE_BYTES / 2);
    const fits = await probe.take();
    await probe.release();
    return fits;
  }

  /** Whether other files have filled even the room that the reserve left; false when Deno may not ask. */
  async isLost(): Promise<boolean> {
    const free = await freeBytes(dirname(this.#path));
    return free !== null && free < PIECE_BYTES / 2;
  }

  /** Gives the room back. */
  async release(): Promise<void> {
    await Deno.remove(this.#path).catch((error) => {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    });
  }

  async #size(): Promise<number> {
    try {
      return (await Deno.stat(this.#path)).size;
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return 0;
      throw error;
    }
  }

  /**
   * Writes so many bytes and keeps as many as the reserve has; by its handle, because another process that opens the
   * store may remove the file. Random bytes: a file system that compresses, or leaves zeros out, keeps no room.
   */
  async #fill(bytes: number): Promise<void> {
    const file = await Deno.open(this.#path, { write: true, create: true, truncate: true });
    try {
      const piece = new Uint8Array(PIECE_BYTES);
      for (let at = 0; at < piece.byteLength; at += 65_536) {
        crypto.getRandomValues(piece.subarray(at, at + 65_536));
      }
      for (let left = bytes; left > 0;) {
        left -= await file.write(piece.subarray(0, Math.min(left, piece.byteLength)));
      }
      await file.truncate(this.#bytes);
    } finally {
      file.close();
    }
  }
}
