/**
 * Deletes rows that are no longer read, some keys per commit.
 *
 * @module
 */
import type { Key } from "../keys.ts";
import type { Range } from "../store/driver.ts";
import { type Check, Operation } from "../store/operation.ts";
import { forEachConcurrent } from "../store/concurrency.ts";
import type { Store } from "../store/store.ts";

/** Deletes a range, `limit` keys a commit, which are read before with their values; false if `fence` has changed. */
export async function deleteRange(
  store: Store,
  range: Range,
  limit: number,
  fence?: Check,
): Promise<boolean> {
  for (;;) {
    const found = await store.listAll(range, { limit, batchSize: limit });
    if (found.length === 0) return true;
    const operation = new Operation();
    if (fence !== undefined) operation.check(fence);
    for (const { key } of found) operation.delete(key);
    if (!(await store.commit(operation)).ok) return false;
    if (found.length < limit) return true;
  }
}

/**
 * Deletes keys that are known, `limit` a commit; stops when `fence` has changed. Where it does not matter
 * which of them a crash leaves, several commits may be under way at a time.
 */
export async function deleteKeys(
  store: Store,
  keys: readonly Key[],
  limit: number,
  fence?: Check,
  atOnce = 1,
): Promise<void> {
  const starts = Array.from({ length: Math.ceil(keys.length / limit) }, (_, part) => part * limit);
  let isFenced = false;
  await forEachConcurrent(starts, atOnce, async (start) => {
    if (isFenced) return;
    const operation = new Operation();
    if (fence !== undefined) operation.check(fence);
    for (const key of keys.slice(start, start + limit)) operation.delete(key);
    if (!(await store.commit(operation)).ok) isFenced = true;
  });
}
