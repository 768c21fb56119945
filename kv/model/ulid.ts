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
