/**
 * A driver over a network that fails, as Deno's client of KV Connect uses one: what is not answered is sent
 * again until it is, however long ago whoever asked for it has given up.
 *
 * @module
 */
import type { Key } from "../../../kv/keys.ts";
import type { CommitResult, Driver, ListOptions, Range } from "../../../kv/store/driver.ts";
import type { Entry, Operation } from "../../../kv/store/operation.ts";

/** Cut: nothing is sent. Held: what is sent arrives much later, even if its sender is gone. */
type Network = "up" | "cut" | "held" | "answers lost";

/** Passes calls on as long as the network is up. */
export class LatencyDriver implements Driver {
  readonly groupChecksMax: number;
  readonly inFlightMax: number;
  readonly #inner: Driver;
  #network: Network = "up";
  #changed = Promise.withResolvers<void>();
  #arrival = Promise.withResolvers<void>();
  #renewals = 0;
  /** Calls that have been made. */
  made = 0;

  constructor(inner: Driver) {
    this.#inner = inner;
    this.groupChecksMax = inner.groupChecksMax;
    this.inFlightMax = inner.inFlightMax;
  }

  /** What becomes of calls from now on; those that wait are sent again. */
  set network(network: Network) {
    this.#network = network;
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }

  /** What was held arrives. */
  arrive(): void {
    this.#arrival.resolve();
    this.#arrival = Promise.withResolvers();
  }

  getMany(keys: Key[]): Promise<Entry[]> {
    return this.#call(() => this.#inner.getMany(keys));
  }

  list(range: Range, options: ListOptions): AsyncIterable<Entry> {
    const entries = this.#inner.list(range, options)[Symbol.asyncIterator]();
    const next = () => this.#call(() => entries.next());
    return { [Symbol.asyncIterator]: () => ({ next }) };
  }

  commit(operation: Operation): Promise<CommitResult> {
    return this.#call(() => this.#inner.commit(operation));
  }

  renew(): void {
    this.#renewals += 1;
  }

  close(): void {
    this.#inner.close();
  }

  async #call<T>(call: () => Promise<T>): Promise<T> {
    this.made += 1;
    const renewals = this.#renewals;
    if (this.#network === "held") {
      await this.#arrival.promise;
      return await call();
    }
    for (;;) {
      // No caller waits for the result that a renewal has ended.
      if (renewals !== this.#renewals) return await new Promise<never>(() => {});
      if (this.#network !== "cut") {
        const answer = await call();
        if (this.#network === "up") return answer;
      }
      await this.#changed.promise;
    }
  }
}
