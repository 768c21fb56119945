/**
 * How ULIDs are spelled.
 *
 * @module
 */

/** Crockford's base 32: the digits of a ULID in their order. */
export const CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** What a ULID looks like, as a regular expression without anchors. */
export const ULID_PATTERN = "[0-7][0-9A-HJKMNP-TV-Z]{25}";

const ULID = new RegExp(`^${ULID_PATTERN}$`);

/** Whether `text` is spelled as a ULID. */
export function isUlid(text: unknown): text is string {
  return typeof text === "string" && ULID.test(text);
}

/** The same 128 bits spelled as a UUID (RFC 9562), for formats that know no ULIDs. */
export function uuidOf(ulid: string): string {
  let bits = 0n;
  for (const digit of ulid) bits = bits * 32n + BigInt(CROCKFORD.indexOf(digit));
  const hex = bits.toString(16).padStart(32, "0");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
