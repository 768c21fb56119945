/**
 * Brings the sitemap up to date around the documents that have changed. Only the job that makes the
 * aggregates calls this, and its fence is in the commit: nobody else writes parts at the same time.
 *
 * @module
 */
import { PART_LINES_MAX, SITEMAP_CHANGES_MAX, WHOLE_LINES_MAX } from "../limits.ts";
import type { Context } from "../../kv/context.ts";
import {
  siteChangeKey,
  siteChangePrefix,
  siteEntryKey,
  siteEntryPrefix,
  sitemapPartKey,
  sitemapPartPrefix,
} from "../../kv/pages/page_keys.ts";
import { putPage, removePage } from "../../kv/pages/pages.ts";
import { hasPages } from "../../kv/model/collection.ts";
import type { SiteEntry } from "../../kv/pages/site_entries.ts";
import type { Operation } from "../../kv/store/operation.ts";
import type { Store } from "../../kv/store/store.ts";
import { listingPath } from "../render/site_facts.ts";
import {
  renderSitemap,
  renderSitemapIndex,
  SITEMAP_PATH,
  type SitemapEntry,
  sitemapPartPath,
} from "../render/sitemap.ts";
import type { Rendering } from "../render/view.ts";
import { beginsPart, dividedIntoParts } from "./sitemap_parts.ts";

/** Parts rendered at a time. */
const PARTS_AT_ONCE = 8;

/** A line of the sitemap. */
interface Line extends SitemapEntry {
  id: string;
}

/** What is kept of a part. */
interface PartRow {
  lines: number;
  updatedAt: number;
  /** Whether it has a page of its own, and that has all its lines. */
  shown: boolean;
}

interface Part extends PartRow {
  firstId: string;
}

/** Parts that lie together and are divided anew. */
interface Span {
  from: number;
  to: number;
  lines: Line[];
  /** Whether there are more lines than were read. */
  cut: boolean;
}

/** What came of it; `more`: something is left for another time. */
export interface SitemapOutcome {
  changed: boolean;
  more: boolean;
}

/** Adds what has changed of the sitemap to a commit. */
export async function updateSitemap(
  context: Context,
  operation: Operation,
  rendering: Rendering,
): Promise<SitemapOutcome> {
  const { store } = context;
  const [changes, known] = await Promise.all([
    store.listAll({ prefix: siteChangePrefix }, { limit: SITEMAP_CHANGES_MAX }),
    readParts(store),
  ]);
  const isNew = known.length === 0;
  const before = isNew ? [{ firstId: "", lines: 0, updatedAt: 0, shown: false }] : known;
  const places = changes.map(({ key }) => partOf(before, key[1] as string));
  const stale = stalePlaces(before, places, isNew);
  if (stale.length === 0) return { changed: false, more: false };
  const taken = new Set(stale.slice(0, PARTS_AT_ONCE));
  changes.forEach(({ key }, n) => {
    if (taken.has(places[n]!)) operation.delete(key);
  });
  const spans = await readSpans(store, before, [...taken]);
  const { parts, replaced } = divided(before, spans);
  const changed = countLines(parts) <= WHOLE_LINES_MAX
    ? await putWhole(context, operation, rendering, parts)
    : await putParts(context, operation, rendering, parts);
  const kept = new Set(parts.map(({ firstId }) => firstId));
  for (const { firstId } of replaced) {
    if (kept.has(firstId)) continue;
    operation.delete(sitemapPartKey(firstId));
    removePage(operation, sitemapPartPath(firstId));
  }
  const isPartial = countLines(parts) > WHOLE_LINES_MAX && parts.some(({ shown }) => !shown);
  return {
    changed,
    more: isPartial || stale.length > taken.size || changes.length === SITEMAP_CHANGES_MAX,
  };
}

/** Adds a note to each part, so that all of them are rendered again; answers where to go on, or null. */
export async function noteWholeSitemap(
  context: Context,
  operation: Operation,
  after: string,
): Promise<string | null> {
  const range = { prefix: sitemapPartPrefix, start: sitemapPartKey(after) };
  const rows = await context.store.listAll(range, { limit: SITEMAP_CHANGES_MAX });
  const changeId = context.newId(context.now());
  for (const { key } of rows) operation.set(siteChangeKey(key[1] as string, changeId), 1);
  return rows.length < SITEMAP_CHANGES_MAX ? null : `${rows.at(-1)!.key[1]}\0`;
}

async function readParts(store: Store): Promise<Part[]> {
  const parts: Part[] = [];
  for await (const { key, value } of store.list<PartRow>({ prefix: sitemapPartPrefix })) {
    parts.push({ firstId: key[1] as string, ...value! });
  }
  return parts;
}

