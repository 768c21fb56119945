/**
 * Paths that a request names to return to.
 *
 * @module
 */

/** Dot segments, encoded or not; a browser resolves them before it follows a path. */
const DOT_SEGMENT = /\/(?:\.|%2e){1,2}(?:[/?#]|$)/i;

/** Whether a path is one that `pattern` allows, and stays so once a browser has resolved it. */
export function staysInside(path: string, pattern: RegExp): boolean {
  const [pathname = ""] = path.split(/[?#]/, 1);
  return pattern.test(path) && !DOT_SEGMENT.test(pathname);
}
