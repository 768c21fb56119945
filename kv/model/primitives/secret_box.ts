/**
 * Sealing of secrets that the service must be able to read again, such as TOTP secrets: AES-256-GCM with a key of the
 * environment. Without a key they are stored as they are.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { sha256 } from "../values/sha256.ts";

const CIPHER = "aes-256-gcm";
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_ID_CHARS = 8;
const SEALED = /^sealed:1:([0-9a-f]{8}):([\w-]+)$/;

interface SealingKey {
  /** Names the key in what it has sealed. */
  id: string;
  bytes: Uint8Array;
}

/** Seals and opens secrets. */
export class SecretBox {
  readonly #keys: SealingKey[];

  /** `keys`: the first one seals, all of them open; each has enough randomness for a key. */
  constructor(keys: readonly string[]) {
    this.#keys = keys.map(derivedKey);
  }

  /** A secret as it is stored. */
  seal(secret: string): string {
    const [key] = this.#keys;
    if (key === undefined) return secret;
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, key.bytes, nonce);
    const sealed = [nonce, cipher.update(secret, "utf8"), cipher.final(), cipher.getAuthTag()];
    return `sealed:1:${key.id}:${Buffer.concat(sealed).toString("base64url")}`;
  }

  /** Whether there is a key to seal with. */
  get hasKey(): boolean {
    return this.#keys.length > 0;
  }

  /** Whether a stored secret is sealed with the key that seals now. */
  isCurrent(stored: string): boolean {
    return SEALED.exec(stored)?.[1] === this.#keys[0]?.id;
  }

  /**
   * A secret as it was before it was stored; null if it was sealed with another key, or altered. Secrets that were
   * stored without a key stay readable.
   */
  open(stored: string): string | null {
    const [, id, text = ""] = SEALED.exec(stored) ?? [];
    if (id === undefined) return stored;
    const key = this.#keys.find((one) => one.id === id);
    if (key === undefined) return null;
    const bytes = Buffer.from(text, "base64url");
    try {
      const decipher = createDecipheriv(CIPHER, key.bytes, bytes.subarray(0, NONCE_BYTES));
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
      const opened = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
      return Buffer.concat([opened, decipher.final()]).toString("utf8");
    } catch {
      return null;
    }
  }
}

function derivedKey(text: string): SealingKey {
  const bytes = new Uint8Array(hkdfSync("sha256", text, "", "sealed secrets", KEY_BYTES));
  return { id: sha256(Buffer.from(bytes).toString("hex")).slice(0, KEY_ID_CHARS), bytes };
}
