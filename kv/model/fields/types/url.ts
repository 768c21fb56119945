/**
 * Addresses of pages and mailboxes: absolute, `http`, `https` or `mailto`, kept as they were written.
 *
 * @module
 */
import { URL_CHARS_MAX } from "../../../limits/content.ts";
import { type FieldType, report } from "../field_type.ts";
import { ADDRESS } from "./address.ts";
import { textFilter } from "../../values/scalar_index.ts";
import { longerThan } from "../../values/text_check.ts";

/** Address. */
export const url: FieldType = {
  name: "url",
  ...ADDRESS,
  roles: [...ADDRESS.roles, "canonical"],
  check(value, _field, scope) {
    if (typeof value !== "string") return report(scope, "INVALID_TYPE", "Must be text");
    if (longerThan(value, URL_CHARS_MAX)) {
      return report(scope, "TOO_LONG", `At most ${URL_CHARS_MAX} characters`);
    }
    if (isUrl(value)) return value;
    return report(scope, "PATTERN_MISMATCH", "Must be an absolute http, https or mailto address");
  },
  wire: () => ({ type: "string", format: "uri", maxLength: URL_CHARS_MAX }),
  parseFilter: (text) =>
    !longerThan(text, URL_CHARS_MAX) && isUrl(text) ? textFilter(text) : undefined,
};

/** Stricter than the URL parser, which repairs white space, backslashes and missing slashes. */
function isUrl(text: string): boolean {
  if (/[\s\u0000-\u001f\u007f\\]/.test(text) || !text.isWellFormed()) return false;
  if (!/^(?:https?:\/\/[^/?#]|mailto:[^?@]+@[^?])/i.test(text)) return false;
  return URL.canParse(text);
}
