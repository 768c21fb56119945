/**
 * The due entries of a lane, a batch at a time.
 *
 * @module
 */
import { type Lane, laneNumber } from "../../kv/jobs/due.ts";
import { dueLanePrefix } from "../../kv/keys.ts";
import type { Entry } from "../../kv/store/operation.ts";
import type { Store } from "../../kv/store/store.ts";

/** Due entries read at a time. */
export const DUE_BATCH = 24;

/** The next entries of a lane in order of time, due or not; `after` is the last of those before. */
export async function readDue(store: Store, lane: Lane, after: Entry | null): Promise<Entry[]> {
  const prefix = dueLanePrefix(laneNumber(lane));
  const range = after === null ? { prefix } : { prefix, start: [...after.key, 0] };
  return await store.listAll(range, { limit: DUE_BATCH });
}
