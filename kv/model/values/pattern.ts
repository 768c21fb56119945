/**
 * The `pattern` option of text fields, on RE2: time is linear in the text whatever the pattern. As in
 * JSON Schema a pattern matches anywhere in the text unless it is anchored with `^` and `$`.
 *
 * @module
 */
import { RE2JS } from "re2js";
import { PATTERN_CHARS_MAX, PATTERN_PROGRAM_MAX } from "../../limits/content.ts";
import { longerThan } from "./text_check.ts";

/** A message about what is wrong with a pattern; null if it is valid. */
export function patternFault(pattern: string): string | null {
  if (longerThan(pattern, PATTERN_CHARS_MAX)) return `At most ${PATTERN_CHARS_MAX} characters`;
  try {
    if (RE2JS.compile(toRe2(pattern)).programSize() <= PATTERN_PROGRAM_MAX) return null;
    return "The pattern is too complex: its repetitions multiply";
  } catch (error) {
    if (!(error instanceof Error) || !error.name.startsWith("RE2JS")) throw error;
    return `The pattern is not supported: ${error.message.replace(/^error parsing regexp: /, "")}`;
  }
}

/** Patterns by the object that holds them: compiled once for as long as the schema is kept. */
const compiled = new WeakMap<object, { pattern: string; matcher: RE2JS }>();

/** Whether `text` matches; `owner` is the object that `pattern` was read from. */
export function matchesPattern(owner: object, pattern: string, text: string): boolean {
  let known = compiled.get(owner);
  if (known === undefined || known.pattern !== pattern) {
    known = { pattern, matcher: RE2JS.compile(toRe2(pattern)) };
    compiled.set(owner, known);
  }
  return known.matcher.test(text);
}

/** The pattern for JSON Schema readers, who use ECMA-262; undefined when it cannot be read there. */
export function ecmaPattern(pattern: string): string | undefined {
  try {
    new RegExp(pattern, "u");
    return pattern;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}

/** RE2 spells `\u00e9` and `\u{e9}` as `\x{00e9}`; everything else means the same or is refused. */
function toRe2(pattern: string): string {
  return pattern.replace(
    /\\(?:u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|[^])/g,
    (whole, braced?: string, plain?: string) => {
      const digits = braced ?? plain;
      return digits === undefined ? whole : `\\x{${digits}}`;
    },
  );
}
