/**
 * Lanes that another thread has been notified of and has not polled since, so that a second message can be
 * skipped: a message that wakes a thread costs far more than a shared flag.
 *
 * @module
 */
import { type Lane, laneNumber, LANES } from "../../kv/jobs/due.ts";

/** A flag for each lane. */
export class DueFlags {
  /** Memory that can be shared with another thread's flags. */
  readonly memory: SharedArrayBuffer;
  readonly #flags: Int32Array;

  constructor(memory = new SharedArrayBuffer(LANES.length * Int32Array.BYTES_PER_ELEMENT)) {
    this.memory = memory;
    this.#flags = new Int32Array(memory);
  }

  /** Marks a lane as due; false if the other thread will poll it anyway. */
  raise(lane: Lane): boolean {
    return Atomics.exchange(this.#flags, laneNumber(lane), 1) === 0;
  }

  /** Clears the flags of lanes that are about to be polled: from here on, due entries are notified again. */
  lower(lanes: Iterable<Lane>): void {
    for (const lane of lanes) Atomics.store(this.#flags, laneNumber(lane), 0);
  }
}
