/**
 * The index of expiry times in an embedded store. Deno KV indexes every row, but most never expire, and an index entry
 * costs a write about as much as the row itself. Both queries of Deno KV that use the index ask for
 * `expiration_ms >= 0`, so a partial index with this condition answers them. See `docs/decisions/expiry_index.md`.
 *
 * @module
 */
import type { DatabaseSync } from "node:sqlite";

/** Deno KV's index, as the schema stores it. */
const EXPIRY_INDEX = "create index kv_expiration_ms_idx on kv (expiration_ms)";

/** Replaces the index in a file that Deno KV has just created. A file that contains rows stays as it is. */
export function indexExpiringRowsOnly(file: DatabaseSync): void {
  if (!isReplaceable(file)) return;
  file.exec("BEGIN IMMEDIATE");
  // Another process may have replaced it. Closing the file rolls back what is not committed.
  if (!isReplaceable(file)) return;
  file.exec("DROP INDEX kv_expiration_ms_idx");
  file.exec(`${EXPIRY_INDEX} where expiration_ms >= 0`);
  file.exec("COMMIT");
}

function isReplaceable(file: DatabaseSync): boolean {
  const index = file.prepare("SELECT sql FROM sqlite_master WHERE name = 'kv_expiration_ms_idx'")
    .get();
  if (`${index?.sql}`.toLowerCase() !== EXPIRY_INDEX) return false;
  return file.prepare("SELECT 1 FROM kv LIMIT 1").get() === undefined;
}
