/**
 * Cursors: a position in the order of a list, opaque to clients. A cursor belongs to the sort that it was
 * made under.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import type { Position } from "../../kv/index/query/list_query.ts";
import { CURSOR_CHARS_MAX } from "../../kv/limits/requests.ts";
import type { IndexValue } from "../../kv/model/fields/field_type.ts";
import { isUlid } from "../../kv/model/values/ulid.ts";
import { Refusal } from "../../kv/refusals.ts";
import { sha256 } from "../../kv/model/values/sha256.ts";

/** Characters of the sort's fingerprint in a cursor. */
const SORT_CHARS = 8;

/** The cursor of a position; `order` identifies the sort of the list. */
export function formatCursor({ values, id }: Position, order: string): string {
  return Buffer.from(JSON.stringify([sortFingerprint(order), id, ...values])).toString("base64url");
}

/** The position of a cursor; an empty cursor starts the list. */
export function parseCursor(text: string, order: string, keys: number): Position | "start" {
  if (text === "") return "start";
  if (text.length > CURSOR_CHARS_MAX) throw new Refusal("CURSOR_INVALID");
  const parts = decode(text);
  if (!Array.isArray(parts)) throw new Refusal("CURSOR_INVALID");
  const [fingerprint, id, ...values] = parts as unknown[];
  if (
    fingerprint !== sortFingerprint(order) || !isUlid(id) || values.length !== keys ||
    !values.every(isValue)
  ) {
    throw new Refusal("CURSOR_INVALID");
  }
  return { id, values };
}

function decode(text: string): unknown {
  try {
    // Invalid base64 would be skipped, or throw on Deno 2.5.
    const bytes = Buffer.from(text, "base64url");
    if (bytes.toString("base64url") !== text) throw new SyntaxError("Cannot decode the cursor");
    return JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch (cause) {
    throw new Refusal("CURSOR_INVALID", {}, { cause });
  }
}

function sortFingerprint(order: string): string {
  return sha256(order).slice(0, SORT_CHARS);
}

function isValue(value: unknown): value is IndexValue {
  return value === null || ["string", "number", "boolean"].includes(typeof value);
}
