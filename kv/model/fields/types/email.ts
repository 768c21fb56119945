/**
 * Mail addresses, kept as they were written.
 *
 * @module
 */
import { z } from "zod";
import { EMAIL_CHARS_MAX } from "../../../limits/content.ts";
import { type FieldType, report } from "../field_type.ts";
import { ADDRESS } from "./address.ts";
import { longerThan } from "../../values/text_check.ts";

/** Mail address. */
export const email: FieldType = {
  name: "email",
  ...ADDRESS,
  check(value, _field, scope) {
    if (typeof value !== "string") return report(scope, "INVALID_TYPE", "Must be text");
    if (longerThan(value, EMAIL_CHARS_MAX)) {
      return report(scope, "TOO_LONG", `At most ${EMAIL_CHARS_MAX} characters`);
    }
    if (z.regexes.email.test(value)) return value;
    return report(scope, "PATTERN_MISMATCH", "Must be an email address");
  },
  wire: () => ({ type: "string", format: "email", maxLength: EMAIL_CHARS_MAX }),
  parseFilter: (text) =>
    text.length <= EMAIL_CHARS_MAX && z.regexes.email.test(text) ? text : undefined,
};
