/**
 * Password hashes: scrypt with OWASP's parameters, in text that describes itself. A hash takes 32 MiB
 * and some 200 ms off the event loop, so few run at a time and few wait.
 *
 * @module
 */
import { unavailable } from "../refusals.ts";
import { Buffer } from "node:buffer";
import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { HASH_MEMORY_BYTES_MAX, PARALLEL_HASHES_MAX, WAITING_HASHES_MAX } from "../tuning.ts";

/** Cost of a hash. */
export interface PasswordCost {
  /** Binary logarithm of N. */
  logN: number;
  r: number;
  p: number;
}

/** OWASP's parameters that take 32 MiB. */
export const PASSWORD_COST: PasswordCost = { logN: 15, r: 8, p: 3 };
const SALT_BYTES = 16;
const KEY_BYTES = 32;

interface ParsedHash {
  cost: PasswordCost;
  salt: Buffer;
  key: Buffer;
}

/** Hashes and verifies passwords. */
export class Passwords {
  readonly #cost: PasswordCost;
  /** The hash to compare with if no user matches, so that both cases take the same time. */
  readonly #placeholder: ParsedHash;
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(cost: PasswordCost = PASSWORD_COST) {
    this.#cost = cost;
    this.#placeholder = { cost, salt: randomBytes(SALT_BYTES), key: randomBytes(KEY_BYTES) };
  }

  /** The hash of a password: `$scrypt$ln=15,r=8,p=3$<salt>$<key>`. */
  async hash(password: string): Promise<string> {
    const salt = randomBytes(SALT_BYTES);
    const key = await this.#derive(password, this.#cost, salt);
    const { logN, r, p } = this.#cost;
    return `$scrypt$ln=${logN},r=${r},p=${p}$${salt.toString("base64")}$${key.toString("base64")}`;
  }

  /**
   * Whether a password has the hash; null for a user that does not exist or has no password takes as
   * long. `stale` tells that the hash should be computed again at the current cost.
   */
  async verify(
    password: string,
    hash: string | null,
  ): Promise<{ valid: boolean; stale: boolean }> {
    const parsed = hash === null ? this.#placeholder : parseHash(hash);
    const key = await this.#derive(password, parsed.cost, parsed.salt);
    const valid = timingSafeEqual(key, parsed.key) && parsed !== this.#placeholder;
    const { logN, r, p } = parsed.cost;
    const stale = logN !== this.#cost.logN || r !== this.#cost.r || p !== this.#cost.p;
    return { valid, stale };
  }

  async #derive(password: string, { logN, r, p }: PasswordCost, salt: Buffer): Promise<Buffer> {
    await this.#enter();
    try {
      return await new Promise((resolve, reject) => {
        // The same characters may be typed in several Unicode forms.
        const text = password.normalize("NFKC");
        const options = { N: 2 ** logN, r, p, maxmem: HASH_MEMORY_BYTES_MAX };
        scrypt(
          text,
          salt,
          KEY_BYTES,
          options,
          (error, key) => error ? reject(error) : resolve(key),
        );
      });
    } finally {
      this.#leave();
    }
  }

  #enter(): Promise<void> | void {
    if (this.#running < PARALLEL_HASHES_MAX) {
      this.#running += 1;
      return;
    }
    if (this.#waiting.length >= WAITING_HASHES_MAX) {
      throw unavailable(new Error("Too many passwords wait to be hashed"));
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #leave(): void {
    const next = this.#waiting.shift();
    // The slot is handed over, so no later request can take it.
    if (next !== undefined) next();
    else this.#running -= 1;
  }
}

function parseHash(hash: string): ParsedHash {
  const match = /^\$scrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([A-Za-z0-9+/=]+)\$([A-Za-z0-9+/=]+)$/
    .exec(hash);
  if (match === null) throw new Error("Cannot read a password hash: its form is unknown");
  const [, logN, r, p, salt = "", key = ""] = match;
  const parsed = { salt: Buffer.from(salt, "base64"), key: Buffer.from(key, "base64") };
  if (parsed.key.byteLength !== KEY_BYTES) {
    throw new Error(`Cannot read a password hash: its key has ${parsed.key.byteLength} bytes`);
  }
  return { cost: { logN: Number(logN), r: Number(r), p: Number(p) }, ...parsed };
}
