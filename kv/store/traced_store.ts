/**
 * A store whose calls are spans within the request or job step that makes them. A span lasts as long as its
 * caller waits, also for combined reads and commits.
 *
 * @module
 */
import type { Key } from "../keys.ts";
import { beginSpan, traced } from "../tracing.ts";
import type { CommitResult, ListOptions, Range } from "./driver.ts";
import type { EntriesOf, Operation, StoredEntry } from "./operation.ts";
import { Store } from "./store.ts";

/** The store of a traced process. */
export class TracedStore extends Store {
  override getMany<Keys extends Key[] | []>(keys: Keys): Promise<EntriesOf<Keys>> {
    const attributes = { "kv.keys": keys.length, "kv.family": familyOf(keys[0]) };
    return traced("kv get", { attributes }, () => super.getMany(keys));
  }

  override async *list<T>(range: Range, options: ListOptions = {}): AsyncIterable<StoredEntry<T>> {
    const family = familyOf("prefix" in range ? range.prefix : range.start);
    const span = beginSpan("kv list", { "kv.family": family });
    try {
      yield* super.list<T>(range, options);
    } finally {
      span.end();
    }
  }

  override commit(operation: Operation): Promise<CommitResult> {
    const { mutations, checks, sets, touches, deletes } = operation;
    const attributes = {
      "kv.mutations": mutations,
      "kv.checks": checks.length,
      "kv.family": familyOf(sets[0]?.key ?? touches[0] ?? deletes[0]),
    };
    return traced("kv commit", { attributes }, () => super.commit(operation));
  }
}

function familyOf(key: Key | undefined): string {
  return `${key?.[0] ?? ""}`;
}
