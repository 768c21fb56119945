/**
 * The file of an embedded store, as it is created.
 *
 * @module
 */
import { STORE_PAGE_BYTES } from "../tuning.ts";

/**
 * Creates the database file with pages of {@linkcode STORE_PAGE_BYTES}: the size stays what it was when the first page
 * was written, and Deno KV leaves it at SQLite's 4,096. A file that is there stays as it is.
 */
export async function createStoreFile(path: string): Promise<void> {
  if (!await isEmpty(path)) return;
  const { DatabaseSync } = await import("node:sqlite");
  const file = new DatabaseSync(path);
  try {
    // The mode is written into the file, and with it the first page.
    file.exec(`PRAGMA page_size = ${STORE_PAGE_BYTES}; PRAGMA journal_mode = WAL`);
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
