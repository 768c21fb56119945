/**
 * Sweeps of objects and imports take turns; sweeps run in parallel. An object has no checks: an
 * import finds the bytes that its backup names and leaves them alone, and a sweep finds that nothing names
 * them yet and removes them.
 *
 * @module
 */
import { findImport } from "../versioning/import_lock.ts";
import type { Context } from "../context.ts";
import { importLockKey, objectSweepKey } from "../keys.ts";
import { type Entry, Operation } from "../store/operation.ts";

/** A turn of a sweep removes nothing after this. */
const LEASE_MS = 10 * 60_000;
/** An import waits no longer for a turn that has not ended: its process has died. */
const WAIT_MS = 2 * LEASE_MS;
/** The longest pause before a turn is begun or ended again, when another one was at that moment, too. */
const CONTENDED_MS = 50;

/** The leases in use; those of dead processes stay until no process waits for them. */
interface SweepLeasesRow {
  turns: RunningSweep[];
}

interface RunningSweep {
  id: string;
  /** When it began, milliseconds. */
  at: number;
}

/** The turn of a chunk. */
export interface SweepLease {
  /** Whether it is still valid; to be checked before each removal. */
  mayRemove(): boolean;
  /** The versionstamp at which it began. */
  stamp: string;
  /** Changes with every import. */
  era: string | null;
}

/**
 * Lets a chunk of a sweep have its turn; null when an import is under way.
 */
export async function withSweepLease<T>(
  context: Context,
  sweep: (lease: SweepLease) => Promise<T>,
): Promise<T | null> {
  const mine = { id: context.newId(context.now()), at: context.now() };
  const begun = await begin(context, mine);
  if (begun === null) return null;
  const { monotonic } = context.store;
  const startedAt = monotonic();
  try {
    return await sweep({ mayRemove: () => monotonic() - startedAt < LEASE_MS, ...begun });
  } finally {
    await end(context, mine);
  }
}

async function begin(
  context: Context,
  mine: RunningSweep,
): Promise<Pick<SweepLease, "stamp" | "era"> | null> {
  const { store, now } = context;
  for (;;) {
    const [row, lock] = await store.getMany([objectSweepKey, importLockKey]) as [
      SweepLeasesEntry,
      Entry,
    ];
    if (await findImport(context) !== null) return null;
    const leases = [...underWay(row, now()), mine];
    const operation = new Operation().check(row).check(lock);
    const result = await store.commit(
      operation.set(objectSweepKey, { turns: leases } satisfies SweepLeasesRow),
    );
    if (result.ok) return { stamp: result.versionstamp, era: lock.versionstamp };
    await store.sleep(store.random() * CONTENDED_MS);
  }
}

/** Ends a lease; those of other sweeps stay valid. */
async function end({ store, now }: Context, mine: RunningSweep): Promise<void> {
  for (;;) {
    const row: SweepLeasesEntry = await store.get(objectSweepKey);
    const leases = underWay(row, now()).filter(({ id }) => id !== mine.id);
    const operation = new Operation().check(row);
    const result = await store.commit(
      operation.set(objectSweepKey, { turns: leases } satisfies SweepLeasesRow),
    );
    if (result.ok) return;
    await store.sleep(store.random() * CONTENDED_MS);
  }
}

type SweepLeasesEntry = Entry<Partial<SweepLeasesRow>>;

function underWay({ value }: SweepLeasesEntry, now: number): RunningSweep[] {
  return (value?.turns ?? []).filter(({ at }) => Math.abs(now - at) < WAIT_MS);
}

/** Whether a sweep may be removing objects; none begins while an import is under way. */
export async function isSweeping({ store, now }: Context): Promise<boolean> {
  return underWay(await store.get(objectSweepKey), now()).length > 0;
}
