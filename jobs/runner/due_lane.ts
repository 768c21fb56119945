/**
 * Reads the due entries of lanes in batches.
 *
 * @module
 */
import { type Lane, laneNumber, LANES, readDueKey } from "../../kv/jobs/due.ts";
import { dueLanePrefix, duePrefix } from "../../kv/jobs/job_keys.ts";
import { zip } from "../../kv/model/primitives/zip.ts";
import type { Entry } from "../../kv/store/operation.ts";
import type { Store } from "../../kv/store/store.ts";

/** Due entries per read. */
export const DUE_BATCH = 24;

/** The next entries of a lane in order of time, due or not, after `after`. */
export async function readDue(store: Store, lane: Lane, after: Entry | null): Promise<Entry[]> {
  const prefix = dueLanePrefix(laneNumber(lane));
  const range = after === null ? { prefix } : { prefix, start: [...after.key, 0] };
  return await store.listAll(range, { limit: DUE_BATCH });
}

/**
 * Reads the first entries of lanes, by one list for all of them while few jobs wait, which is the normal case.
 */
export class DueLanes {
  readonly #store: Store;
  /** Whether the last poll of all lanes found more entries than one list reads. */
  #isMuch = false;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Lanes with their first batches. */
  async firsts(lanes: readonly Lane[]): Promise<[lane: Lane, batch: Entry[]][]> {
    return zip(lanes, await this.#firstBatches(lanes));
  }

  async #firstBatches(lanes: readonly Lane[]): Promise<Entry[][]> {
    return (lanes.length > 1 && !this.#isMuch ? await this.#together(lanes) : null) ??
      await this.#each(lanes);
  }

  async #together(lanes: readonly Lane[]): Promise<Entry[][] | null> {
    const entries = await this.#store.listAll({ prefix: duePrefix }, { limit: DUE_BATCH });
    this.#isMuch = entries.length === DUE_BATCH;
    if (this.#isMuch) return null;
    return lanes.map((lane) => entries.filter(({ key }) => readDueKey(key).lane === lane));
  }

  async #each(lanes: readonly Lane[]): Promise<Entry[][]> {
    const firsts = await Promise.all(lanes.map((lane) => readDue(this.#store, lane, null)));
    if (lanes.length === LANES.length) this.#isMuch = firsts.flat().length >= DUE_BATCH;
    return firsts;
  }
}
