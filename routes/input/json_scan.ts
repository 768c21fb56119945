/**
 * Refuses excessive JSON bodies by scanning their bytes before parsing: some bodies cost far more
 * memory to parse than to read.
 *
 * @module
 */
import { BODY_DEPTH_MAX } from "../../kv/limits/requests.ts";
import { isExact } from "../../kv/model/values/exact_numbers.ts";
import { Refusal } from "../../kv/refusals.ts";
import { OBJECT_KEYS_MAX } from "./limits.ts";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** A literal with fewer characters fits a number exactly, unless its exponent is large. */
const LONG_LITERAL_CHARS = 16;
/** Digits of the smallest exponent that can be out of range. */
const LARGE_EXPONENT_DIGITS = 3;

/**
 * Refuses bytes that spell too many levels, too many keys in one object, or a number that would not come
 * back as it was sent. Whether they are JSON at all is left to the parser.
 */
export function refuseUnstorable(bytes: Uint8Array): void {
  /** Keys of each object that is open; a list has none. */
  const keys = new Uint32Array(BODY_DEPTH_MAX + 1);
  let depth = 0;
  for (let position = 0; position < bytes.length; position++) {
    const byte = bytes[position]!;
    switch (byte) {
      case QUOTE:
        position = endOfText(bytes, position);
        break;
      case 0x3a: // :
        keys[depth]! += 1;
        if (keys[depth]! > OBJECT_KEYS_MAX) {
          throw bodyInvalid(`an object has more than ${OBJECT_KEYS_MAX} keys`);
        }
        break;
      case 0x5b: // [
      case 0x7b: // {
        depth += 1;
        if (depth > BODY_DEPTH_MAX) {
          throw bodyInvalid(`it is nested more than ${BODY_DEPTH_MAX} levels deep`);
        }
        keys[depth] = 0;
        break;
      case 0x5d: // ]
      case 0x7d: // }
        // Unbalanced closing brackets are invalid JSON; the parser reports them.
        if (depth > 0) depth -= 1;
        break;
      default:
        if (byte >= 0x30 && byte <= 0x39) position = endOfNumber(bytes, position);
    }
  }
}

/** The refusal of a body that cannot be read. */
export function bodyInvalid(about: string, options?: ErrorOptions): Refusal {
  return new Refusal("BODY_INVALID", { about }, options);
}

/** The end of the string that starts at a position; the end of the bytes if it is not closed. */
function endOfText(bytes: Uint8Array, start: number): number {
  for (let end = start + 1;; end++) {
    end = bytes.indexOf(QUOTE, end);
    if (end === -1) return bytes.length;
    let backslashes = 0;
    while (bytes[end - 1 - backslashes] === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
}

/** The last byte of the number whose first digit is at a position; refuses what no number holds. */
function endOfNumber(bytes: Uint8Array, start: number): number {
  let end = start;
  /** The start of the exponent. */
  let exponent = 0;
  while (end < bytes.length && isOfNumber(bytes[end]!)) {
    if (bytes[end] === 0x65 || bytes[end] === 0x45) exponent = end;
    end += 1;
  }
  const isLong = end - start >= LONG_LITERAL_CHARS;
  if (isLong || (exponent > 0 && end - exponent > LARGE_EXPONENT_DIGITS)) {
    const from = bytes[start - 1] === 0x2d ? start - 1 : start;
    refuseRounded(
      String.fromCharCode(...bytes.subarray(from, Math.min(end, from + 400))),
      isLong,
    );
  }
  return end - 1;
}

/** Digits, signs, points and exponents. */
function isOfNumber(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || byte === 0x2e || byte === 0x2b || byte === 0x2d ||
    byte === 0x65 || byte === 0x45;
}

/** Refuses a number that is out of range, or a long one that would come back as another one. */
function refuseRounded(literal: string, isLong: boolean): void {
  const value = Number(literal);
  if (!Number.isFinite(value)) throw bodyInvalid("a number is out of range");
  if (!isLong || isExact(literal, value)) return;
  throw bodyInvalid(`the number ${literal.slice(0, 40)} would lose precision; send it as a string`);
}
