/**
 * Keys that are read together when a request begins, for all who ask for them during the request: each
 * would travel alone otherwise. They are as new as the request, until it commits something.
 *
 * @module
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { Key } from "../keys.ts";
import { type Entry, keyText } from "./operation.ts";
import type { Store } from "./store.ts";

/** What a request has read at its beginning. */
interface Prefetch {
  store: Store;
  entries: Map<string, Entry>;
  /** Whether it stands no longer: the request has ended, or has written. */
  isOver: boolean;
}

const requests = new AsyncLocalStorage<Prefetch>();

/** Runs a request for which some keys are read at once. */
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
    // What it has left running reads for itself.
    request.isOver = true;
  }
}

/**
 * Reads keys as they are now or, if they `mayBeOlder`, were when the request began that asks for them: not for
 * those who read a key again to see whether it has changed.
 */
export async function getPrefetched(
  store: Store,
  keys: Key[],
  mayBeOlder = true,
): Promise<Entry[]> {
  const request = requests.getStore();
  if (!mayBeOlder || request === undefined || request.isOver || request.store !== store) {
    return await store.getMany(keys);
  }
  const found = keys.map((key) => request.entries.get(keyText(key)));
  const missing = keys.filter((_key, index) => found[index] === undefined);
  if (missing.length === 0) return found as Entry[];
  const read = (await store.getMany(missing)).values();
  return found.map((entry) => entry ?? read.next().value!);
}

/** Reads more keys for the request that runs, if it has prefetched any. */
export async function prefetchMore(store: Store, keys: Key[]): Promise<void> {
  const request = requests.getStore();
  if (request === undefined || request.isOver || request.store !== store) return;
  for (const entry of await store.getMany(keys)) request.entries.set(keyText(entry.key), entry);
}

/** What the request that runs has prefetched of some keys. */
export function prefetched(store: Store, keys: Key[]): Entry[] {
  const request = requests.getStore();
  if (request === undefined || request.isOver || request.store !== store) return [];
  return keys.flatMap((key) => request.entries.get(keyText(key)) ?? []);
}

/** Ends what was prefetched for the request that runs, because it writes. */
export function endPrefetch(): void {
  const request = requests.getStore();
  if (request !== undefined) request.isOver = true;
}
