/**
 * An object store that fails, hangs back or forgets on demand.
 *
 * @module
 */
import { ObjectStoreUnavailable } from "../../../kv/unavailable.ts";
import {
  type ObjectInfo,
  type ObjectRange,
  type ObjectStore,
} from "../../../kv/objects/object_store.ts";

/** A call of an object store. */
export interface ObjectCall {
  method: "put" | "putStream" | "get" | "getStream" | "head" | "delete" | "list";
  key: string;
}

/** What happens to a call: nothing unusual, refused before its effect, or an error after its effect. */
export type Fault = "none" | "before" | "after";

/** Decides for each call; may wait first. */
export type FaultPlan = (call: ObjectCall) => Fault | Promise<Fault>;

/** Passes calls on to another store unless `plan` says otherwise; records all of them. */
export class FaultyObjects implements ObjectStore {
  readonly calls: ObjectCall[] = [];
  readonly #inner: ObjectStore;
  plan: FaultPlan;

  constructor(inner: ObjectStore, plan: FaultPlan = () => "none") {
    this.#inner = inner;
    this.plan = plan;
  }

  put(key: string, body: Uint8Array, options?: { contentType?: string }): Promise<void> {
    return this.#call({ method: "put", key }, () => this.#inner.put(key, body, options));
  }

  putStream(
    key: string,
    body: ReadableStream<Uint8Array>,
    options?: { contentType?: string },
  ): Promise<{ bytes: number }> {
    return this.#call(
      { method: "putStream", key },
      () => this.#inner.putStream(key, body, options),
    );
  }

  get(key: string): Promise<Uint8Array | null> {
    return this.#call({ method: "get", key }, () => this.#inner.get(key));
  }

  getStream(key: string, range?: ObjectRange): Promise<ReadableStream<Uint8Array> | null> {
    return this.#call({ method: "getStream", key }, () => this.#inner.getStream(key, range));
  }

  head(key: string): Promise<ObjectInfo | null> {
    return this.#call({ method: "head", key }, () => this.#inner.head(key));
  }

  delete(key: string): Promise<void> {
    return this.#call({ method: "delete", key }, () => this.#inner.delete(key));
  }

  async *list(prefix: string, after?: string): AsyncIterable<ObjectInfo> {
    const fault = await this.#begin({ method: "list", key: prefix });
    yield* this.#inner.list(prefix, after);
    if (fault === "after") throw new ObjectStoreUnavailable(`Injected after list ${prefix}`);
  }

  async #begin(call: ObjectCall): Promise<Fault> {
    this.calls.push(call);
    const fault = await this.plan(call);
    if (fault === "before") {
      throw new ObjectStoreUnavailable(`Injected before ${call.method} ${call.key}`);
    }
    return fault;
  }

  async #call<T>(call: ObjectCall, work: () => Promise<T>): Promise<T> {
    const fault = await this.#begin(call);
    const result = await work();
    if (fault === "after") {
      throw new ObjectStoreUnavailable(`Injected after ${call.method} ${call.key}`);
    }
    return result;
  }
}
