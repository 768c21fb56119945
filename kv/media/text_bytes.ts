/**
 * Detects the type of a plain text from its beginning. Texts have no magic bytes: they are UTF-8 without
 * control characters, and not markup or a program that a browser or a shell would run.
 *
 * @module
 */
import type { FileMime } from "../model/values/file_type.ts";

/** Column separators of a table. */
const SEPARATORS = [",", ";", "\t"] as const;
/** Lines that distinguish a table from prose. */
const LINES_SEEN = 20;

/** The type of a text by its head; null when it is none. */
export function textType(head: Uint8Array, isWhole: boolean): FileMime | null {
  const text = decoded(head);
  if (text === null || text.trim() === "") return null;
  if (/[\u0000-\u0008\u000b\u000e-\u001f\u007f]/.test(text)) return null;
  if (/^\s*(<|#!|%!)/.test(text)) return null;
  return isTable(text, isWhole) ? "text/csv" : "text/plain";
}

/** Null when it is not UTF-8; the head may end within a character. */
function decoded(head: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(head, { stream: true });
  } catch {
    return null;
  }
}

/** Whether each line has as many separators as the first one, outside of quotes. */
function isTable(text: string, isWhole: boolean): boolean {
  const unquoted = text.replace(/"(?:[^"]|"")*"/g, "");
  const lines = unquoted.split(/\r\n|\r|\n/);
  // The last line of a head continues after it.
  if (!isWhole) lines.pop();
  const seen = lines.filter((line) => line !== "").slice(0, LINES_SEEN);
  if (seen.length < 2) return false;
  return SEPARATORS.some((separator) => {
    const counts = new Set(seen.map((line) => line.split(separator).length));
    return counts.size === 1 && !counts.has(1);
  });
}
