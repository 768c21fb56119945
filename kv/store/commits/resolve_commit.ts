/**
 * Settles a commit whose outcome is unknown.
 *
 * @module
 */
import type { Key } from "../../keys.ts";
import { WRITE_DEADLINE_MS } from "../../limits/store.ts";
import type { Operation } from "../operation.ts";
import type { Store } from "../store.ts";

/** Attempts to settle it. */
const ATTEMPTS = 5;

/**
 * Repeats a commit: its checks let it take effect at most once, and if they fail, the row that it writes tells
 * whether it was committed. Returns whether it took effect.
 *
 * @throws The store's error if that cannot be determined.
 */
export async function resolveCommit<Row>(
  store: Store,
  operation: Operation,
  key: Key,
  isOurs: (row: Row) => boolean,
): Promise<boolean> {
  const startedAt = store.monotonic();
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    await store.sleep(store.random() * 20 * 2 ** attempt);
    try {
      const { value } = await store.get<Row>(key);
      if (value !== null) return isOurs(value);
      if ((await store.commit(operation)).ok) return true;
    } catch (error) {
      const late = store.monotonic() - startedAt > WRITE_DEADLINE_MS;
      if (late || attempt === ATTEMPTS) throw error;
    }
  }
  return false;
}
