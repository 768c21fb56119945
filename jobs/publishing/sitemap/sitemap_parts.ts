/**
 * How the sitemap is divided: the lines lie in order of document, some ids begin a part, and some of these a group
 * of parts (a tree divided by content, of two levels). Which ones do depends on the id alone, so a document that
 * comes or goes changes its own part, or divides it, or joins two; all others stay as they are, and so do their
 * addresses.
 *
 * @module
 */
import { GROUP_PARTS_MAX, PART_LINES_MAX, SITEMAP_URLS_MAX } from "../../limits.ts";

/** Lines of a part, on average. */
const PART_LINES = 128;
/** Parts of a group, on average. */
export const GROUP_PARTS = 64;

if (PART_LINES_MAX + 1_001 > SITEMAP_URLS_MAX) {
  throw new RangeError("The first part has the listings of all collections too");
}

/** Whether a document begins a part. */
export function beginsPart(id: string): boolean {
  return hashOf(id) % PART_LINES === 0;
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

/** Divides parts, in order and from the beginning of a group, into groups of `size` parts on average. */
export function dividedIntoGroups<P extends { firstId: string }>(parts: P[], size: number) {
  const groups: { firstId: string; parts: P[] }[] = [];
  for (const part of parts) {
    const open = groups.at(-1);
    const begins = hashOf(part.firstId) % (PART_LINES * size) === 0;
    if (open === undefined || begins || open.parts.length >= GROUP_PARTS_MAX) {
      groups.push({ firstId: part.firstId, parts: [part] });
    } else open.parts.push(part);
  }
  return groups;
}

/** A hash (FNV-1a) of 24 bits that no order of ids disturbs. */
function hashOf(id: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < id.length; at++) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193);
  hash ^= hash >>> 15;
  return Math.imul(hash, 0x2c1b3c6d) >>> 8;
}
