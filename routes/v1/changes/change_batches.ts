/**
 * Batches of the change feed. Streams with the same position and visibility wake at once after a
 * commit; the log is read and the events are serialized once for all of them.
 *
 * @module
 */
import type { ChangePageEnd } from "../../../kv/change_feed/change_feed.ts";
import { CHANGE_BATCH_BYTES, CHANGE_BATCHES_MAX } from "../../input/limits.ts";

/** Serialized events, and the cursor after them. */
export interface ChangeBatch {
  bytes: Uint8Array<ArrayBuffer>;
  end: ChangePageEnd;
}

/** Batches that were made since the log has grown last. */
export class ChangeBatches {
  #stamp = "";
  readonly #batches = new Map<string, Promise<ChangeBatch>>();

  /**
   * The batch for a name, made by its first caller.
   *
   * @param name Identifies the visibility and the position.
   * @param stamp The newest stamp of the log that this process knows; older batches are not used.
   */
  of(name: string, stamp: string, make: () => Promise<ChangeBatch>): Promise<ChangeBatch> {
    if (stamp !== this.#stamp) this.#batches.clear();
    this.#stamp = stamp;
    const known = this.#batches.get(name);
    if (known !== undefined) return known;
    const made = make();
    if (this.#batches.size >= CHANGE_BATCHES_MAX) return made;
    this.#batches.set(name, made);
    const forget = () => this.#batches.get(name) === made && this.#batches.delete(name);
    made.then(({ bytes }) => bytes.length > CHANGE_BATCH_BYTES && forget(), forget);
    return made;
  }
}
