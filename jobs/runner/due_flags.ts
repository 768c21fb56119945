/**
 * Which lanes another thread was told of and has not looked into since: telling it once more would change nothing.
 * A message wakes the thread, which costs both of them far more than a flag that they share.
 *
 * @module
 */
import { type Lane, laneNumber, LANES } from "../../kv/jobs/due.ts";

/** A flag for each lane. */
export class DueFlags {
  /** Memory that another thread's flags may be made of. */
  readonly memory: SharedArrayBuffer;
  readonly #flags: Int32Array;

  constructor(memory = new SharedArrayBuffer(LANES.length * Int32Array.BYTES_PER_ELEMENT)) {
    this.memory = memory;
    this.#flags = new Int32Array(memory);
  }

  /** Something is due in a lane by now; false where the other thread will look into it anyway. */
  raise(lane: Lane): boolean {
    return Atomics.exchange(this.#flags, laneNumber(lane), 1) === 0;
  }

  /** What is due in some lanes is about to be read: whatever comes from here on is to be told. */
  lower(lanes: Iterable<Lane>): void {
    for (const lane of lanes) Atomics.store(this.#flags, laneNumber(lane), 0);
  }
}
