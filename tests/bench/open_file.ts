/**
 * Database files of benchmarks, as a started service creates them.
 *
 * @module
 */
import { createStoreFile } from "../../kv/store/store_file.ts";

/** Opens a database file, a new one with pages of the service's size. */
export async function openFile(path: string): Promise<Deno.Kv> {
  await createStoreFile(path);
  return await Deno.openKv(path);
}
