/**
 * What some work reads of a store.
 *
 * @module
 */
import { serialize } from "node:v8";
import type { Key } from "../../../kv/keys.ts";
import type { Driver } from "../../../kv/store/driver.ts";

/** Calls, rows and bytes that were read, and the keys of the rows. */
export interface Reads {
  calls: number;
  rows: number;
  bytes: number;
  keys: Key[];
}

/** Counts what some work reads through a driver. */
export async function countReads<T>(
  driver: Driver,
  work: () => Promise<T>,
): Promise<{ reads: Reads; result: T }> {
  const reads: Reads = { calls: 0, rows: 0, bytes: 0, keys: [] };
  const { getMany, list } = driver;
  driver.getMany = async (keys) => {
    reads.calls += 1;
    reads.rows += keys.length;
    reads.keys.push(...keys);
    const entries = await getMany.call(driver, keys);
    for (const { value } of entries) if (value !== null) reads.bytes += bytesOf(value);
    return entries;
  };
  driver.list = async function* (range, options) {
    reads.calls += 1;
    let read = 0;
    for await (const entry of list.call(driver, range, options)) {
      reads.rows += 1;
      reads.keys.push(entry.key);
      reads.bytes += bytesOf(entry.value);
      if (++read % (options.batchSize ?? 100) === 0) reads.calls += 1;
      yield entry;
    }
  };
  try {
    return { result: await work(), reads };
  } finally {
    Object.assign(driver, { getMany, list });
  }
}

function bytesOf(value: unknown): number {
  return serialize(value).byteLength;
}
