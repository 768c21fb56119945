/**
 * Identifiers as words.
 *
 * @module
 */

/** Converts `pagesRendered` and `pages_rendered` to "Pages rendered". */
export function capitalized(name: string): string {
  const words = name.replaceAll(/[_-]+/g, " ")
    .replaceAll(/([a-z\d])([A-Z])/g, (_, end, begin) => `${end} ${begin.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** "1 field", "1,204 fields". */
export function counted(count: number, what: string): string {
  return `${count.toLocaleString("en")} ${what}${count === 1 ? "" : "s"}`;
}
