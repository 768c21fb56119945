/**
 * The versioned write: the only way to change a versioned entity. The current row, the version, its log entry,
 * secondary keys and follow-up jobs are written in one commit, or none of them is.
 *
 * An attempt is a transaction. If a concurrent write commits first, it runs again, so no change is lost;
 * writers of one process that conflict on an entity then take a lock.
 *
 * @module
 */
import type { Context } from "../context.ts";
import { WRITE_DEADLINE_MS } from "../limits/store.ts";
import { WRITE_ATTEMPTS_MAX, WRITE_ATTEMPTS_MIN, WRITE_LOCK_WAIT_MS_MAX } from "../tuning.ts";
import type { Actor } from "../model/entities/entity.ts";
import { provableDecision } from "./provable_decision.ts";
import { Refusal } from "../refusals.ts";
import { type Entry, StaleRead } from "../store/operation.ts";
import type { ReleaseLock } from "../store/commits/write_locks.ts";
import { Transaction } from "./transaction.ts";

/** Options of a versioned write besides its decision. */
export interface WriteOptions {
  /** Entries that were just read, so that the first attempt need not read them. */
  known?: Entry[];
  /** Keys that are assumed to be absent until the commit of the first attempt has checked them. */
  assumedAbsent?: Entry[];
  /** Number of earlier attempts, which no longer guess. */
  attempts?: number;
  /** How long the write is retried; {@linkcode WRITE_DEADLINE_MS} by default. */
  deadlineMs?: number;
  /** Decides on fresh reads and commits nothing: returns what would be written, or refuses. */
  dryRun?: boolean;
}

/**
 * Runs `decide` on fresh reads and commits what it saved; repeats that after a conflict, up to a deadline, but
 * at least a few times. Returns the result of the committed attempt; an attempt that saves nothing commits
 * nothing.
 *
 * @throws {Refusal} Any refusal of `decide`; CONFLICT after the deadline.
 */
export async function versionedWrite<T>(
  context: Context,
  actor: Actor,
  decide: (transaction: Transaction) => Promise<T>,
  options: WriteOptions = {},
): Promise<T> {
  const { store } = context;
  const beganAt = context.now();
  let [startedAt, known, assumedAbsent] = [
    beganAt,
    options.known ?? [],
    options.assumedAbsent ?? [],
  ];
  let releaseLock: ReleaseLock | null = null;
  try {
    for (let attempt = options.attempts ?? 0;; attempt++) {
      // The commit proves a guess, and a dry run does not commit.
      const guesses = attempt === 0 && !options.dryRun;
      const transaction = new Transaction(
        context,
        actor,
        [...assumedAbsent, ...known],
        attempt,
        guesses,
      );
      try {
        const decided = await provableDecision(transaction, decide, assumedAbsent.length > 0);
        if (options.dryRun) transaction.assertFits();
        const waits = releaseLock === null && transaction.contended !== null &&
          store.writeLocks.isHeld(transaction.contended);
        const canCommit = decided !== null && !waits;
        if (canCommit && (options.dryRun || await transaction.commit())) return decided.result;
      } catch (error) {
        if (!(error instanceof StaleRead)) throw error;
      } finally {
        transaction.close();
        [known, assumedAbsent] = [transaction.found, transaction.assumedAbsent];
      }
      const late = context.now() - startedAt > (options.deadlineMs ?? WRITE_DEADLINE_MS);
      if (attempt + 1 >= (late ? WRITE_ATTEMPTS_MIN : WRITE_ATTEMPTS_MAX)) throw tooManyWriters();
      if (releaseLock === null && transaction.contended !== null) {
        if (store.writeLocks.isHeld(transaction.contended)) known = assumedAbsent = [];
        releaseLock = await store.writeLocks.acquire(transaction.contended);
        startedAt = context.now();
        if (startedAt - beganAt > WRITE_LOCK_WAIT_MS_MAX) throw tooManyWriters();
        continue;
      }
      // The first attempt may have failed because of its own guess: the second reads, and need not wait.
      if (attempt === 0) continue;
      known = assumedAbsent = [];
      await store.sleep(store.random() * Math.min(50, 2 ** attempt));
    }
  } finally {
    releaseLock?.();
  }
}

const tooManyWriters = () =>
  new Refusal("CONFLICT", { about: "too many concurrent writes", retryAfterSeconds: 1 });
