/**
 * Prefetched keys: read together when a request begins, for every reader within the request; otherwise each
 * would take a round trip. They are as new as the request, and are dropped when it commits.
 *
 * @module
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { Key } from "../keys.ts";
import { type EntriesOf, type Entry, keyText } from "./operation.ts";
import type { Store } from "./store.ts";

/** The keys that a request has prefetched. */
interface Prefetch {
  store: Store;
  entries: Map<string, Entry>;
  /** Whether the prefetch is void: the request has ended or has written. */
  isOver: boolean;
}

const requests = new AsyncLocalStorage<Prefetch>();

/** Runs a request with some keys prefetched. */
export async function withPrefetch<T>(
  store: Store,
  keys: Key[],
  run: () => Promise<T>,
): Promise<T> {
  const read = await store.getMany(keys);
  const entries = new Map(read.map((entry) => [keyText(entry.key), entry]));
  const request: Prefetch = { store, entries, isOver: false };
  try {
    return await requests.run(request, run);
  } finally {
    // Work that outlives the request reads for itself.
    request.isOver = true;
  }
}

/**
 * Reads keys as they are now or, if they `mayBeOlder`, as the request prefetched them: not for code that reads
 * a key again to see whether it has changed.
 */
export async function getPrefetched<Keys extends Key[] | []>(
  store: Store,
  keys: Keys,
  mayBeOlder = true,
): Promise<EntriesOf<Keys>> {
  const request = requests.getStore();
  if (!mayBeOlder || request === undefined || request.isOver || request.store !== store) {
    return await store.getMany(keys);
  }
  const named = keys.map((key) => [keyText(key), key] as const);
  const missing = named.flatMap(([text, key]) => request.entries.has(text) ? [] : [key]);
  const read = missing.length === 0 ? [] : await store.getMany(missing);
  const added = new Map(read.map((entry) => [keyText(entry.key), entry]));
  return named.map(([text]) => request.entries.get(text) ?? added.get(text)) as EntriesOf<Keys>;
}

/** Prefetches more keys for the current request, if it has prefetched any. */
export async function prefetchMore(store: Store, keys: Key[]): Promise<void> {
  const request = requests.getStore();
  if (request === undefined || request.isOver || request.store !== store) return;
  for (const entry of await store.getMany(keys)) request.entries.set(keyText(entry.key), entry);
}

/** The prefetched entries of some keys. */
export function prefetched(store: Store, keys: Key[]): Entry[] {
  const request = requests.getStore();
  if (request === undefined || request.isOver || request.store !== store) return [];
  return keys.flatMap((key) => request.entries.get(keyText(key)) ?? []);
}

/** Drops the prefetched entries of the current request, because it writes. */
export function endPrefetch(): void {
  const request = requests.getStore();
  if (request !== undefined) request.isOver = true;
}
