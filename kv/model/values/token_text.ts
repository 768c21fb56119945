/**
 * The text of an API token: `svc_pk_`, its id, and a secret whose last six characters are a checksum of
 * everything before them, so that a mistyped or made-up token is known without asking the store.
 *
 * @module
 */
import { randomBytes, timingSafeEqual } from "node:crypto";
import { Buffer } from "node:buffer";
import { crc32 } from "node:zlib";
import { sha256 } from "./sha256.ts";
import { ULID_PATTERN } from "./ulid.ts";

const PREFIX = "svc_pk_";
const PREVIEW_PREFIX = "svc_pv_";
const READING_PREFIX = "svc_rt_";
const ACCESS_PREFIX = "svc_oa_";
const REFRESH_PREFIX = "svc_or_";
const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RANDOM_CHARS = 26;
const CHECKSUM_CHARS = 6;
const PREFIXES = [PREFIX, PREVIEW_PREFIX, READING_PREFIX, ACCESS_PREFIX].join("|");
const SHAPE = new RegExp(`^(?:${PREFIXES})(${ULID_PATTERN})_[0-9A-Za-z]{32}$`);
const REFRESH_SHAPE = new RegExp(
  `^${REFRESH_PREFIX}(${ULID_PATTERN})_([0-9A-Za-z]{${RANDOM_CHARS}})[0-9A-Za-z]{32}$`,
);

/** The source of random bytes. */
export type RandomBytes = (count: number) => Uint8Array;

/** A new token for the id; its text is shown once and never stored. */
export function mintToken(id: string, random: RandomBytes = randomBytes): string {
  return mint(PREFIX, id, random);
}

/** A new secret of a preview, of the same form. */
export function mintPreviewToken(id: string, random: RandomBytes = randomBytes): string {
  return mint(PREVIEW_PREFIX, id, random);
}

/** A new secret that reads for a while, of the same form. */
export function mintReadingToken(id: string, random: RandomBytes = randomBytes): string {
  return mint(READING_PREFIX, id, random);
}

/** A new access token of an OAuth grant, of the same form. */
export function mintAccessToken(grantId: string, random: RandomBytes = randomBytes): string {
  return mint(ACCESS_PREFIX, grantId, random);
}

/**
 * A new refresh token of an OAuth grant. Before its own secret it has that of its family, which it shares with every
 * refresh token of the grant, so one that was replaced is recognized however long ago that was.
 */
export function mintRefreshToken(
  grantId: string,
  family: string,
  random: RandomBytes = randomBytes,
): string {
  return minted(`${REFRESH_PREFIX}${grantId}_${family}`, random);
}

/** The secret of a new family of refresh tokens. */
export function newRefreshFamily(random: RandomBytes = randomBytes): string {
  return randomBase62(RANDOM_CHARS, random);
}

/** The id of the grant whose access token a text is, or null when it is none. */
export function accessGrantIdOf(text: string): string | null {
  return idIn(ACCESS_PREFIX, text);
}

/** The id of the grant whose refresh token a text is, and the secret of its family; null when it is none. */
export function refreshTokenParts(text: string): { grantId: string; family: string } | null {
  const [, grantId, family] = REFRESH_SHAPE.exec(text) ?? [];
  if (grantId === undefined || family === undefined || !hasChecksum(text)) return null;
  return { grantId, family };
}

/** The id in a token's text, or null when the text is no token that was ever minted. */
export function tokenIdOf(text: string): string | null {
  return idIn(PREFIX, text);
}

/** The id of the preview that a text opens, or null when it is the secret of none. */
export function previewIdOf(text: string): string | null {
  return idIn(PREVIEW_PREFIX, text);
}

/** The id of the reading token that a text is, or null when it is none. */
export function readingIdOf(text: string): string | null {
  return idIn(READING_PREFIX, text);
}

function mint(prefix: string, id: string, random: RandomBytes): string {
  return minted(`${prefix}${id}_`, random);
}

function minted(beginning: string, random: RandomBytes): string {
  const start = beginning + randomBase62(RANDOM_CHARS, random);
  return start + checksum(start);
}

function hasChecksum(text: string): boolean {
  return text.endsWith(checksum(text.slice(0, -CHECKSUM_CHARS)));
}

function idIn(prefix: string, text: string): string | null {
  const id = text.startsWith(prefix) ? SHAPE.exec(text)?.[1] : undefined;
  return id !== undefined && hasChecksum(text) ? id : null;
}

/** The stored form of a token, or of any other secret with as much randomness: SHA-256, as hex. */
export function secretHash(text: string): string {
  return sha256(text);
}

/** Whether a text has the stored hash, in a time that tells nothing about either. */
export function secretMatches(text: string, hash: string): boolean {
  const given = Buffer.from(secretHash(text));
  const stored = Buffer.from(hash);
  return given.byteLength === stored.byteLength && timingSafeEqual(given, stored);
}

/** Secrets that had the stored hash when they were last given: a repeated one need not wait for its digest. */
export class KnownSecrets {
  readonly #hashes = new Map<string, string>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  /** As {@linkcode secretMatches}; a text that is not known takes the same time whatever it is. */
  matches(text: string, hash: string): boolean {
    if (this.#hashes.get(text) === hash) return true;
    if (!secretMatches(text, hash)) return false;
    if (this.#hashes.size >= this.#max) this.#hashes.clear();
    this.#hashes.set(text, hash);
    return true;
  }
}

/** Random text of digits and letters; 22 characters hold 131 bits. */
export function randomBase62(count: number, random: RandomBytes = randomBytes): string {
  let text = "";
  while (text.length < count) {
    for (const byte of random(count)) {
      // 248 is the largest multiple of 62 in a byte: above it some characters would be likelier.
      if (byte < 248 && text.length < count) text += BASE62[byte % 62];
    }
  }
  return text;
}

/** A new secret of 190 bits; the store gets only its hash. */
export function newSecret(): string {
  return randomBase62(32);
}

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = "";
  for (let index = 0; index < CHECKSUM_CHARS; index++) {
    digits = BASE62[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
