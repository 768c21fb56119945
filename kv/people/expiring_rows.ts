/**
 * Rows that wait for their user for a few minutes: challenges, flows, requests for consent. The store removes them some
 * time after they expire, so each carries its own end.
 *
 * @module
 */
import { type Context, seconds } from "../context.ts";
import type { Key } from "../keys.ts";
import { type Entry, Operation } from "../store/operation.ts";

/** A value with its end, epoch seconds. */
export type Expiring<T> = T & { expiresAt: number };

/** A row that has not expired. */
export type OpenEntry<T> = Entry<T> & { value: T };

/** Stores a value for some seconds. */
export async function keepRow<T extends object>(
  context: Context,
  key: Key,
  value: T,
  lifetime: number,
): Promise<Expiring<T>> {
  const row = { ...value, expiresAt: seconds(context) + lifetime };
  await context.store.commit(new Operation().set(key, row, { expireIn: lifetime * 1000 }));
  return row;
}

/** The row at a key; null if none exists, or it has expired. */
export async function findRow<T extends { expiresAt: number }>(
  context: Context,
  key: Key,
): Promise<OpenEntry<T> | null> {
  const entry = await context.store.get<T>(key);
  const { value } = entry;
  return value === null || value.expiresAt <= seconds(context) ? null : { ...entry, value };
}

/** Uses a row up; false if another request has used or changed it. */
export async function takeRow({ store }: Context, entry: Entry): Promise<boolean> {
  return (await store.commit(new Operation().check(entry).delete(entry.key))).ok;
}
