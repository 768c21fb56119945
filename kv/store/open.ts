/**
 * Opening the store: embedded in a file, in memory, attached to a deployment, or remote.
 *
 * @module
 */
import { dirname } from "node:path";
import { DenoKvDriver, type Driver } from "./driver.ts";
import { Store } from "./store.ts";

/** A remote operation that takes longer is given up; milliseconds. */
const REMOTE_TIMEOUT_MS = 4_000;
/** Attempts to open a fresh file that another process is creating at this moment. */
const OPEN_ATTEMPTS_MAX = 20;

/** What decides which store it is. */
export interface StoreLocation {
  /** Empty: the attached database on Deno Deploy, else `kv.sqlite3` in the data folder. */
  kvUrl: string;
  dataDir: string;
  onDeploy: boolean;
  /** Whether Deno was told to keep every database in memory, whatever its path. */
  inMemory?: boolean;
}

/** Opens the store; `wrap` may put a driver of its own around the one below. */
export async function openStore(
  location: StoreLocation,
  wrap: (driver: DenoKvDriver) => Driver = (driver) => driver,
): Promise<Store> {
  return new Store(wrap(await openDriver(location)));
}

async function openDriver(location: StoreLocation): Promise<DenoKvDriver> {
  const { kvUrl, dataDir, onDeploy, inMemory = false } = location;
  if (kvUrl === "" && onDeploy) {
    return new DenoKvDriver(await Deno.openKv(), { timeoutMs: REMOTE_TIMEOUT_MS });
  }
  const path = kvUrl === "" ? `${dataDir}/kv.sqlite3` : kvUrl;
  if (/^https?:\/\//.test(path)) {
    return new DenoKvDriver(await openPatiently(path), { timeoutMs: REMOTE_TIMEOUT_MS });
  }
  // Two handles on a database in memory would be two databases.
  if (inMemory || path === ":memory:") return new DenoKvDriver(await openPatiently(path));
  await Deno.mkdir(dirname(path), { recursive: true });
  const kv = await openPatiently(path);
  return new DenoKvDriver(kv, { reader: await openPatiently(path) });
}

/** Two processes that create the same file can lock one another out for a moment. */
async function openPatiently(path: string): Promise<Deno.Kv> {
  for (let attempt = 1;; attempt++) {
    try {
      return await Deno.openKv(path);
    } catch (error) {
      const locked = error instanceof Error && error.message.includes("database is locked");
      if (!locked || attempt === OPEN_ATTEMPTS_MAX) throw error;
      await new Promise((done) => setTimeout(done, 25 * attempt));
    }
  }
}
