/**
 * A store at a distance: every call takes as long, with the strictest limits of a remote store.
 *
 * @module
 */
import type { Key } from "../../../kv/keys.ts";
import { KV_CHECKS_MAX } from "../../../kv/limits/store.ts";
import type { Driver, ListOptions, Range } from "../../../kv/store/driver.ts";
import type { Operation } from "../../../kv/store/operation.ts";

/** Waits before each call; a range is asked for by its batches. */
export class SlowDriver implements Driver {
  readonly groupChecksMax = KV_CHECKS_MAX;
  readonly inFlightMax = 8;
  readonly #inner: Driver;
  calls = 0;
  underWay = 0;
  mostUnderWay = 0;

  constructor(inner: Driver, public callMs: number) {
    this.#inner = inner;
  }

  async getMany(keys: Key[]) {
    await this.#travel();
    return await this.#inner.getMany(keys);
  }

  async *list(range: Range, options: ListOptions) {
    const batch = options.batchSize ?? 100;
    let seen = 0;
    for await (const entry of this.#inner.list(range, options)) {
      if (seen++ % batch === 0) await this.#travel();
      yield entry;
    }
    if (seen === 0) await this.#travel();
  }

  async commit(operation: Operation) {
    await this.#travel();
    return await this.#inner.commit(operation);
  }

  close(): void {
    this.#inner.close();
  }

  async #travel(): Promise<void> {
    this.calls += 1;
    if (this.callMs === 0) return;
    this.underWay += 1;
    this.mostUnderWay = Math.max(this.mostUnderWay, this.underWay);
    await new Promise((done) => setTimeout(done, this.callMs));
    this.underWay -= 1;
  }
}
