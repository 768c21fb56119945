/**
 * Brings the sitemap up to date around the documents that have changed. Only the job that makes the
 * aggregates calls this, and its fence is in the commit: nobody else writes parts at the same time.
 *
 * @module
 */
import { SITEMAP_CHANGES_MAX, WHOLE_LINES_MAX } from "../limits.ts";
import type { Context } from "../../kv/context.ts";
import {
  siteChangeKey,
  siteChangePrefix,
  sitemapGroupKey,
  sitemapPartKey,
  sitemapPartPrefix,
} from "../../kv/pages/page_keys.ts";
import { type Piece, removePieces } from "../../kv/pages/page_pieces.ts";
import { findPage, putPage, putPageInPieces, removePage } from "../../kv/pages/pages.ts";
import { hasPages } from "../../kv/model/collection.ts";
import type { Operation } from "../../kv/store/operation.ts";
import { listingPath } from "../render/site_facts.ts";
import {
  renderSitemap,
  SITEMAP_INDEX,
  SITEMAP_PATH,
  type SitemapEntry,
  sitemapPartPath,
} from "../render/sitemap.ts";
import type { Rendering } from "../render/view.ts";
import { type Group, type Part, type PartRow, putGroups, readGroups } from "./sitemap_groups.ts";
import { GROUP_PARTS } from "./sitemap_parts.ts";
import { type Line, type Plan, planned, type ReadPart, readSpan } from "./sitemap_plan.ts";

/** What came of it; `more`: something is left for another time. */
export interface SitemapOutcome {
  changed: boolean;
  more: boolean;
}

/** Adds what has changed of the sitemap to a commit; groups are of `groupParts` parts on average. */
export async function updateSitemap(
  context: Context,
  operation: Operation,
  rendering: Rendering,
  groupParts = GROUP_PARTS,
): Promise<SitemapOutcome> {
  const { store } = context;
  const [changes, groups] = await Promise.all([
    store.listAll({ prefix: siteChangePrefix }, { limit: SITEMAP_CHANGES_MAX }),
    readGroups(store),
  ]);
  const changed = [...new Set(changes.map(({ key }) => key[1] as string))];
  const plan = await planned(store, groups, changed);
  if (plan === null) return { changed: false, more: false };
  const seenTo = new Set(plan.seenTo);
  for (const { key } of changes) if (seenTo.has(key[1] as string)) operation.delete(key);
  const put = plan.lines <= WHOLE_LINES_MAX ? putWhole : putParts;
  const outcome = await put(context, operation, rendering, { ...plan, groupParts });
  for (const { parts, replaced } of plan.divided) {
    const kept = new Set(parts.map(({ firstId }) => firstId));
    for (const { firstId } of replaced) {
      if (kept.has(firstId)) continue;
      operation.delete(sitemapPartKey(firstId));
      removePage(operation, sitemapPartPath(firstId));
    }
  }
  return {
    changed: outcome.changed,
    more: outcome.hidden > 0 || plan.more || changes.length === SITEMAP_CHANGES_MAX,
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

/** What a rendering came to; `hidden`: parts that are still to be rendered. */
interface Put {
  changed: boolean;
  hidden: number;
}

/** A short sitemap is one file: parts are known, but have no pages and make no groups. */
async function putWhole(
  context: Context,
  operation: Operation,
  rendering: Rendering,
  { groups, divided }: Plan,
): Promise<Put> {
  const { store } = context;
  const lines: Line[] = [];
  for (const { run, parts } of divided) {
    const isRead = parts.every(({ read }) => read !== undefined);
    // One list for all of them, however many they are.
    const whole = { endId: run.endId, parts: parts.slice(0, 1) };
    lines.push(
      ...isRead
        ? parts.flatMap(({ read }) => read!.lines)
        : (await readSpan(store, whole, 0)).lines,
    );
    for (const part of parts) {
      if (!part.shown && part.read === undefined) continue;
      removePage(operation, sitemapPartPath(part.firstId));
      putRow(operation, part, false);
    }
  }
  for (const { firstId } of groups) operation.delete(sitemapGroupKey(firstId));
  const before = await findPage(store, SITEMAP_PATH);
  removePieces(operation, [...before?.inPieces?.pieces ?? [], ...piecesOf(groups)], []);
  const entries = [...commonLines(rendering), ...lines];
  const page = renderSitemap(rendering.site, SITEMAP_PATH, entries);
  return { changed: await putPage(context, operation, page), hidden: 0 };
}

/** A long one is an index of parts, which readers see when all of these are there. */
async function putParts(
  context: Context,
  operation: Operation,
  rendering: Rendering,
  { groups, divided, groupParts }: Plan & { groupParts: number },
): Promise<Put> {
  const looked = new Set(divided.flatMap(({ run }) => run.groups));
  const now = groups.filter((group) => !looked.has(group));
  let changed = false;
  for (const { run, parts } of divided) {
    for (const part of parts) {
      if (await putPart(context, operation, rendering, part)) changed = true;
    }
    now.push(...putGroups(operation, rendering.site, run, { parts, size: groupParts }));
  }
  now.sort((a, b) => a.firstId < b.firstId ? -1 : 1);
  const hidden = now.reduce((sum, group) => sum + group.hidden, 0);
  const before = await findPage(context.store, SITEMAP_PATH);
  const shown = before?.inPieces?.pieces ?? [];
  const kept = [...piecesOf(now), ...hidden > 0 ? shown : []];
  removePieces(operation, [...shown, ...piecesOf(groups)], kept);
  if (hidden > 0) return { changed, hidden };
  const { page, head, tail } = SITEMAP_INDEX;
  const isNew = putPageInPieces(operation, page, { head, pieces: piecesOf(now), tail }, before);
  return { changed: isNew || changed, hidden };
}

/** Adds the page of a part whose lines were read; answers whether it differs. */
async function putPart(
  context: Context,
  operation: Operation,
  rendering: Rendering,
  part: ReadPart,
): Promise<boolean> {
  if (part.read === undefined) return false;
  const { lines, isWhole } = part.read;
  let changed = false;
  if (isWhole) {
    const entries = part.firstId === "" ? [...commonLines(rendering), ...lines] : lines;
    const page = renderSitemap(rendering.site, sitemapPartPath(part.firstId), entries);
    changed = await putPage(context, operation, page);
  }
  part.shown = isWhole;
  putRow(operation, part, part.shown);
  await context.store.sleep(0);
  return changed;
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

function piecesOf(groups: Group[]): Piece[] {
  return groups.map(({ piece }) => piece);
}
