/**
 * An object store whose calls are spans. A stream's span ends when the stream begins.
 *
 * @module
 */
import { textBefore } from "../model/primitives/text_before.ts";
import { beginSpan, traced } from "../tracing.ts";
import type { ObjectInfo, ObjectRange, ObjectStore } from "./object_store.ts";

/** Passes everything on to another store, as spans. */
export class TracedObjects implements ObjectStore {
  readonly #inner: ObjectStore;

  constructor(inner: ObjectStore) {
    this.#inner = inner;
  }

  put(key: string, body: Uint8Array, options?: { contentType?: string }): Promise<void> {
    return span("put", key, () => this.#inner.put(key, body, options));
  }

  putStream(
    key: string,
    body: ReadableStream<Uint8Array>,
    options?: { contentType?: string },
  ): Promise<{ bytes: number }> {
    return span("put", key, () => this.#inner.putStream(key, body, options));
  }

  get(key: string): Promise<Uint8Array | null> {
    return span("get", key, () => this.#inner.get(key));
  }

  getStream(key: string, range?: ObjectRange): Promise<ReadableStream<Uint8Array> | null> {
    return span("get", key, () => this.#inner.getStream(key, range));
  }

  head(key: string): Promise<ObjectInfo | null> {
    return span("head", key, () => this.#inner.head(key));
  }

  delete(key: string): Promise<void> {
    return span("delete", key, () => this.#inner.delete(key));
  }

  async *list(prefix: string, after?: string): AsyncIterable<ObjectInfo> {
    const open = beginSpan("objects list", { "objects.family": familyOf(prefix) });
    try {
      yield* this.#inner.list(prefix, after);
    } finally {
      open.end();
    }
  }
}

function span<T>(verb: string, key: string, work: () => Promise<T>): Promise<T> {
  return traced(`objects ${verb}`, { attributes: { "objects.family": familyOf(key) } }, work);
}

function familyOf(key: string): string {
  return textBefore(key, "/");
}
