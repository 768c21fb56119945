/**
 * Backoff: how long a failed step waits before it is retried, and when it is given up.
 *
 * @module
 */

/** Delays after each failure: six attempts in more than fourteen minutes. */
export const RETRY_DELAYS_MS = [2_000, 15_000, 60_000, 180_000, 600_000] as const;

/** Attempts of one step before its job fails. */
export const STEP_ATTEMPTS = RETRY_DELAYS_MS.length + 1;

/** Jitter: a delay grows by up to this share, so that jobs that failed together do not retry together. */
const JITTER = 0.2;

/** Milliseconds until the next attempt after `attempts` failures; null if there is none. */
export function retryDelayMs(attempts: number, random: () => number): number | null {
  const delay = RETRY_DELAYS_MS[attempts - 1];
  return delay === undefined ? null : Math.round(delay * (1 + JITTER * random()));
}
