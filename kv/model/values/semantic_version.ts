/**
 * Versions of packages: Semantic Versioning 2.0, with parts within the safe integers.
 *
 * @module
 */
import { compareVersions, satisfies } from "compare-versions";
import { VERSION_CHARS_MAX } from "../../limits/packages.ts";

/** The version of the package API; the `api` of a package is the range that it supports. */
export const PACKAGE_API = "1.0.0";

const NUMBER = "(?:0|[1-9]\\d{0,8})";
const PRE = `(?:${NUMBER}|\\d*[A-Za-z-][0-9A-Za-z-]*)`;
const VERSION = new RegExp(`^${NUMBER}\\.${NUMBER}\\.${NUMBER}(?:-${PRE}(?:\\.${PRE})*)?$`);
const RANGE =
  /^(?:(?:>=|<=|>|<|=|\^|~)?\d{1,9}(?:\.(?:\d{1,9}|x|\*)){0,2})(?: +(?:>=|<=|>|<|=|\^|~)?\d{1,9}(?:\.(?:\d{1,9}|x|\*)){0,2}){0,3}$/;

/** Whether a text is a version. */
export function isVersion(text: string): boolean {
  return text.length <= VERSION_CHARS_MAX && VERSION.test(text);
}

/** Below zero when `a` comes before `b`. */
export function compareVersion(a: string, b: string): number {
  return compareVersions(a, b);
}

/** Whether a text is a range of versions, as in `>=1 <2`. */
export function isRange(text: string): boolean {
  return text.length <= VERSION_CHARS_MAX && RANGE.test(text);
}

/** Whether a range includes {@linkcode PACKAGE_API}. */
export function fitsApi(range: string): boolean {
  return satisfies(PACKAGE_API, range);
}
