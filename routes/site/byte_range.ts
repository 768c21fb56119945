/**
 * The `Range` header (RFC 9110, section 14): one range of bytes, or the whole.
 *
 * @module
 */

/** A range within `bytes`; `end` is exclusive. Null: the whole. "unsatisfiable": 416. */
export type ByteRange = { start: number; end: number } | null | "unsatisfiable";

/** Parses a `Range` header; several ranges and invalid ones are ignored. */
export function parseByteRange(header: string | undefined, bytes: number): ByteRange {
  const match = /^bytes=\s*(\d*)\s*-\s*(\d*)\s*$/i.exec(header ?? "");
  if (match === null) return null;
  const [, first = "", last = ""] = match;
  if (first === "" && last === "") return null;
  if (first === "") {
    const length = Math.min(Number(last), bytes);
    return length === 0 ? "unsatisfiable" : { start: bytes - length, end: bytes };
  }
  const start = Number(first);
  if (last !== "" && Number(last) < start) return null;
  if (start >= bytes) return "unsatisfiable";
  return { start, end: last === "" ? bytes : Math.min(Number(last) + 1, bytes) };
}