/** The place of the part that a document is in. */
function partOf(parts: Part[], id: string): number {
  let low = 0;
  let high = parts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (parts[middle]!.firstId <= id) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Places of the parts that are to be rendered, in order. */
function stalePlaces(parts: Part[], changed: number[], isNew: boolean): number[] {
  const stale = new Set(isNew ? [0] : changed);
  if (countLines(parts) > WHOLE_LINES_MAX) {
    parts.forEach(({ shown }, index) => {
      if (!shown) stale.add(index);
    });
  }
  return [...stale].sort((a, b) => a - b);
}

/** Reads parts, each with those before it as long as nothing begins a part where it begins. */
async function readSpans(store: Store, parts: Part[], places: number[]): Promise<Span[]> {
  const spans: Span[] = [];
  for (const index of places) {
    let span = await readSpan(store, parts, index);
    while (!beginsRightly(parts[span.from]!.firstId, span.lines)) {
      const last = spans.at(-1);
      const before = last?.to === span.from - 1
        ? spans.pop()!
        : await readSpan(store, parts, span.from - 1);
      // What was cut off in the middle is read when its turn comes.
      span = before.cut
        ? { ...before, to: span.to }
        : { ...span, from: before.from, lines: [...before.lines, ...span.lines] };
    }
    spans.push(span);
  }
  return spans;
}

function beginsRightly(firstId: string, lines: Line[]): boolean {
  return firstId === "" || (lines[0]?.id === firstId && beginsPart(firstId));
}

async function readSpan(store: Store, parts: Part[], index: number): Promise<Span> {
  const start = siteEntryKey(parts[index]!.firstId);
  const next = parts[index + 1];
  const range = next === undefined
    ? { prefix: siteEntryPrefix, start }
    : { start, end: siteEntryKey(next.firstId) };
  const lines: Line[] = [];
  // One more than a part may have, so that what is cut off is known.
  for await (const entry of store.list<SiteEntry>(range, { limit: PART_LINES_MAX + 1 })) {
    const [path, updatedAt] = entry.value!;
    lines.push({ id: entry.key[1] as string, path, updatedAt });
  }
  return { from: index, to: index, lines, cut: lines.length > PART_LINES_MAX };
}

/** The parts after the lines of some were read, with those lines, and the parts that they replace. */
function divided(before: Part[], spans: Span[]): { parts: ReadPart[]; replaced: Part[] } {
  const parts: ReadPart[] = [];
  const replaced: Part[] = [];
  let index = 0;
  for (const { from, to, lines, cut } of spans) {
    parts.push(...before.slice(index, from));
    replaced.push(...before.slice(from, to + 1));
    const fresh = dividedIntoParts(before[from]!.firstId, lines);
    fresh.forEach(({ firstId, lines }, n) => {
      const updatedAt = lines.reduce((newest, line) => Math.max(newest, line.updatedAt!), 0);
      const isWhole = !cut || n < fresh.length - 1;
      const part: ReadPart = { firstId, lines: lines.length, updatedAt, shown: false };
      const was = before.slice(from, to + 1).find((one) => one.firstId === firstId);
      if (was?.shown) part.shown = true;
      parts.push({ ...part, read: { lines, isWhole } });
    });
    index = to + 1;
  }
  parts.push(...before.slice(index));
  return { parts, replaced };
}

interface ReadPart extends Part {
  /** Its lines, where they were read. */
  read?: { lines: Line[]; isWhole: boolean };
}

/** A short sitemap is one file: parts are known, but have no pages. */
async function putWhole(
  context: Context,
  operation: Operation,
  rendering: Rendering,
  parts: ReadPart[],
): Promise<boolean> {
  const lines: Line[] = [];
  for (const [index, part] of parts.entries()) {
    lines.push(...part.read?.lines ?? (await readSpan(context.store, parts, index)).lines);
    if (!part.shown && part.read === undefined) continue;
    removePage(operation, sitemapPartPath(part.firstId));
    putRow(operation, part, false);
  }
  const entries = [...commonLines(rendering), ...lines];
  return await putPage(context, operation, renderSitemap(rendering.site, SITEMAP_PATH, entries));
}

async function putParts(
  context: Context,
  operation: Operation,
  rendering: Rendering,
  parts: ReadPart[],
): Promise<boolean> {
  let changed = false;
  for (const part of parts) {
    if (part.read === undefined) continue;
    const { lines, isWhole } = part.read;
    if (isWhole) {
      const entries = part.firstId === "" ? [...commonLines(rendering), ...lines] : lines;
      const path = sitemapPartPath(part.firstId);
      const page = renderSitemap(rendering.site, path, entries);
      if (await putPage(context, operation, page)) changed = true;
      part.shown = true;
    }
    putRow(operation, part, part.shown && isWhole);
    part.shown &&= isWhole;
    await context.store.sleep(0);
  }
  // Until all parts are there, readers keep what they have.
  if (parts.some(({ shown }) => !shown)) return changed;
  const index = renderSitemapIndex(
    rendering.site,
    parts.map(({ firstId, updatedAt }) => ({
      path: sitemapPartPath(firstId),
      ...(updatedAt > 0 && { updatedAt }),
    })),
  );
  return await putPage(context, operation, index) || changed;
}

function putRow(operation: Operation, part: Part, shown: boolean): void {
  const { firstId, lines, updatedAt } = part;
  operation.set(sitemapPartKey(firstId), { lines, updatedAt, shown } satisfies PartRow);
}

/** The first page and the listings stand before all documents. */
function commonLines({ schema }: Rendering): SitemapEntry[] {
  return [
    { path: "/" },
    ...schema.collections.filter((one) => hasPages(one) && !one.singleton)
      .map((one) => ({ path: listingPath(one) })),
  ];
}

function countLines(parts: Part[]): number {
  return parts.reduce((sum, { lines }) => sum + lines, 0);
}
