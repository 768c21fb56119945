/**
 * The index versions of collections: everything that was committed before one is read is in the index from
 * then on.
 *
 * @module
 */
import { indexVersionKey } from "./index_keys.ts";
import type { Collection } from "../model/entities/collection.ts";
import { type Entry, keyText } from "../store/operation.ts";
import { prefetched } from "../store/prefetch.ts";
import type { Store } from "../store/store.ts";

/** The given index versions and those that they lack, which are read in one call. */
export async function knownVersions(
  store: Store,
  collections: readonly Collection[],
  given: readonly Entry[],
): Promise<Entry[]> {
  const texts = new Set(given.map((entry) => keyText(entry.key)));
  const keys = new Map(
    collections.map(({ id }) => [keyText(indexVersionKey(id)), indexVersionKey(id)]),
  );
  const missing = [...keys].filter(([text]) => !texts.has(text)).map(([, key]) => key);
  if (missing.length === 0) return [...given];
  return [...given, ...await store.getMany(missing)];
}

/** The index versions of collections that the request has prefetched. */
export function prefetchedVersions(store: Store, collections: readonly Collection[]): Entry[] {
  return prefetched(store, collections.map(({ id }) => indexVersionKey(id)));
}

/** The versionstamps of the collections' indexes, in their order. */
export async function indexStamps(
  store: Store,
  collections: readonly Collection[],
  given: readonly Entry[],
): Promise<(string | null)[]> {
  const entries = await knownVersions(store, collections, given);
  const stamps = new Map(entries.map((entry) => [keyText(entry.key), entry.versionstamp]));
  return collections.map(({ id }) => stamps.get(keyText(indexVersionKey(id))) ?? null);
}
