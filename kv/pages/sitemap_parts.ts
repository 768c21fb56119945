/**
 * The division of the sitemap into parts: some ids begin a part, which depends on the id alone, and each part has a
 * row with the time of its newest change.
 *
 * @module
 */
import { isUlid } from "../model/values/ulid.ts";
import type { Store } from "../store/store.ts";
import { sitemapPartPrefix } from "./page_keys.ts";

/** Lines of a part, on average. */
const PART_LINES = 512;
/** How long parts added by other processes may be unknown, milliseconds. */
const KNOWN_MS = 60_000;

interface KnownParts {
  readAt: number;
  /** In order. */
  ids: string[];
}

const knownByStore = new WeakMap<Store, Promise<KnownParts>>();

/** Whether a document begins a part. */
export function beginsPart(id: string): boolean {
  return isUlid(id) && hashOf(id) % PART_LINES === 0;
}

/** The id that the part of a document begins with; empty for the first part. */
export async function partOf(store: Store, id: string): Promise<string> {
  const { ids } = await knownParts(store);
  return beginsPart(id) ? id : ids[placeOf(ids, id)] ?? "";
}

/** Reads the parts, or answers those of the last minute. */
async function knownParts(store: Store): Promise<KnownParts> {
  const known = knownByStore.get(store);
  if (known !== undefined && store.monotonic() - (await known).readAt < KNOWN_MS) {
    return await known;
  }
  const reading = readParts(store);
  knownByStore.set(store, reading);
  try {
    return await reading;
  } catch (error) {
    knownByStore.delete(store);
    throw error;
  }
}

async function readParts(store: Store): Promise<KnownParts> {
  const readAt = store.monotonic();
  const rows = await store.listAll({ prefix: sitemapPartPrefix });
  return { readAt, ids: rows.map(({ key }) => key[1] as string) };
}

/** The position of the last id that does not follow another; -1 if all do. */
function placeOf(ids: readonly string[], id: string): number {
  let low = 0;
  let high = ids.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const first = ids[middle] ?? "";
    if (first <= id) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** A 24-bit hash (FNV-1a), independent of the order of ids. */
function hashOf(id: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < id.length; at++) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193);
  hash ^= hash >>> 15;
  return Math.imul(hash, 0x2c1b3c6d) >>> 8;
}
