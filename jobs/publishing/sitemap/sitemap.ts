/**
 * Brings the sitemap up to date around the documents that have changed. Only the job that makes the
 * aggregates calls this, and its fence is in the commit: nobody else writes parts at the same time.
 *
 * @module
 */
import { SITEMAP_CHANGES_MAX, WHOLE_LINES_MAX } from "../../limits.ts";
import type { Context } from "../../../kv/context.ts";
import {
  siteChangeKey,
  siteChangePrefix,
  siteEntryPrefix,
  sitemapGroupKey,
  sitemapTotalsKey,
} from "../../../kv/pages/page_keys.ts";
import { removePieces } from "../../../kv/pages/page_pieces.ts";
import { putPage, putPageInPieces, removePage } from "../../../kv/pages/pages.ts";
import { hasPages } from "../../../kv/model/entities/collection.ts";
import type { Operation } from "../../../kv/store/operation.ts";
import type { Store } from "../../../kv/store/store.ts";
import { listingPath } from "../../render/site_facts.ts";
import {
  renderSitemap,
  SITEMAP_INDEX,
  SITEMAP_PATH,
  type SitemapEntry,
  sitemapPartPath,
} from "../../render/feeds/sitemap.ts";
import type { Rendering } from "../../render/views/view.ts";
import {
  groupsFrom,
  hiddenOf,
  type KnownSitemap,
  partsOfGroups,
  putGroups,
  readSitemap,
  type Totals,
} from "./sitemap_groups.ts";
import { GROUP_PARTS } from "./sitemap_parts.ts";
import { type Line, type Plan, planned, readLines, type ReadPart } from "./sitemap_plan.ts";

/** The result; `more` if changes are left for the next run. */
export interface SitemapOutcome {
  changed: boolean;
  more: boolean;
}

const UNCHANGED: SitemapOutcome = { changed: false, more: false };

/** Adds what has changed of the sitemap to a commit; groups are of `groupParts` parts on average. */
export async function updateSitemap(
  context: Context,
  operation: Operation,
  rendering: Rendering,
  groupParts = GROUP_PARTS,
): Promise<SitemapOutcome> {
  const { store } = context;
  const [notes, known] = await Promise.all([
    store.listAll({ prefix: siteChangePrefix }, { limit: SITEMAP_CHANGES_MAX }),
    readSitemap(store),
  ]);
  const changed = [...new Set(notes.map(({ key }) => key[1] as string))];
  const isLong = known.groups.length > 0;
  if (!isLong && notes.length === 0 && known.page.value !== null) return UNCHANGED;
  const plan = isLong ? await planned(store, known, changed) : null;
  if (plan?.divided.length === 0) return UNCHANGED;

  const lines = plan === null || plan.lines <= WHOLE_LINES_MAX ? await readShort(store) : null;
  if (lines !== null) {
    for (const { key } of notes) operation.delete(key);
    const isNew = await putWhole(context, operation, rendering, { known, lines });
    return { changed: isNew, more: notes.length === SITEMAP_CHANGES_MAX };
  }
  const { seenTo, more, ...parts } = plan ?? await planned(store, known, changed);
  const isSeenTo = new Set(seenTo);
  for (const { key } of notes) if (isSeenTo.has(key[1] as string)) operation.delete(key);
  const put = await putParts(context, operation, rendering, { known, ...parts, groupParts });
  return {
    changed: put.changed,
    more: put.hidden > 0 || more || notes.length === SITEMAP_CHANGES_MAX,
  };
}

/** Adds a note to each part, so that all of them are rendered again; answers where to go on, or null. */
export async function noteWholeSitemap(
  context: Context,
  operation: Operation,
  firstId: string,
): Promise<string | null> {
  const changeId = context.newId(context.now());
  // One file has no parts, but as much of a beginning as they have.
  if (firstId === "") operation.set(siteChangeKey("", changeId), 1);
  let noted = 0;
  for await (const group of groupsFrom(context.store, firstId)) {
    noted += group.parts.length;
    if (noted > SITEMAP_CHANGES_MAX && group.firstId !== firstId) return group.firstId;
    for (const part of group.parts) operation.set(siteChangeKey(part.firstId, changeId), 1);
  }
  return null;
}

/** All lines in order; null where there are too many for one file. */
async function readShort(store: Store): Promise<Line[] | null> {
  const lines = await readLines(store, { prefix: siteEntryPrefix }, WHOLE_LINES_MAX + 1);
  return lines.length <= WHOLE_LINES_MAX ? lines : null;
}

/** A short sitemap is one file; of the parts that it had, nothing stays. Answers whether it differs. */
async function putWhole(
  context: Context,
  operation: Operation,
  rendering: Rendering,
  { known: { groups, page }, lines }: { known: KnownSitemap; lines: Line[] },
): Promise<boolean> {
  if (groups.length > 0) {
    operation.delete(sitemapTotalsKey);
    for await (const { firstId, piece, parts } of groupsFrom(context.store)) {
      operation.delete(sitemapGroupKey(firstId));
      removePieces(operation, [piece], []);
      for (const part of parts) removePage(operation, sitemapPartPath(part.firstId));
    }
    removePieces(operation, page.value?.inPieces?.pieces ?? [], []);
  }
  const entries = [...commonLines(rendering), ...lines];
  return await putPage(
    context,
    operation,
    renderSitemap(rendering.site, SITEMAP_PATH, entries),
    page,
  );
}

/** The written parts of a long sitemap. */
interface Parts extends Pick<Plan, "divided" | "lines"> {
  known: KnownSitemap;
  groupParts: number;
}

/** A long one is an index of parts, which readers see when all of these are there. */
async function putParts(
  context: Context,
  operation: Operation,
  rendering: Rendering,
  { known, divided, lines, groupParts }: Parts,
): Promise<{ changed: boolean; hidden: number }> {
  const looked = new Set(divided.flatMap(({ run }) => run.groups));
  const now = known.groups.filter((group) => !looked.has(group));
  let { hidden } = known;
  let changed = false;
  for (const { run, parts, replaced } of divided) {
    for (const part of parts) {
      if (await putPart(context, operation, rendering, part)) changed = true;
    }
    const kept = new Set(parts.map(({ firstId }) => firstId));
    for (const { firstId } of replaced) {
      if (!kept.has(firstId)) removePage(operation, sitemapPartPath(firstId));
    }
    const before = partsOfGroups(run.groups);
    hidden += hiddenOf(parts) - hiddenOf(before);
    now.push(...putGroups(operation, rendering.site, run, { parts, size: groupParts }));
  }
  now.sort((a, b) => a.firstId < b.firstId ? -1 : 1);
  const pieces = now.map(({ piece }) => piece);
  const before = known.groups.map(({ piece }) => piece);
  if (lines !== known.lines || hidden !== known.hidden) {
    operation.set(sitemapTotalsKey, { lines, hidden } satisfies Totals);
  }
  const { page, head, tail } = SITEMAP_INDEX;
  const shown = known.page.value?.inPieces?.pieces ?? [];
  removePieces(operation, [...shown, ...before], [...pieces, ...hidden > 0 ? shown : []]);
  if (hidden > 0) return { changed, hidden };
  const isNew = putPageInPieces(operation, page, { head, pieces, tail }, known.page.value);
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
  await context.store.sleep(0);
  return changed;
}

/** The first page and the listings stand before all documents. */
function commonLines({ schema, empty }: Rendering): SitemapEntry[] {
  return [
    { path: "/" },
    ...schema.collections
      .filter((one) => hasPages(one) && !one.singleton && !empty?.has(one.id))
      .map((one) => ({ path: listingPath(one) })),
  ];
}
