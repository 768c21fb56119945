/**
 * The file of an embedded store, as it is created and opened.
 *
 * @module
 */
import type { DatabaseSync } from "node:sqlite";
import { OPEN_ATTEMPTS_MAX, STORE_PAGE_BYTES } from "../../tuning.ts";
import { indexExpiringRowsOnly } from "./expiry_index.ts";

/**
 * Opens the database in a file, creating the file if none exists. With `tuned`, a new file gets larger pages and a
 * partial index of expiry times; without, it is as Deno KV makes it.
 */
export async function openStoreFile(path: string, { tuned = true } = {}): Promise<Deno.Kv> {
  if (tuned) await patiently(() => createStoreFile(path));
  const kv = await openPatiently(path);
  if (tuned) await patiently(() => withFile(path, indexExpiringRowsOnly));
  return kv;
}

/** Opens the database of Deno KV at a path. */
export const openPatiently = (path: string): Promise<Deno.Kv> => patiently(() => Deno.openKv(path));

/** Two processes that create the same file can lock each other out for a moment. */
async function patiently<T>(open: () => Promise<T>): Promise<T> {
  for (let attempt = 1;; attempt++) {
    try {
      return await open();
    } catch (error) {
      const locked = error instanceof Error && error.message.includes("database is locked");
      if (!locked || attempt === OPEN_ATTEMPTS_MAX) throw error;
      await new Promise((done) => setTimeout(done, 25 * attempt));
    }
  }
}

/**
 * Creates the database file with pages of {@linkcode STORE_PAGE_BYTES}: the size stays what it was when the first page
 * was written, and Deno KV leaves it at SQLite's 4,096. A file that is there stays as it is.
 */
async function createStoreFile(path: string): Promise<void> {
  if (!await isEmpty(path)) return;
  // The mode is written into the file, and with it the first page.
  const pragmas = `PRAGMA page_size = ${STORE_PAGE_BYTES}; PRAGMA journal_mode = WAL`;
  await withFile(path, (file) => file.exec(pragmas));
}

async function withFile(path: string, work: (file: DatabaseSync) => void): Promise<void> {
  const { DatabaseSync } = await import("node:sqlite");
  const file = new DatabaseSync(path);
  try {
    work(file);
  } finally {
    file.close();
  }
}

async function isEmpty(path: string): Promise<boolean> {
  try {
    return (await Deno.stat(path)).size === 0;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return true;
    throw error;
  }
}
