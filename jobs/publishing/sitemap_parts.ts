/**
 * How the sitemap is divided: the lines lie in order of document, and some ids begin a part. Which ones
 * do depends on the id alone, so a document that comes or goes changes its own part, or divides it, or
 * joins two; all others stay as they are, and so do their addresses.
 *
 * @module
 */
import { PART_LINES_MAX, SITEMAP_URLS_MAX } from "../limits.ts";

/** Lines of a part, on average. */
const PART_LINES = 512;

if (PART_LINES_MAX + 1_001 > SITEMAP_URLS_MAX) {
  throw new RangeError("The first part has the listings of all collections too");
}

/** Whether a document begins a part, by a hash (FNV-1a) that no order of ids disturbs. */
export function beginsPart(id: string): boolean {
  let hash = 0x811c9dc5;
  for (let at = 0; at < id.length; at++) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193);
  hash ^= hash >>> 15;
  return (Math.imul(hash, 0x2c1b3c6d) >>> 8) % PART_LINES === 0;
}

/** Divides lines, in order and from the beginning of a part, into parts. */
export function dividedIntoParts<L extends { id: string }>(firstId: string, lines: L[]) {
  const parts: { firstId: string; lines: L[] }[] = [{ firstId, lines: [] }];
  for (const line of lines) {
    const open = parts.at(-1)!;
    const begins = line.id !== open.firstId && beginsPart(line.id);
    if (begins || open.lines.length >= PART_LINES_MAX) {
      parts.push({ firstId: line.id, lines: [line] });
    } else open.lines.push(line);
  }
  return parts;
}
