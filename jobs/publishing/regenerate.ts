/**
 * REGENERATE: the follow-up work of many publications. One job handles all publications before it: it records when
 * parts of the sitemap have changed and which collections are empty, stores the files of a new theme, and purges the aggregates (home, feeds, sitemap, robots)
 * again if anything on the site has changed since the last purge.
 *
 * @module
 */
import { siteChangePrefix, siteLookKey } from "../../kv/pages/page_keys.ts";
import { hasPages } from "../../kv/model/entities/collection.ts";
import { AGGREGATES_TAG } from "../../kv/model/entities/page.ts";
import { putPartTimes } from "../../kv/pages/site_entries.ts";
import { sameJson } from "../../kv/model/values/same_json.ts";
import { putPages } from "../../kv/pages/pages.ts";
import { requestSiteRendering } from "../../kv/pages/rendering_requests.ts";
import type { Operation } from "../../kv/store/operation.ts";
import { HOME_COLLECTIONS_MAX } from "../limits.ts";
import {
  again,
  type JobKind,
  jobKind,
  next,
  nextInSameCommit,
  nextUncommitted,
  type OutcomeOf,
  type Work,
} from "../runner/job_kind.ts";
import type { Rendering } from "../render/views/view.ts";
import { stageEmptySections } from "./empty_sections.ts";
import { listNewest } from "./lists/newest_documents.ts";
import { lookOf } from "./look.ts";
import type { Publishing } from "./publishing.ts";

/** The shortest time between two runs, milliseconds: a hundred publications in a second cause two runs. */
export const REGENERATE_GAP_MS = 1_000;
/** Notes of changes per commit. */
const NOTES_AT_ONCE = 500;
/** Theme files written per commit. */
const ASSETS_PER_COMMIT = 8;

/** The kind of job that does the follow-up work of publications. */
export function regenerateKind(publishing: Publishing): JobKind<"REGENERATE"> {
  return jobKind("REGENERATE", {
    site: (work) => site(publishing, work),
    assets: (work) => assets(publishing, work),
    purge: async ({ results: { site } }) => {
      if (!site?.changed) return next({ tags: [], sentTo: null });
      return next({ ...await publishing.purge([AGGREGATES_TAG]) });
    },
  }, { gapMs: REGENERATE_GAP_MS });
}

async function site(
  publishing: Publishing,
  { operation, cursor }: Work<"REGENERATE", "site">,
): Promise<OutcomeOf<"REGENERATE", "site">> {
  const { context } = publishing.content;
  const { store } = context;
  const [notes, { value: before }, given] = await Promise.all([
    store.listAll({ prefix: siteChangePrefix }, { limit: NOTES_AT_ONCE }),
    store.get<string>(siteLookKey),
    publishing.rendering(),
  ]);
  for (const { key } of notes) operation.delete(key);
  const ids = notes.map(({ key }) => key[1] as string);
  await putPartTimes(store, operation, ids, Math.floor(context.now() / 1_000));
  if (notes.length === NOTES_AT_ONCE) return again(true);
  const look = lookOf(await noteEmpty(publishing, operation, given));
  const restyled = before !== look;
  if (restyled) operation.set(siteLookKey, look);
  const made = { changed: restyled || notes.length > 0 || cursor === true, restyled };
  return restyled ? nextUncommitted(made) : nextInSameCommit(made);
}

/**
 * Adds collections that are no longer empty to the menu of every page, and removes those that have become empty;
 * returns the updated rendering. A site with one collection needs no rendering, because its pages are up to date.
 */
async function noteEmpty(
  { content }: Publishing,
  operation: Operation,
  given: Rendering,
): Promise<Rendering> {
  const { context } = content;
  const sections = given.schema.collections.filter(hasPages).slice(0, HOME_COLLECTIONS_MAX);
  const totals = await Promise.all(
    sections.map(async (one) => (await listNewest(content, [one], 1)).total),
  );
  const empty = sections.filter((_, at) => totals[at] === 0).map(({ id }) => id).sort();
  if (sameJson(empty, [...given.empty ?? []].sort())) return given;
  const { empty: _before, ...facts } = given;
  const rendering = empty.length === 0 ? facts : { ...facts, empty: new Set(empty) };
  if (!(await stageEmptySections(context, operation, empty))) return rendering;
  if (sections.length > 1) requestSiteRendering(operation, context);
  return rendering;
}

/**
 * Writes some of the theme's files per commit. Their paths change with their content, so no cache is purged.
 */
async function assets(
  publishing: Publishing,
  { operation, cursor, results: { site } }: Work<"REGENERATE", "assets">,
): Promise<OutcomeOf<"REGENERATE", "assets">> {
  if (site?.restyled === false) return nextInSameCommit({ changed: false });
  const { theme } = await publishing.rendering();
  const reached = cursor ?? 0;
  const pages = theme.assetPages();
  const batch = pages.slice(reached, reached + ASSETS_PER_COMMIT);
  await putPages(publishing.content.context, operation, batch);
  const now = reached + batch.length;
  return now < pages.length ? again(now) : nextUncommitted({ changed: false });
}
