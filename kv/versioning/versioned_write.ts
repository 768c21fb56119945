/**
 * The versioned write: the only way to change a versioned entity. Live row, version, log entry,
 * secondary keys and follow-up jobs are written in one commit, or nothing does.
 *
 * An attempt is a transaction; when somebody else was faster it runs again, so no concurrent change is lost; those of
 * one process who write to the same entity then take turns.
 *
 * @module
 */
import type { Context } from "./context.ts";
import { WRITE_DEADLINE_MS } from "../limits.ts";
import { WRITE_ATTEMPTS_MAX, WRITE_ATTEMPTS_MIN, WRITE_LOCK_WAIT_MS_MAX } from "../tuning.ts";
import type { Actor } from "../model/entities/entity.ts";
import { provableDecision } from "./provable_decision.ts";
import { Refusal } from "../refusals.ts";
import { type Entry, StaleRead } from "../store/operation.ts";
import type { ReleaseLock } from "../store/commits/write_locks.ts";
import { Transaction } from "./transaction.ts";

/** What a versioned write may be given besides its decision. */
export interface WriteOptions {
  /** Entries read just now, so that the first attempt need not read them again. */
  known?: Entry[];
  /** Keys that are taken for absent until the commit of the first attempt has checked it. */
  guessed?: Entry[];
  /** Attempts before the first of these: they guess no more. */
  attempts?: number;
  /** How long it is tried again; {@linkcode WRITE_DEADLINE_MS} unless told. */
  deadlineMs?: number;
  /** Decides on fresh reads and commits nothing: the answer is what would be, or the refusal. */
  dryRun?: boolean;
}

/**
 * Runs `decide` against fresh reads and commits what it saved; again when somebody else was faster, up to a deadline, on
 * a slow store a few times anyway. Answers what the committed attempt returned; one that saves nothing commits nothing.
 *
 * @throws {Refusal} whatever `decide` refuses; CONFLICT when the deadline passes.
 */
export async function versionedWrite<T>(
  context: Context,
  actor: Actor,
  decide: (transaction: Transaction) => Promise<T>,
  options: WriteOptions = {},
): Promise<T> {
  const { store } = context;
  const beganAt = context.now();
  let [startedAt, known, guessed] = [beganAt, options.known ?? [], options.guessed ?? []];
  let releaseLock: ReleaseLock | null = null;
  try {
    for (let attempt = options.attempts ?? 0;; attempt++) {
      // A guess is proved by the commit, which a dry run does not make.
      const guesses = attempt === 0 && !options.dryRun;
      const transaction = new Transaction(context, actor, [...guessed, ...known], attempt, guesses);
      try {
        const decided = await provableDecision(transaction, decide, guessed.length > 0);
        if (options.dryRun) transaction.assertFits();
        const waits = releaseLock === null && transaction.contended !== null &&
          store.writeLocks.isHeld(transaction.contended);
        const canCommit = decided !== null && !waits;
        if (canCommit && (options.dryRun || await transaction.commit())) return decided.result;
      } catch (error) {
        if (!(error instanceof StaleRead)) throw error;
      } finally {
        transaction.close();
        [known, guessed] = [transaction.found, transaction.guessed];
      }
      const late = context.now() - startedAt > (options.deadlineMs ?? WRITE_DEADLINE_MS);
      if (attempt + 1 >= (late ? WRITE_ATTEMPTS_MIN : WRITE_ATTEMPTS_MAX)) throw tooManyWriters();
      if (releaseLock === null && transaction.contended !== null) {
        if (store.writeLocks.isHeld(transaction.contended)) known = guessed = [];
        releaseLock = await store.writeLocks.acquire(transaction.contended);
        startedAt = context.now();
        if (startedAt - beganAt > WRITE_LOCK_WAIT_MS_MAX) throw tooManyWriters();
        continue;
      }
      // The first attempt may have lost to its own guess: the second looks, and need not wait.
      if (attempt === 0) continue;
      known = guessed = [];
      await store.sleep(store.random() * Math.min(50, 2 ** attempt));
    }
  } finally {
    releaseLock?.();
  }
}

const tooManyWriters = () =>
  new Refusal("CONFLICT", { about: "too many concurrent writes", retryAfterSeconds: 1 });
