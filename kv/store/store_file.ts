/**
 * The file of an embedded store, as it is created and opened.
 *
 * @module
 */
import type { DatabaseSync } from "node:sqlite";
import { OPEN_ATTEMPTS_MAX, STORE_PAGE_BYTES } from "../tuning.ts";

/** Opens the database in a file, which is created where there is none. */
export async function openStoreFile(path: string): Promise<Deno.Kv> {
  await patiently(() => createStoreFile(path));
  const kv = await openPatiently(path);
  await patiently(() => indexExpiringRowsAlone(path));
  return kv;
}

/** Opens the database of Deno KV at a path. */
export const openPatiently = (path: string): Promise<Deno.Kv> => patiently(() => Deno.openKv(path));

/** Two processes that create the same file can lock one another out for a moment, and Deno KV whoever has opened it. */
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

/** Deno KV's index of the times at which rows expire, as it stands in the schema. */
const EXPIRY_INDEX = "create index kv_expiration_ms_idx on kv (expiration_ms)";

/**
 * Has the index of expiry times hold the rows that expire, where Deno KV has made a new file's: most never do, and an
 * entry there costs each write as much again as the row. Both queries of Deno KV on it ask for
 * `expiration_ms >= 0`, which a partial index of that condition answers. A file that has rows stays as it is.
 */
async function indexExpiringRowsAlone(path: string): Promise<void> {
  await withFile(path, (file) => {
    if (!isToBeIndexed(file)) return;
    file.exec("BEGIN IMMEDIATE");
    // Another process may have been faster. What is not committed is taken back as the file is closed.
    if (!isToBeIndexed(file)) return;
    file.exec("DROP INDEX kv_expiration_ms_idx");
    file.exec(`${EXPIRY_INDEX} where expiration_ms >= 0`);
    file.exec("COMMIT");
  });
}

function isToBeIndexed(file: DatabaseSync): boolean {
  const index = file.prepare("SELECT sql FROM sqlite_master WHERE name = 'kv_expiration_ms_idx'")
    .get();
  if (`${index?.sql}`.toLowerCase() !== EXPIRY_INDEX) return false;
  return file.prepare("SELECT 1 FROM kv LIMIT 1").get() === undefined;
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
