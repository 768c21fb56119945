/**
 * Purges that survive an outage of the invalidation address: after a failure, tags are collected in the store
 * for a while and sent together once the address responds. So no job waits for it or fails.
 *
 * @module
 */
import type { Context } from "../../kv/context.ts";
import { purgeTagKey, purgeTagPrefix } from "../../kv/keys.ts";
import { KV_MUTATIONS_MAX } from "../../kv/limits/store.ts";
import { PURGE_TAGS_MAX } from "../limits.ts";
import { Operation } from "../../kv/store/operation.ts";
import type { Purge, PurgeRecord } from "./purge.ts";

/** How long a failed address is left alone, milliseconds. */
const PAUSE_MS = 30_000;

/** Sends or collects tags. */
export class PurgeCollector {
  readonly #context: Context;
  readonly #send: Purge;
  #closedUntil = -Infinity;

  constructor(context: Context, send: Purge) {
    this.#context = context;
    this.#send = send;
  }

  /** Purges now, or collects the tags. */
  readonly purge: Purge = async (tags) => {
    const { now, log } = this.#context;
    if (now() >= this.#closedUntil) {
      try {
        return await this.#send(tags);
      } catch (error) {
        this.#closedUntil = now() + PAUSE_MS;
        log.warn("caches not purged", { error: `${error}` });
      }
    }
    return await this.#collect(tags);
  };

  /** Sends the tags that any process collected; tags added in the meantime stay. */
  async flush(): Promise<void> {
    const { store, log } = this.#context;
    for (;;) {
      const entries = await store.listAll<string>(
        { prefix: purgeTagPrefix },
        { limit: PURGE_TAGS_MAX },
      );
      if (entries.length === 0) return;
      try {
        await this.#send(entries.map(({ value }) => value));
      } catch (error) {
        this.#closedUntil = this.#context.now() + PAUSE_MS;
        log.warn("caches not purged", { error: `${error}`, waiting: entries.length });
        return;
      }
      this.#closedUntil = -Infinity;
      // A tag that was collected again since was sent too early.
      await Promise.all(
        entries.map((entry) => store.commit(new Operation().check(entry).delete(entry.key))),
      );
      if (entries.length < PURGE_TAGS_MAX) return;
    }
  }

  async #collect(tags: string[]): Promise<PurgeRecord> {
    const unique = [...new Map(tags.map((tag) => [tag.toLowerCase(), tag]))];
    for (let start = 0; start < unique.length; start += KV_MUTATIONS_MAX) {
      const operation = new Operation();
      for (const [lower, tag] of unique.slice(start, start + KV_MUTATIONS_MAX)) {
        operation.set(purgeTagKey(lower), tag);
      }
      await this.#context.store.commit(operation);
    }
    return { tags: unique.map(([, tag]) => tag), sentTo: null, collected: true };
  }
}
