/**
 * The file of an embedded store, as it is created.
 *
 * @module
 */
import type { DatabaseSync } from "node:sqlite";
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

/** Deno KV's index of the times at which rows expire, as it stands in the schema. */
const EXPIRY_INDEX = "create index kv_expiration_ms_idx on kv (expiration_ms)";

/**
 * Has the index of expiry times hold the rows that expire, where Deno KV has made a new file's: most never do, and an
 * entry there costs each write as much again as the row. Both queries of Deno KV on it ask for
 * `expiration_ms >= 0`, which a partial index of that condition answers. A file that has rows stays as it is.
 */
export async function indexExpiringRowsAlone(path: string): Promise<void> {
  const { DatabaseSync } = await import("node:sqlite");
  const file = new DatabaseSync(path);
  try {
    if (!isToBeIndexed(file)) return;
    file.exec("BEGIN IMMEDIATE");
    try {
      // Another process may have been faster.
      if (isToBeIndexed(file)) {
        file.exec("DROP INDEX kv_expiration_ms_idx");
        file.exec(`${EXPIRY_INDEX} where expiration_ms >= 0`);
      }
      file.exec("COMMIT");
    } catch (error) {
      file.exec("ROLLBACK");
      throw error;
    }
  } finally {
    file.close();
  }
}

function isToBeIndexed(file: DatabaseSync): boolean {
  const index = file.prepare("SELECT sql FROM sqlite_master WHERE name = 'kv_expiration_ms_idx'")
    .get();
  if (`${index?.sql}`.toLowerCase() !== EXPIRY_INDEX) return false;
  return file.prepare("SELECT 1 FROM kv LIMIT 1").get() === undefined;
}

async function isEmpty(path: string): Promise<boolean> {
  try {
    return (await Deno.stat(path)).size === 0;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return true;
    throw error;
  }
}
