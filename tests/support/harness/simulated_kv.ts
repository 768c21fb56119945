/**
 * A key-value store in memory for simulations: the same limits and snapshots as the real one, calls
 * that the harness's scheduler interleaves, and faults wherever a plan wants them.
 *
 * @module
 */
import { StoreUnavailable } from "../../../kv/unavailable.ts";
import { deserialize, serialize } from "node:v8";
import type { Key } from "../../../kv/keys.ts";
import {
  KV_CHECKS_MAX,
  KV_COMMIT_BYTES_MAX,
  KV_GET_MANY_MAX,
  KV_KEY_BYTES_MAX,
  KV_VALUE_BYTES_MAX,
} from "../../../kv/limits/store.ts";
import {
  type CommitResult,
  type Driver,
  type ListOptions,
  type Range,
  StoreLocked,
} from "../../../kv/store/driver.ts";
import type { Entry, Operation } from "../../../kv/store/operation.ts";
import type { SimulatedProcess } from "./harness.ts";
import { logLine } from "../run_log.ts";

/** A call of the store. */
export interface KvCall {
  method: "getMany" | "list" | "commit";
  /** The how-manieth call of this driver, from 1. */
  n: number;
  operation?: Operation;
}

/**
 * What happens to a call: nothing unusual; a lock or an error without effect; an error although the
 * effect came about, or comes about later; a distant store; the process stands still for a minute before the
 * effect, or dies before or after it.
 */
export type KvFault =
  | "none"
  | "locked"
  | "before"
  | "after"
  | "late"
  | "slow"
  | "freeze"
  | "die_before"
  | "die_after";

/** How long a process stands still. */
const FREEZE_MS = 60_000;
/** How far away a slow store is. */
const SLOW_MS = 100;

/** Decides for each call. */
export type KvPlan = (call: KvCall) => KvFault;

/** A failure of a call by chance: of a commit also those that leave open whether it took effect. */
export function anyFailure({ method }: KvCall, random: () => number): KvFault {
  if (method !== "commit") return "before";
  return (["before", "after", "late", "locked"] as const)[Math.floor(random() * 4)]!;
}

interface Row {
  key: Key;
  bytes: Uint8Array;
  versionstamp: string;
}

/** What all processes share. */
export class SimulatedKv {
  readonly #rows: Row[] = [];
  #version = 0;
  /** Commits that took effect. */
  commits = 0;

  /** A store with the same content, which goes its own way from now on. */
  fork(): SimulatedKv {
    const fork = new SimulatedKv();
    fork.#rows.push(...this.#rows);
    fork.#version = this.#version;
    return fork;
  }

  /** A connection for one process. */
  connect(process: SimulatedProcess, plan: KvPlan = () => "none"): SimulatedDriver {
    return new SimulatedDriver(this, process, plan);
  }

  read(key: Key): Entry {
    const index = this.#place(key);
    const row = this.#rows[index];
    if (row === undefined || compareKeys(row.key, key) !== 0) {
      return { key, value: null, versionstamp: null };
    }
    return entryOf(row);
  }

  /** Entries from `start` (inclusive) to `end` (exclusive), from either side. */
  slice(bounds: { start: Key; end: Key }, count: number, reverse: boolean): Entry[] {
    const from = this.#place(bounds.start);
    const to = this.#place(bounds.end);
    const rows = reverse
      ? this.#rows.slice(Math.max(from, to - count), to).reverse()
      : this.#rows.slice(from, Math.min(to, from + count));
    return rows.map(entryOf);
  }

  /** Everything under a prefix, for the eyes of a test. */
  dump(prefix: Key): Entry[] {
    return this.slice({ start: prefix, end: [...prefix, Infinity, Infinity] }, Infinity, false);
  }

  apply(operation: Operation): CommitResult {
    assertAccepted(operation);
    for (const { key, versionstamp } of operation.checks) {
      if (this.read(key).versionstamp !== versionstamp) return { ok: false };
    }
    this.#version += 1;
    this.commits += 1;
    const versionstamp = this.#version.toString(16).padStart(20, "0");
    for (const { key, value } of operation.sets) this.#put(key, value, versionstamp);
    for (const key of operation.touches) this.#put(key, 1, versionstamp);
    for (const key of operation.deletes) {
      const index = this.#place(key);
      const row = this.#rows[index];
      if (row !== undefined && compareKeys(row.key, key) === 0) this.#rows.splice(index, 1);
    }
    return { ok: true, versionstamp };
  }

  #put(key: Key, value: unknown, versionstamp: string): void {
    const row = { key, bytes: serialize(value), versionstamp };
    const index = this.#place(key);
    const found = this.#rows[index];
    const replaces = found !== undefined && compareKeys(found.key, key) === 0;
    this.#rows.splice(index, replaces ? 1 : 0, row);
  }

  /** Where a key is, or would be. */
  #place(key: Key): number {
    let low = 0;
    let high = this.#rows.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareKeys(this.#rows[middle]!.key, key) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** A driver over a {@linkcode SimulatedKv}, as one process has it. */
export class SimulatedDriver implements Driver {
  readonly groupChecksMax = KV_CHECKS_MAX;
  readonly inFlightMax = 4;
  plan: KvPlan;
  /** Calls so far. */
  calls = 0;
  readonly #kv: SimulatedKv;
  readonly #process: SimulatedProcess;

  constructor(kv: SimulatedKv, process: SimulatedProcess, plan: KvPlan) {
    this.#kv = kv;
    this.#process = process;
    this.plan = plan;
  }

  getMany(keys: Key[]): Promise<Entry[]> {
    if (keys.length > KV_GET_MANY_MAX) throw new RangeError(`Too many keys: ${keys.length}`);
    return this.#call({ method: "getMany" }, () => keys.map((key) => this.#kv.read(key)));
  }

