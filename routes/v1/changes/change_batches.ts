/**
 * What streams of the change feed are told together. Streams that stand at the same place and see the same
 * wake at once when something is committed: the log is read, and the events are written out, once for all.
 *
 * @module
 */
import type { ChangePageEnd } from "../../../kv/changes/change_feed.ts";
import { CHANGE_BATCH_BYTES, CHANGE_BATCHES_MAX } from "../../input/limits.ts";

/** Events as they are sent, and where the next begin. */
export interface ChangeBatch {
  bytes: Uint8Array<ArrayBuffer>;
  end: ChangePageEnd;
}

/** Batches that were made since the log has grown last. */
export class ChangeBatches {
  #stamp = "";
  readonly #batches = new Map<string, Promise<ChangeBatch>>();

  /**
   * The batch of all who give the same name, made by the first of them.
   *
   * @param name Who sees what, and from where on.
   * @param stamp The newest stamp of the log as this process knows it: what was made before it is not given.
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
