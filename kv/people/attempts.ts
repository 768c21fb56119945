/**
 * How often a client may try to sign in, reset a password, or guess the setup code: per
 * address and per account, whether the attempt succeeds or not.
 *
 * @module
 */
import { DEVICE_CODES_MAX, PASSKEY_OPTIONS_MAX, SIGN_IN_ATTEMPTS_MAX } from "../limits/people.ts";
import { normalizeEmail } from "../model/entities/access.ts";
import { RateLimiter } from "../rate_limit/rate_limiter.ts";
import { Refusal } from "../refusals.ts";
import { sha256 } from "../model/values/sha256.ts";
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
   * Counts an attempt to sign in from an address; called before its body is read.
   *
   * @throws {Refusal} RATE_LIMITED beyond the limit.
   */
  async signInFrom(address: string): Promise<void> {
    refuse(await this.#wait(`login:address:${address}`));
  }

  /**
   * Counts an attempt to sign in with a browser in which its user has signed in before, instead of with its
   * address and account.
   *
   * @throws {Refusal} RATE_LIMITED beyond the limit.
   */
  async signInWith(browser: string): Promise<void> {
    refuse(await this.#wait(`login:browser:${browser}`));
  }

  /**
   * Counts an attempt to sign in to an account.
   *
   * @throws {Refusal} RATE_LIMITED beyond the limit.
   */
  async signInTo(email: string): Promise<void> {
    refuse(await this.#wait(`login:account:${accountName(email)}`));
  }

  /** Counts a request for a password reset from an address, before its body is read; false beyond the limit. */
  async resetFrom(address: string): Promise<boolean> {
    return await this.#wait(`reset:address:${address}`) === 0;
  }

  /** Counts a request to reset the password of an account; false beyond the limit. */
  async resetOf(email: string): Promise<boolean> {
    return await this.#wait(`reset:account:${accountName(email)}`) === 0;
  }

  /**
   * Counts an attempt to use a mailed token, before its body is read.
   *
   * @throws {Refusal} RATE_LIMITED beyond the limit.
   */
  async tokenFrom(address: string): Promise<void> {
    refuse(await this.#wait(`mailed:address:${address}`));
  }

  /**
   * Counts an attempt to name one's own password again.
   *
   * @throws {Refusal} RATE_LIMITED beyond the limit.
   */
  async confirm(userId: string): Promise<void> {
    refuse(await this.#wait(`confirm:account:${userId}`));
  }

  /**
   * Counts a code that a user gives as their second factor or as a proof.
   *
   * @throws {Refusal} RATE_LIMITED beyond the limit.
   */
  async code(userId: string): Promise<void> {
    refuse(await this.#wait(`code:account:${userId}`));
  }

  /**
   * Counts the start of a sign-in at a provider from an address: each is stored for a while.
   *
   * @throws {Refusal} RATE_LIMITED beyond the limit.
   */
  async ssoFrom(address: string): Promise<void> {
    refuse(await this.#wait(`sso:address:${address}`, PASSKEY_OPTIONS_MAX));
  }

  /**
   * Counts a code of a device that a user enters.
   *
   * @throws {Refusal} RATE_LIMITED beyond the limit.
   */
  async device(userId: string): Promise<void> {
    refuse(await this.#wait(`device:account:${userId}`, DEVICE_CODES_MAX));
  }

  /**
   * Counts a request for passkey options from an address: each stores a challenge for a while.
   *
   * @throws {Refusal} RATE_LIMITED beyond the limit.
   */
  async passkeyOptions(address: string): Promise<void> {
    refuse(await this.#wait(`passkey:address:${address}`, PASSKEY_OPTIONS_MAX));
  }

  /**
   * Counts an attempt at the setup code.
   *
   * @throws {Refusal} RATE_LIMITED beyond the limit.
   */
  async setUp(address: string): Promise<void> {
    refuse(await this.#wait(`setup:address:${address}`));
  }

  /** Seconds to wait until the bucket has room; 0 when it has counted the attempt. */
  async #wait(bucket: string, max = SIGN_IN_ATTEMPTS_MAX): Promise<number> {
    const { admitted, retryAfterSeconds } = await this.#limiter.admit(bucket, max);
    return admitted ? 0 : retryAfterSeconds;
  }
}

function refuse(retryAfterSeconds: number): void {
  if (retryAfterSeconds > 0) throw new Refusal("RATE_LIMITED", { retryAfterSeconds });
}

/** Keys hold no addresses, and none too long. */
function accountName(email: string): string {
  return sha256(normalizeEmail(email)).slice(0, 32);
}
