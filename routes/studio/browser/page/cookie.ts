/**
 * Runs in the browser. Display preferences, stored in cookies so that the server renders the next page with
 * them.
 *
 * @module
 */
/// <reference lib="dom" />

const YEAR_SECONDS = 31_536_000;

/** Keeps a choice for a year; the value may hold letters, digits, dots and hyphens. */
export function keepChoice(name: string, value: string): void {
  document.cookie = `${name}=${value}; path=/admin; max-age=${YEAR_SECONDS}; samesite=lax`;
}
