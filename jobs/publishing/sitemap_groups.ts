/**
 * What is kept of the sitemap: a row for each part, and for each group of neighbouring parts one that says what they
 * come to and which piece of the index has their lines. So a change reads and writes its own group, however many
 * others there are.
 *
 * @module
 */
import type { Key } from "../../kv/keys.ts";
import {
  sitemapGroupKey,
  sitemapGroupPrefix,
  sitemapPartKey,
  sitemapPartPrefix,
} from "../../kv/pages/page_keys.ts";
import { type Piece, putPiece } from "../../kv/pages/page_pieces.ts";
import type { Operation } from "../../kv/store/operation.ts";
import type { Range } from "../../kv/store/driver.ts";
import type { Store } from "../../kv/store/store.ts";
import type { SiteFacts } from "../render/site_facts.ts";
import { renderIndexLines, SITEMAP_PATH, sitemapPartPath } from "../render/sitemap.ts";
import { dividedIntoGroups } from "./sitemap_parts.ts";

/** What is kept of a part. */
export interface PartRow {
  lines: number;
  updatedAt: number;
  /** Whether it has a page of its own, and that has all its lines. */
  shown: boolean;
}

/** A part. */
export interface Part extends PartRow {
  firstId: string;
}

/** What is kept of a group. */
interface GroupRow {
  parts: number;
  lines: number;
  /** Parts that are not shown. */
  hidden: number;
  /** Its lines of the index. */
  piece: Piece;
}

/** A group of parts. */
export interface Group extends GroupRow {
  firstId: string;
}

/** Groups that lie together, with their parts; no groups where there are none yet. */
export interface Run {
  groups: Group[];
  parts: Part[];
  /** Where the next part begins. */
  endId: string | null;
}

/** All groups, in order. */
export async function readGroups(store: Store): Promise<Group[]> {
  const groups: Group[] = [];
  for await (const { key, value } of store.list<GroupRow>({ prefix: sitemapGroupPrefix })) {
    groups.push({ firstId: key[1] as string, ...value! });
  }
  return groups;
}

/** Reads the parts of the groups at `places`, and of those before them, which may have to join them. */
export async function readRuns(
  store: Store,
  groups: Group[],
  places: Iterable<number>,
): Promise<Run[]> {
  if (groups.length === 0) return [await readRun(store, groups, { from: 0, to: 0 })];
  const bounds: { from: number; to: number }[] = [];
  for (const place of [...places].sort((a, b) => a - b)) {
    const [last, from] = [bounds.at(-1), Math.max(0, place - 1)];
    if (last !== undefined && last.to >= from) last.to = place + 1;
    else bounds.push({ from, to: place + 1 });
  }
  return await Promise.all(bounds.map((bound) => readRun(store, groups, bound)));
}

async function readRun(
  store: Store,
  groups: Group[],
  { from, to }: { from: number; to: number },
): Promise<Run> {
  const firstId = groups[from]?.firstId ?? "";
  const endId = groups[to]?.firstId ?? null;
  const range = rangeOf({ prefix: sitemapPartPrefix, keyOf: sitemapPartKey }, firstId, endId);
  const parts: Part[] = [];
  for await (const { key, value } of store.list<PartRow>(range)) {
    parts.push({ firstId: key[1] as string, ...value! });
  }
  return { groups: groups.slice(from, to), parts, endId };
}

/** The rows of a family from an id on, up to where another begins, or to the end. */
export function rangeOf(
  { prefix, keyOf }: { prefix: Key; keyOf: (id: string) => Key },
  firstId: string,
  endId: string | null,
): Range {
  const start = keyOf(firstId);
  return endId === null ? { prefix, start } : { start, end: keyOf(endId) };
}

/** The place of what a document is in, among parts or groups in order. */
export function placeOf(list: { firstId: string }[], id: string): number {
  let low = 0;
  let high = list.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (list[middle]!.firstId <= id) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Adds to a commit the groups that the parts of a run make by now; answers them. Only parts that were read differ. */
export function putGroups(
  operation: Operation,
  site: SiteFacts,
  run: Run,
  { parts, size }: { parts: (Part & { read?: object })[]; size: number },
): Group[] {
  const before = new Map(run.groups.map((group) => [group.firstId, group]));
  const groups = dividedIntoGroups(parts, size).map(({ firstId, parts }): Group => {
    const was = before.get(firstId);
    before.delete(firstId);
    const isSame = was?.parts === parts.length && parts.every(({ read }) => read === undefined);
    if (isSame) return was;
    const row = rowOf(operation, site, { firstId, parts, known: was?.piece });
    operation.set(sitemapGroupKey(firstId), row);
    return { firstId, ...row };
  });
  for (const firstId of before.keys()) operation.delete(sitemapGroupKey(firstId));
  return groups;
}

function rowOf(
  operation: Operation,
  site: SiteFacts,
  { firstId, parts, known }: { firstId: string; parts: Part[]; known: Piece | undefined },
): GroupRow {
  const lines = renderIndexLines(
    site,
    parts.map(({ firstId, updatedAt }) => ({
      path: sitemapPartPath(firstId),
      ...(updatedAt > 0 && { updatedAt }),
    })),
  );
  return {
    parts: parts.length,
    lines: countLines(parts),
    hidden: parts.filter(({ shown }) => !shown).length,
    piece: putPiece(operation, `${SITEMAP_PATH}/${firstId}`, lines, known),
  };
}

/** Lines of parts, or of groups, together. */
export function countLines(list: { lines: number }[]): number {
  return list.reduce((sum, { lines }) => sum + lines, 0);
}
