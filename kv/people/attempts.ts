/**
 * How often somebody may try to sign in, to have a password reset, or to guess the setup code: per
 * address and per account, whether the attempt succeeds or not.
 *
 * @module
 */
import { SIGN_IN_ATTEMPTS_MAX } from "../limits.ts";
import { normalizeEmail } from "../model/access.ts";
import { RateLimiter } from "../rate_limit/rate_limiter.ts";
import { Refusal } from "../refusals.ts";
import { sha256 } from "../model/sha256.ts";
import type { Store } from "../store/store.ts";

/** A quarter of an hour. */
const ATTEMPTS_WINDOW_MS = 15 * 60 * 1000;

/** Counts attempts. */
export class Attempts {
  readonly #limiter: RateLimiter;

  constructor(options: { store: Store; now: () => number; monotonic?: () => number }) {
    this.#limiter = new RateLimiter({ ...options, windowMs: ATTEMPTS_WINDOW_MS });
  }

  /**
   * Counts an attempt to sign in.
   *
   * @throws {Refusal} RATE_LIMITED beyond the limit.
   */
  async signIn(address: string, email: string): Promise<void> {
    refuse(await this.#wait([`login:address:${address}`, `login:account:${accountName(email)}`]));
  }

  /** Counts a request for a password reset; false beyond the limit. */
  async reset(address: string, email: string): Promise<boolean> {
    const wait = await this.#wait([
      `reset:address:${address}`,
      `reset:account:${accountName(email)}`,
    ]);
    return wait === 0;
  }

  /**
   * Counts an attempt to name one's own password again.
   *
   * @throws {Refusal} RATE_LIMITED beyond the limit.
   */
  async confirm(userId: string): Promise<void> {
    refuse(await this.#wait([`confirm:account:${userId}`]));
  }

  /**
   * Counts an attempt at the setup code.
   *
   * @throws {Refusal} RATE_LIMITED beyond the limit.
   */
  async setUp(address: string): Promise<void> {
    refuse(await this.#wait([`setup:address:${address}`]));
  }

  /** Seconds to wait until every bucket has room; 0 when all of them have counted the attempt. */
  async #wait(buckets: string[]): Promise<number> {
    for (const bucket of buckets) {
      const { admitted, retryAfterSeconds } = await this.#limiter.admit(
        bucket,
        SIGN_IN_ATTEMPTS_MAX,
      );
      if (!admitted) return retryAfterSeconds;
    }
    return 0;
  }
}

function refuse(retryAfterSeconds: number): void {
  if (retryAfterSeconds > 0) throw new Refusal("RATE_LIMITED", { retryAfterSeconds });
}

/** Keys hold no addresses, and none too long. */
function accountName(email: string): string {
  return sha256(normalizeEmail(email)).slice(0, 32);
}
