/**
 * A versioned write without preceding reads, see `store/commits/assumption.ts`.
 *
 * @module
 */
import type { Context } from "../context.ts";
import { currentKey } from "../keys.ts";
import { KV_CHECKS_MAX } from "../limits/store.ts";
import type { Actor } from "../model/entities/entity.ts";
import type { EntityType } from "../model/entities/entity_kinds.ts";
import { type Assumption, AssumptionFailed, holds } from "../store/commits/assumption.ts";
import { isSameKey, StaleRead } from "../store/operation.ts";
import { Transaction } from "./transaction.ts";
import { versionedWrite, type WriteOptions } from "./versioned_write.ts";

/** Chooses and stages what a write changes. */
type Decide<T> = (transaction: Transaction) => Promise<T>;

/**
 * Runs `decide` on assumed entries and commits its result under a check of all of them; if only other entries
 * have changed, it continues like any versioned write. If `decide` saves nothing, or refuses before a commit,
 * the assumptions remain unchecked: the caller must check them.
 *
 * @throws {AssumptionFailed} if an assumption did not hold at the commit.
 * @throws {Refusal} any refusal of `decide`; CONFLICT as `versionedWrite`.
 */
export async function optimisticWrite<T>(
  context: Context,
  actor: Actor,
  decide: Decide<T>,
  assumption: Assumption,
  options: WriteOptions,
): Promise<T> {
  const transaction = new Transaction(context, actor, [...assumption.entries], 0, true);
  try {
    const result = await decide(transaction);
    if (transaction.operation.mutations === 0) return result;
    if (await commitUnder(transaction, assumption)) return result;
  } catch (error) {
    throw error instanceof StaleRead ? new AssumptionFailed() : error;
  } finally {
    transaction.close();
  }
  const { found, assumedAbsent } = transaction;
  if (!await holds(context.store, assumption, found)) throw new AssumptionFailed();
  const known = [...found, ...assumption.found!];
  return await versionedWrite(context, actor, decide, {
    ...options,
    known,
    assumedAbsent,
    attempts: 1,
  });
}

async function commitUnder(transaction: Transaction, assumption: Assumption): Promise<boolean> {
  const { operation, context: { store: { assumed } } } = transaction;
  for (const entry of assumption.entries) operation.check(entry);
  operation.fitChecks();
  if (operation.checks.length > KV_CHECKS_MAX) throw new AssumptionFailed();
  transaction.assertFits();
  assumption.isSent = true;
  if (!await transaction.commit()) return false;
  assumed.held(assumption.known.filter(({ key }) => !operation.writes(key)));
  return true;
}

/** Lets the next write of an entity assume the entries that this one wrote. */
export function noteWritten(
  { operation, result, context }: Transaction,
  type: EntityType,
  id: string,
): void {
  if (!result?.ok) return;
  const key = currentKey(type, id);
  const row = operation.sets.find((set) => isSameKey(set.key, key));
  if (row === undefined) return;
  const { versionstamp } = result;
  context.store.assumed.note({ key, value: row.value, versionstamp });
}
