/**
 * Sittings: versions that one person has made by live editing without a longer pause belong together, and
 * history shows and counts them as one.
 *
 * @module
 */
import type { Context } from "../context.ts";
import type { LiveRow, VersionRow } from "../entities.ts";
import { liveKey, versionPrefix } from "../keys.ts";
import type { EntityType } from "../model/entity_kinds.ts";
import { Refusal } from "../refusals.ts";
import { readNames, type VersionHead, versionHead } from "./versions.ts";

/** What live editing says of the versions that one person has made. */
export const LIVE_SUMMARY = "Edited live";
/** What is said of versions with which a document, or changes of it, became public. */
const PUBLISHED_SUMMARIES: ReadonlySet<string> = new Set([
  "Published",
  "Changes published",
  "Published on schedule",
]);
/** Named and once published versions are kept up to this many times the cap. */
const BEYOND = 10;
/** A pause after which another sitting begins, seconds. */
const PAUSE_SECONDS = 600;
/** Versions read in one go: their states, of up to 48 KB, come with them. */
const VERSIONS_PER_READ = 20;

/** A sitting, as its newest version. */
export interface Sitting extends VersionHead {
  /** Versions in it. */
  count: number;
  /** When the first of them was made, epoch seconds. */
  since: number;
}

/** Whether a document, or changes of it, became public with a version of this summary. */
export function saysPublished(summary: string | null): boolean {
  return PUBLISHED_SUMMARIES.has(summary ?? "");
}

/** Whether a version goes on with the sitting of the version before it. */
function isSameSitting(before: VersionRow, row: VersionRow): boolean {
  return before.summary === LIVE_SUMMARY && row.summary === LIVE_SUMMARY &&
    before.by !== null && before.by === row.by && row.at - before.at < PAUSE_SECONDS;
}

/** A page of an entity's sittings, newest first. */
export async function listSittings(
  context: Context,
  type: EntityType,
  id: string,
  page: { skip: number; limit: number },
): Promise<{ total: number; versions: Sitting[] }> {
  const live = await context.store.get<LiveRow>(liveKey(type, id));
  if (live.value === null) throw new Refusal("NOT_FOUND");
  const names = await readNames(context, type, id);
  const sittings: Sitting[] = [];
  let before: VersionRow | null = null;
  const range = { prefix: versionPrefix(type, id) };
  for await (
    const { value } of context.store.list<VersionRow>(range, { batchSize: VERSIONS_PER_READ })
  ) {
    const row = value!;
    const head = versionHead(row, names);
    if (before !== null && isSameSitting(before, row)) {
      const { count, since, name } = sittings.pop()!;
      sittings.push({ ...(name !== undefined && { name }), ...head, count: count + 1, since });
    } else sittings.push({ ...head, count: 1, since: row.at });
    before = row;
  }
  const newest = sittings.reverse();
  return {
    total: newest.length,
    versions: newest.slice(page.skip, page.skip + page.limit),
  };
}

/**
 * The number of the oldest version that a prune keeps: of the newest `keep` sittings all, and from the oldest
 * version that is named or was published on, as far as ten times that many sittings.
 */
export async function firstKept(
  context: Context,
  type: EntityType,
  id: string,
  keep: number,
): Promise<number> {
  const names = await readNames(context, type, id);
  let sittings = 0;
  let oldest = 0;
  let after: VersionRow | null = null;
  const range = { prefix: versionPrefix(type, id) };
  const options = { reverse: true, batchSize: VERSIONS_PER_READ };
  for await (const { value } of context.store.list<VersionRow>(range, options)) {
    const row = value!;
    if (after === null || !isSameSitting(row, after)) sittings += 1;
    after = row;
    if (sittings > keep * BEYOND) break;
    const isLasting = names.has(row.n) || saysPublished(row.summary);
    if (sittings <= keep || isLasting) oldest = row.n;
  }
  return oldest;
}
