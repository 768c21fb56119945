/**
 * What is kept of a sitemap in parts: a row for each group of neighbouring parts, with the piece of the index that has
 * their lines, and one row of totals. The index names the groups in order: a change reads and writes its own group,
 * however many others there are.
 *
 * @module
 */
import { zip } from "../../../kv/model/primitives/zip.ts";
import {
  pageKey,
  sitemapGroupKey,
  sitemapGroupPrefix,
  sitemapTotalsKey,
} from "../../../kv/pages/page_keys.ts";
import { type Piece, pieceAddress, putPiece } from "../../../kv/pages/page_pieces.ts";
import type { PageRow } from "../../../kv/pages/pages.ts";
import type { Entry, Operation } from "../../../kv/store/operation.ts";
import type { Store } from "../../../kv/store/store.ts";
import type { SiteFacts } from "../../render/site_facts.ts";
import { renderIndexLines, SITEMAP_PATH, sitemapPartPath } from "../../render/feeds/sitemap.ts";
import { dividedIntoGroups } from "./sitemap_parts.ts";

/** A part. */
export interface Part {
  firstId: string;
  lines: number;
  /** The second of the newest change of its lines; 0 where it has none. */
  updatedAt: number;
  /** Whether it has a page of its own, and that has all its lines. */
  shown: boolean;
}

/** A stored group: its parts as JSON of {@linkcode StoredPart}s, and its lines of the index. */
interface GroupRow {
  parts: Uint8Array;
  piece: Piece;
}

type StoredPart = [firstId: string, lines: number, updatedAt: number, shown: boolean];

/** A group of parts, which are there once they were read. */
export interface Group {
  firstId: string;
  piece: Piece;
  parts?: Part[];
}

/** The totals of all parts; `hidden` counts those that are not shown. */
export interface Totals {
  lines: number;
  hidden: number;
}

/** The state of a sitemap before a change; without groups while it is one file. */
export interface KnownSitemap extends Totals {
  groups: Group[];
  page: Entry<PageRow>;
}

/** Groups that lie together, with their parts; no groups where there are none yet. */
export interface Run {
  groups: Group[];
  parts: Part[];
  /** The first ID of the next part. */
  endId: string | null;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const PIECE_PLACE = "sitemap/";

/** Reads what the index says of the groups, or all of these as long as it is not whole. */
export async function readSitemap(store: Store): Promise<KnownSitemap> {
  const [totals, page] = await store.getMany([sitemapTotalsKey, pageKey(SITEMAP_PATH)]) as [
    Entry<Totals>,
    Entry<PageRow>,
  ];
  if (totals.value === null) return { lines: 0, hidden: 0, groups: [], page };
  const shown = page.value?.inPieces?.pieces;
  const groups = totals.value.hidden === 0 && shown !== undefined
    ? shown.map((piece) => ({ firstId: pieceAddress(piece).slice(PIECE_PLACE.length), piece }))
    : await Array.fromAsync(groupsFrom(store));
  return { ...totals.value, groups, page };
}

/** Groups in order with their parts, from one on. */
export async function* groupsFrom(
  store: Store,
  firstId = "",
): AsyncGenerator<Required<Group>, void> {
  const range = { prefix: sitemapGroupPrefix, start: sitemapGroupKey(firstId) };
  for await (const { key, value } of store.list<GroupRow>(range)) {
    yield { firstId: key[1] as string, piece: value.piece, parts: partsOf(value) };
  }
}

function partsOf({ parts }: GroupRow): Part[] {
  const stored: StoredPart[] = JSON.parse(decoder.decode(parts));
  return stored.map(([firstId, lines, updatedAt, shown]) => ({ firstId, lines, updatedAt, shown }));
}

/** Reads the parts of the groups at `places`, and of those before them, which may have to join them. */
export async function readRuns(
  store: Store,
  groups: Group[],
  places: Iterable<number>,
): Promise<Run[]> {
  if (groups.length === 0) return [{ groups, parts: [], endId: null }];
  const bounds: { from: number; to: number }[] = [];
  for (const place of [...places].sort((a, b) => a - b)) {
    const [last, from] = [bounds.at(-1), Math.max(0, place - 1)];
    if (last !== undefined && last.to >= from) last.to = place + 1;
    else bounds.push({ from, to: place + 1 });
  }
  const runs = bounds.map(({ from, to }) => ({
    groups: groups.slice(from, to),
    endId: groups[to]?.firstId ?? null,
  }));
  await readParts(store, runs.flatMap(({ groups }) => groups));
  return runs.map((run) => ({ ...run, parts: partsOfGroups(run.groups) }));
}

/** The parts of groups whose rows have been read. */
export function partsOfGroups(groups: readonly Group[]): Part[] {
  return groups.flatMap(({ parts }) => parts ?? []);
}

async function readParts(store: Store, groups: Group[]): Promise<void> {
  const unread = groups.filter(({ parts }) => parts === undefined);
  const rows = await store.getMany(unread.map(({ firstId }) => sitemapGroupKey(firstId)));
  // Index and groups are of one commit: none is missing.
  for (const [group, { value }] of zip(unread, rows)) group.parts = partsOf(value as GroupRow);
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
    const isSame = was !== undefined && was.parts?.length === parts.length &&
      parts.every(({ read }) => read === undefined);
    return isSame ? was : putGroup(operation, site, { firstId, parts, known: was?.piece });
  });
  for (const firstId of before.keys()) operation.delete(sitemapGroupKey(firstId));
  return groups;
}

function putGroup(
  operation: Operation,
  site: SiteFacts,
  { firstId, parts, known }: { firstId: string; parts: Part[]; known: Piece | undefined },
): Group {
  const lines = renderIndexLines(
    site,
    parts.map(({ firstId, updatedAt }) => ({
      path: sitemapPartPath(firstId),
      ...(updatedAt > 0 && { updatedAt }),
    })),
  );
  const piece = putPiece(operation, `${PIECE_PLACE}${firstId}`, lines, known);
  const stored = parts.map(({ firstId, lines, updatedAt, shown }): StoredPart => [
    firstId,
    lines,
    updatedAt,
    shown,
  ]);
  const row: GroupRow = { parts: encoder.encode(JSON.stringify(stored)), piece };
  operation.set(sitemapGroupKey(firstId), row);
  return { firstId, piece, parts };
}

/** Lines of parts together. */
export function linesOf(parts: readonly Part[]): number {
  return parts.reduce((sum, { lines }) => sum + lines, 0);
}

/** How many parts are not shown. */
export function hiddenOf(parts: readonly Part[]): number {
  return parts.filter(({ shown }) => !shown).length;
}
