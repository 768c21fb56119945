/**
 * How long a failed step waits before it is tried again, and when it is given up.
 *
 * @module
 */

/** Delays after the first, second, … failure: six attempts over more than fourteen minutes. */
export const RETRY_DELAYS_MS = [2_000, 15_000, 60_000, 180_000, 600_000] as const;

/** Attempts of one step before its job is `failed`. */
export const STEP_ATTEMPTS = RETRY_DELAYS_MS.length + 1;

/** A delay grows by up to this part of itself, so that what failed together does not return together. */
const JITTER = 0.2;

/** Milliseconds until the next attempt after `attempts` failed ones; null when it is given up. */
export function retryDelayMs(attempts: number, random: () => number): number | null {
  const delay = RETRY_DELAYS_MS[attempts - 1];
  return delay === undefined ? null : Math.round(delay * (1 + JITTER * random()));
}
