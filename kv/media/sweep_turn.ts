/**
 * Sweeps of objects and imports take turns. An object has no checks: an import finds the bytes that its
 * back-up names and leaves them alone, and a sweep finds that nothing names them yet and removes them.
 *
 * @module
 */
import { findImport } from "../backup/import_lock.ts";
import type { Context } from "../context.ts";
import { importLockKey, objectSweepKey } from "../keys.ts";
import { type Entry, Operation } from "../store/operation.ts";

/** A turn of a sweep removes nothing after this. */
const TURN_MS = 10 * 60_000;
/** An import waits no longer for a turn that has not ended: its process has died. */
const WAIT_MS = 2 * TURN_MS;

/** What a sweep says of itself. */
interface TurnRow {
  /** When it began, milliseconds. */
  at: number;
  over: boolean;
}

/** The turn of a chunk. */
export interface SweepTurn {
  /** Whether it still goes on; to be asked before each removal. */
  mayRemove(): boolean;
  /** The versionstamp at which it began. */
  stamp: string;
  /** Changes with every import. */
  era: string | null;
}

/**
 * Lets a chunk of a sweep have its turn; null when an import is under way.
 */
export async function takeSweepTurn<T>(
  context: Context,
  sweep: (turn: SweepTurn) => Promise<T>,
): Promise<T | null> {
  const { store, now } = context;
  const [turn, lock] = await store.getMany([objectSweepKey, importLockKey]) as [Entry, Entry];
  if (await findImport(context) !== null) return null;
  const begun: TurnRow = { at: now(), over: false };
  const begin = new Operation().check(turn).check(lock).set(objectSweepKey, begun);
  const result = await store.commit(begin);
  if (!result.ok) return null;
  const startedAt = performance.now();
  try {
    return await sweep({
      mayRemove: () => performance.now() - startedAt < TURN_MS,
      stamp: result.versionstamp,
      era: lock.versionstamp,
    });
  } finally {
    const end = new Operation().check({ key: objectSweepKey, versionstamp: result.versionstamp })
      .set(objectSweepKey, { ...begun, over: true } satisfies TurnRow);
    await store.commit(end);
  }
}

/** Whether a sweep may be removing objects; none begins while an import is under way. */
export async function isSweeping({ store, now }: Context): Promise<boolean> {
  const { value } = await store.get<TurnRow>(objectSweepKey);
  return value !== null && !value.over && Math.abs(now() - value.at) < WAIT_MS;
}
