/**
 * A decision on the entries that a failed commit assumed without reading them: its own commit proves it. A
 * result without a commit is not returned.
 *
 * @module
 */
import { Refusal } from "../refusals.ts";
import type { Operation } from "../store/operation.ts";

/** Decides; null if a guess led to a refusal, or to a result that writes nothing. */
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
