/**
 * The words of a search: their schema, and parsing `q`.
 *
 * @module
 */
import { SEARCH_CHARS_MAX, SEARCH_CHARS_MIN } from "../../kv/limits/requests.ts";
import type { Detail } from "../../kv/refusals.ts";

/** Schema of `q`; surrounding whitespace does not count. */
export const SEARCH_WORDS = {
  type: "string",
  minLength: SEARCH_CHARS_MIN,
  pattern: `^\\s*\\S[\\s\\S]{${SEARCH_CHARS_MIN - 2},${SEARCH_CHARS_MAX - 2}}\\S\\s*$`,
} as const;

/** The words, or the error of the given `q`. */
export function parseSearchWords(
  texts: readonly string[],
): { text: string } | Pick<Detail, "code" | "message"> {
  const text = (texts[0] ?? "").trim();
  const chars = text.length > 2 * SEARCH_CHARS_MAX ? text.length : [...text].length;
  if (texts.length > 1) return { code: "INVALID_TYPE", message: "Give this parameter only once" };
  if (text === "") return { code: "REQUIRED", message: "Required" };
  if (chars < SEARCH_CHARS_MIN) {
    return { code: "TOO_SHORT", message: `Must have at least ${SEARCH_CHARS_MIN} characters` };
  }
  if (chars > SEARCH_CHARS_MAX) {
    return { code: "TOO_LONG", message: `Must have at most ${SEARCH_CHARS_MAX} characters` };
  }
  return { text };
}
