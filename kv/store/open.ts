/**
 * Opening the store: embedded in a file, in memory, attached to a deployment, or remote.
 *
 * @module
 */
import { dirname } from "node:path";
import { COMMIT_DELAY_MS } from "../tuning.ts";
import { type Log, SILENT } from "../log.ts";
import { CommitPort } from "./commits/commit_port.ts";
import { DiskReserve } from "./disk/disk_reserve.ts";
import { DenoKvDriver, type Driver, ReadingDriver } from "./driver.ts";
import { type DiskState, FullDiskDriver } from "./disk/full_disk_driver.ts";
import { KvThread } from "./kv_thread.ts";
import { RemoteDriver } from "./remote_driver.ts";
import { Store } from "./store.ts";
import { openPatiently, openStoreFile } from "./disk/store_file.ts";
import { TracedStore } from "./traced_store.ts";
import { type Watchdog, WatchedDriver } from "./watched_driver.ts";

/** Decides which store is opened. */
export interface StoreLocation {
  /** Empty: the attached database on Deno Deploy, else `kv.sqlite3` in the data folder. */
  kvUrl: string;
  dataDir: string;
  onDeploy: boolean;
  /** Whether Deno keeps every database in memory, whatever its path. */
  inMemory?: boolean;
  /** Whether a new file gets larger pages and a partial index of expiry times; true by default. */
  tuned?: boolean;
}

/** Wrappers around the driver of a store. */
export interface OpenOptions {
  /** Watches the operations of the innermost driver. */
  watchdog?: Watchdog;
  /** Wraps the driver; `native` is the embedded database, whose queue wakes other processes. */
  wrap?: (driver: Driver, native: Deno.Kv | null) => Driver;
  /** Whether its calls are traced. */
  traced?: boolean;
  /** Logs when the disk of a file is full and when it has room again. */
  log?: Log;
  /** Reports to the metrics whether the disk of a file is full. */
  disk?: DiskState;
}

/** Opens the store. */
export async function openStore(
  location: StoreLocation,
  options: OpenOptions = {},
): Promise<Store> {
  const { watchdog, wrap = (driver: Driver) => driver, traced = false } = options;
  const { log = SILENT, disk = { isFull: false } } = options;
  const StoreOf = traced ? TracedStore : Store;
  const { driver, isRemote, reserve } = await openDriver(location, disk);
  const watched = watchdog === undefined ? driver : new WatchedDriver(driver, watchdog);
  if (isRemote) return new StoreOf(wrap(new RemoteDriver(watched, { random: Math.random }), null));
  const guarded = reserve === null ? watched : new FullDiskDriver(watched, { reserve, log, disk });
  const embedded = wrap(guarded, driver instanceof DenoKvDriver ? driver.native : null);
  return new StoreOf(embedded, { commitDelayMs: COMMIT_DELAY_MS });
}

/**
 * Opens the store for a second thread of the process: it reads the file by a handle of its own and commits
 * through `commits`.
 */
export async function openStoreBeside(
  location: StoreLocation,
  commits: MessagePort,
  options: Pick<OpenOptions, "watchdog" | "traced"> = {},
): Promise<Store> {
  const { watchdog, traced = false } = options;
  const { kind, path } = placeOf(location);
  if (kind !== "file") throw new RangeError("Only a file is shared by threads");
  const driver = new ReadingDriver(await openPatiently(path), new CommitPort(commits));
  const StoreOf = traced ? TracedStore : Store;
  return new StoreOf(watchdog === undefined ? driver : new WatchedDriver(driver, watchdog));
}

/** The location and the kind of a store. */
export function placeOf(
  { kvUrl, dataDir, onDeploy, inMemory = false }: StoreLocation,
): { kind: "attached" | "remote" | "memory" | "file"; path: string } {
  if (kvUrl === "" && onDeploy) return { kind: "attached", path: "" };
  const path = kvUrl === "" ? `${dataDir}/kv.sqlite3` : kvUrl;
  if (/^https?:\/\//.test(path)) return { kind: "remote", path };
  return { kind: inMemory || path === ":memory:" ? "memory" : "file", path };
}

async function openDriver(
  location: StoreLocation,
  disk: DiskState,
): Promise<{ driver: Driver; isRemote: boolean; reserve: DiskReserve | null }> {
  const { kind, path } = placeOf(location);
  const reserve = null;
  if (kind === "attached") {
    return { driver: new DenoKvDriver(await Deno.openKv()), isRemote: true, reserve };
  }
  if (kind === "remote") return { driver: await KvThread.open(path), isRemote: true, reserve };
  // Two handles on a database in memory would be two databases.
  if (kind === "memory") {
    return { driver: new DenoKvDriver(await openPatiently(path)), isRemote: false, reserve };
  }
  return { ...await openFile(path, disk, location.tuned), isRemote: false };
}

/** SQLite opens a file that it may only read, and fails at the first write. */
async function assertWritable(path: string): Promise<void> {
  for (const file of [path, `${path}-wal`, `${path}-shm`]) {
    try {
      (await Deno.open(file, { write: true })).close();
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
}

async function openFile(
  path: string,
  disk: DiskState,
  tuned = true,
): Promise<{ driver: Driver; reserve: DiskReserve }> {
  await Deno.mkdir(dirname(path), { recursive: true });
  await assertWritable(path);
  const reserve = new DiskReserve(`${path}.reserve`);
  disk.isFull = !await reserve.prepare();
  const driver = new DenoKvDriver(await openStoreFile(path, { tuned }), {
    reader: await openPatiently(path),
  });
  return { driver, reserve };
}
