/**
 * Database files of benchmarks, as a started service creates them.
 *
 * @module
 */
import { createStoreFile, indexExpiringRowsAlone } from "../../kv/store/store_file.ts";

/** Opens a database file, a new one as the service makes it. */
export async function openFile(path: string): Promise<Deno.Kv> {
  await createStoreFile(path);
  const kv = await Deno.openKv(path);
  await indexExpiringRowsAlone(path);
  return kv;
}
