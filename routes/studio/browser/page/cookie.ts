/**
 * Runs in the browser. What a browser remembers of the admin application's looks, kept in cookies so that the
 * next page is drawn right at once.
 *
 * @module
 */
/// <reference lib="dom" />

const YEAR_SECONDS = 31_536_000;

/** Keeps a choice for a year; the value may hold letters, digits, dots and hyphens. */
export function keepChoice(name: string, value: string): void {
  document.cookie = `${name}=${value}; path=/admin; max-age=${YEAR_SECONDS}; samesite=lax`;
}
