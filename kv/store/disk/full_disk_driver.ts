/**
 * The driver of an embedded store on a disk that may become full. From the first commit that found no room
 * until there is room again it refuses every commit at once, while reads go to the database as before.
 *
 * @module
 */
import { StoreFull } from "../../unavailable.ts";
import type { Key } from "../../keys.ts";
import type { Log } from "../../log.ts";
import type { DiskReserve } from "./disk_reserve.ts";
import { type CommitResult, type Driver, type ListOptions, type Range } from "../driver.ts";
import type { Entry, Operation } from "../operation.ts";

/** Between two attempts to take the reserve again, milliseconds. */
const RETRY_MS = 2_000;

/** Whether the disk of the store is full. */
export interface DiskState {
  isFull: boolean;
}

/** Options of the driver. */
export interface FullDiskOptions {
  reserve: Pick<DiskReserve, "take" | "release" | "isLost">;
  log: Log;
  /** Set by the driver: for the metrics. */
  disk?: DiskState;
  retryMs?: number;
}

/** Passes everything on while the disk has room. */
export class FullDiskDriver implements Driver {
  readonly groupChecksMax: number;
  readonly inFlightMax: number;
  readonly #inner: Driver;
  readonly #reserve: FullDiskOptions["reserve"];
  readonly #log: Log;
  readonly #disk: DiskState;
  readonly #retryMs: number;
  #timer: ReturnType<typeof setInterval> | undefined;
  #retrying = false;
  #isLost = false;

  constructor(inner: Driver, options: FullDiskOptions) {
    this.#inner = inner;
    this.#reserve = options.reserve;
    this.#log = options.log;
    this.#disk = options.disk ?? { isFull: false };
    this.#retryMs = options.retryMs ?? RETRY_MS;
    this.groupChecksMax = inner.groupChecksMax;
    this.inFlightMax = inner.inFlightMax;
    if (this.#disk.isFull) this.#begin();
  }

  getMany(keys: Key[]): Promise<Entry[]> {
    return this.#inner.getMany(keys);
  }

  list(range: Range, options: ListOptions): AsyncIterable<Entry> {
    return this.#inner.list(range, options);
  }

  async commit(operation: Operation): Promise<CommitResult> {
    if (this.#disk.isFull) throw new StoreFull("The disk is full");
    try {
      return await this.#inner.commit(operation);
    } catch (error) {
      if (error instanceof StoreFull && !this.#disk.isFull) {
        this.#disk.isFull = true;
        this.#begin();
        await this.#reserve.release().catch((error) => this.#log.error("reserve kept", {}, error));
      }
      throw error;
    }
  }

  renew(): void {
    this.#inner.renew?.();
  }

  close(): void {
    clearInterval(this.#timer);
    this.#inner.close();
  }

  #begin(): void {
    this.#log.error("disk full", { writes: "refused" });
    this.#timer = setInterval(() => void this.#retry(), this.#retryMs);
    Deno.unrefTimer(this.#timer);
  }

  /** Deno KV ends the process without a line of the log, and nothing here can prevent that: so it is said before. */
  async #warnOfLoss(): Promise<void> {
    const wasLost = this.#isLost;
    this.#isLost = await this.#reserve.isLost();
    if (!this.#isLost || wasLost) return;
    this.#log.error("disk reserve lost", {
      reason: "other files have filled the room that kv.sqlite3.reserve kept",
      consequence: "Deno KV ends this process when it next removes expired rows",
      action: "free space on the disk of DATA_DIR; the service then starts again",
    });
  }

  /** Ends the refusals once the reserve fits on the disk again. */
  async #retry(): Promise<void> {
    if (this.#retrying) return;
    this.#retrying = true;
    try {
      if (!await this.#reserve.take()) return await this.#warnOfLoss();
      clearInterval(this.#timer);
      this.#disk.isFull = false;
      this.#isLost = false;
      this.#log.warn("disk has room again", { writes: "accepted" });
    } catch (error) {
      this.#log.error("reserve not taken", {}, error);
    } finally {
      this.#retrying = false;
    }
  }
}