  async *list(range: Range, options: ListOptions): AsyncIterable<Entry> {
    const bounds = boundsOf(range);
    const batch = options.batchSize ?? 100;
    let left = options.limit ?? Infinity;
    for (;;) {
      const count = Math.min(batch, left);
      const entries = await this.#call(
        { method: "list" },
        () => this.#kv.slice(bounds, count, options.reverse ?? false),
      );
      yield* entries;
      left -= entries.length;
      const last = entries.at(-1);
      if (last === undefined || entries.length < count || left <= 0) return;
      narrow(bounds, last.key, options.reverse ?? false);
    }
  }

  commit(operation: Operation): Promise<CommitResult> {
    return this.#call({ method: "commit", operation }, () => this.#kv.apply(operation));
  }

  close(): void {}

  async #call<T>(call: Omit<KvCall, "n">, effect: () => T): Promise<T> {
    const { harness } = this.#process;
    this.calls += 1;
    const fault = this.#process.alive ? this.plan({ ...call, n: this.calls }) : "die_before";
    logLine(() => `${call.method} ${this.calls} ${fault} ${keysOf(call.operation)}`);
    if (fault === "die_before") this.#process.kill();
    if (fault === "freeze") this.#process.freeze(FREEZE_MS);
    if (fault === "slow") await harness.sleep(SLOW_MS);
    await this.#turn();
    if (fault === "locked") throw new StoreLocked("Injected lock");
    if (fault === "before") throw new StoreUnavailable("Injected before the effect");
    if (fault === "late") {
      harness.setTimer(harness.random() * 200, () => void effect());
      throw new StoreUnavailable("Injected, the effect comes later");
    }
    const result = effect();
    if (fault === "die_after") this.#process.kill();
    if (fault === "slow") await harness.sleep(SLOW_MS);
    await this.#turn();
    if (fault === "after") throw new StoreUnavailable("Injected after the effect");
    return result;
  }

  async #turn(): Promise<void> {
    await this.#process.harness.turn();
    await this.#process.awake();
  }
}

/** A driver without scheduler and faults: every call takes effect at once, so that a run is the same each time. */
export class DirectDriver implements Driver {
  readonly groupChecksMax = KV_CHECKS_MAX;
  readonly inFlightMax = 1;
  readonly #kv: SimulatedKv;

  constructor(kv: SimulatedKv) {
    this.#kv = kv;
  }

  async getMany(keys: Key[]): Promise<Entry[]> {
    if (keys.length > KV_GET_MANY_MAX) throw new RangeError(`Too many keys: ${keys.length}`);
    return keys.map((key) => this.#kv.read(key));
  }

  async *list(
    range: Range,
    { limit = Infinity, reverse = false, batchSize = 100 }: ListOptions,
  ): AsyncIterable<Entry> {
    const bounds = boundsOf(range);
    for (let left = limit; left > 0;) {
      const count = Math.min(batchSize, left);
      const entries = this.#kv.slice(bounds, count, reverse);
      yield* entries;
      if (entries.length < count) return;
      left -= count;
      narrow(bounds, entries.at(-1)!.key, reverse);
    }
  }

  async commit(operation: Operation): Promise<CommitResult> {
    logLine(() => `commit ${operation.sets.length} ${operation.deletes.length}`);
    return this.#kv.apply(operation);
  }

  close(): void {}
}

/** The keys that an operation writes. */
function keysOf(operation: Operation | undefined): string {
  return operation === undefined
    ? ""
    : JSON.stringify([operation.sets.map(({ key }) => key), operation.deletes]);
}

function entryOf({ key, bytes, versionstamp }: Row): Entry {
  return { key, value: deserialize(bytes), versionstamp };
}

/** The order of keys in Deno KV, for strings and numbers; a longer key comes after its prefix. */
export function compareKeys(a: Key, b: Key): number {
  for (let position = 0; position < a.length && position < b.length; position++) {
    const order = compareParts(a[position]!, b[position]!);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function compareParts(a: string | number, b: string | number): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (typeof a !== typeof b) return typeof a === "string" ? -1 : 1;
  if (a === b) return 0;
  const [left, right] = [`${a}`, `${b}`];
  const length = Math.min(left.length, right.length);
  for (let position = 0; position < length; position++) {
    const [one, other] = [left.charCodeAt(position), right.charCodeAt(position)];
    if (one !== other) return rank(one) - rank(other);
  }
  return left.length - right.length;
}

/** Code units in the order of UTF-8: halves of pairs come after everything else. */
function rank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}

function boundsOf(range: Range): { start: Key; end: Key } {
  if (!("prefix" in range)) return { start: range.start, end: range.end };
  const start = "start" in range && range.start !== undefined ? range.start : [...range.prefix, ""];
  const end = "end" in range && range.end !== undefined ? range.end : [...range.prefix, Infinity];
  return { start, end };
}

/** Leaves what comes after a key in the order of reading. */
function narrow(bounds: { start: Key; end: Key }, key: Key, reverse: boolean): void {
  if (reverse) bounds.end = key;
  else bounds.start = [...key, ""];
}

/** Refuses what the strictest real store would refuse. */
function assertAccepted(operation: Operation): void {
  operation.assertWithinLimits();
  let bytes = 0;
  for (const { key, value } of operation.sets) {
    const size = serialize(value).byteLength;
    if (size > KV_VALUE_BYTES_MAX) throw new TypeError("Value too large (max 65536 bytes)");
    if (JSON.stringify(key).length > KV_KEY_BYTES_MAX) throw new TypeError("Key too large");
    bytes += size + JSON.stringify(key).length;
  }
  if (bytes > KV_COMMIT_BYTES_MAX) throw new TypeError("Total mutation size too large");
}
