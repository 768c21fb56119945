/**
 * How ULIDs are spelled, and fresh ones.
 *
 * @module
 */
import { randomBytes } from "node:crypto";

/** Crockford's base 32: the digits of a ULID in their order. */
export const CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** The pattern of a ULID, a regular expression without anchors. */
export const ULID_PATTERN = "[0-7][0-9A-HJKMNP-TV-Z]{25}";

const ULID = new RegExp(`^${ULID_PATTERN}$`);

/** Whether `text` is spelled as a ULID. */
export function isUlid(text: unknown): text is string {
  return typeof text === "string" && ULID.test(text);
}

/** The next ULID after `ulid`; the random part is taken as a number. */
export function successor(ulid: string): string {
  return counted(ulid, 1);
}

/** The ULID before `ulid`. */
export function predecessor(ulid: string): string {
  return counted(ulid, -1);
}

function counted(ulid: string, by: 1 | -1): string {
  // A digit that is the last in this direction starts over, and the one before it counts.
  const [last, first] = by === 1 ? ["Z", "0"] : ["0", "Z"];
  let index = ulid.length - 1;
  while (ulid[index] === last) index -= 1;
  if (index < 0) return first.repeat(ulid.length);
  const digit = CROCKFORD[CROCKFORD.indexOf(ulid.charAt(index)) + by];
  return ulid.slice(0, index) + digit + first.repeat(ulid.length - 1 - index);
}

const TIME_DIGITS = 10;
const RANDOM_DIGITS = 16;
/** For so many ULIDs random bytes are fetched at a time: fetching them takes longer than all else of an id. */
const FETCHED_FOR = 64;

/** A source of ULIDs with the time that is asked for, each with a random part of its own. */
export function freshUlids(
  random: (count: number) => Uint8Array = randomBytes,
): (ms: number) => string {
  let bytes: Uint8Array = new Uint8Array();
  let next = 0;
  return (ms) => {
    if (next === bytes.length) {
      bytes = random(FETCHED_FOR * RANDOM_DIGITS);
      next = 0;
    }
    let id = timeDigits(ms);
    // A digit is five bits of its byte.
    for (const end = next + RANDOM_DIGITS; next < end; next++) id += CROCKFORD[bytes[next]! % 32];
    return id;
  };
}

/** The ten digits of a ULID that are its time. */
export function timeDigits(ms: number): string {
  let digits = "";
  for (let rest = ms; digits.length < TIME_DIGITS; rest = Math.floor(rest / 32)) {
    digits = CROCKFORD[rest % 32] + digits;
  }
  return digits;
}

/** The same 128 bits spelled as a UUID (RFC 9562), for formats that know no ULIDs. */
export function uuidOf(ulid: string): string {
  let bits = 0n;
  for (const digit of ulid) bits = bits * 32n + BigInt(CROCKFORD.indexOf(digit));
  const hex = bits.toString(16).padStart(32, "0");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
