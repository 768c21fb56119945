/**
 * A decision by what a failed group of commits has assumed and nobody has read: its commit proves it. An answer that
 * comes without a commit is not given.
 *
 * @module
 */
import { Refusal } from "../refusals.ts";
import type { Operation } from "../store/operation.ts";

/** Decides; null where a guess has led to a refusal, or to an answer that writes nothing. */
export async function provableDecision<T, Attempt extends { operation: Operation }>(
  attempt: Attempt,
  decide: (attempt: Attempt) => Promise<T>,
  isGuess: boolean,
): Promise<{ result: T } | null> {
  try {
    const result = await decide(attempt);
    return isGuess && attempt.operation.mutations === 0 ? null : { result };
  } catch (error) {
    if (isGuess && error instanceof Refusal) return null;
    throw error;
  }
}
