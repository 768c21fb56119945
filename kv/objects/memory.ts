/**
 * Objects in the memory of the process, for tests and throw-away sites.
 *
 * @module
 */
import type { ObjectInfo, ObjectRange, ObjectStore } from "./object_store.ts";
import { assertObjectKey } from "./paths.ts";
import { compareTexts } from "../model/values/compare_texts.ts";
import { joinBytes } from "./object_bytes.ts";

interface MemoryObject {
  bytes: Uint8Array<ArrayBuffer>;
  modifiedAt: number;
}

/** An object store that ends with the process. */
export class MemoryObjects implements ObjectStore {
  readonly #objects = new Map<string, MemoryObject>();
  readonly #now: () => number;

  constructor(options: { now: () => number }) {
    this.#now = options.now;
  }

  async put(key: string, body: Uint8Array): Promise<void> {
    assertObjectKey(key);
    this.#objects.set(key, { bytes: body.slice(), modifiedAt: this.#now() });
  }

  async putStream(
    key: string,
    body: ReadableStream<Uint8Array>,
  ): Promise<{ bytes: number }> {
    assertObjectKey(key);
    const bytes = joinBytes(await Array.fromAsync(body));
    this.#objects.set(key, { bytes, modifiedAt: this.#now() });
    return { bytes: bytes.byteLength };
  }

  async get(key: string): Promise<Uint8Array | null> {
    return this.#find(key)?.bytes.slice() ?? null;
  }

  async getStream(key: string, range?: ObjectRange): Promise<ReadableStream<Uint8Array> | null> {
    const stored = this.#find(key);
    if (stored === undefined) return null;
    return new Blob([stored.bytes.slice(range?.start ?? 0, range?.end)]).stream();
  }

  async head(key: string): Promise<ObjectInfo | null> {
    const stored = this.#find(key);
    if (stored === undefined) return null;
    return { key, bytes: stored.bytes.byteLength, modifiedAt: stored.modifiedAt };
  }

  async delete(key: string): Promise<void> {
    assertObjectKey(key);
    this.#objects.delete(key);
  }

  async *list(prefix: string, after?: string): AsyncIterable<ObjectInfo> {
    const keys = [...this.#objects.keys()].filter((key) => key.startsWith(prefix));
    for (const key of keys.sort(compareTexts)) {
      if (after !== undefined && compareTexts(key, after) <= 0) continue;
      const info = await this.head(key);
      if (info !== null) yield info;
    }
  }

  #find(key: string): MemoryObject | undefined {
    assertObjectKey(key);
    return this.#objects.get(key);
  }
}
