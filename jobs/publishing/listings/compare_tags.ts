/**
 * The pages of all tags, compared with the documents: of those that documents carry, and of those that have pages
 * by now.
 *
 * @module
 */
import type { JobType } from "../../../kv/jobs/job_contracts.ts";
import { hasPages } from "../../../kv/model/entities/collection.ts";
import { tagFields, tagId } from "../../../kv/model/fields/tags.ts";
import { pageSeriesKey } from "../../../kv/pages/page_keys.ts";
import {
  again,
  nextUncommitted,
  type Outcome,
  waitUntil,
  type Work,
} from "../../runner/job_kind.ts";
import { seriesName, TAG_SERIES_RANGE, tagOfSeries } from "./listing_target.ts";
import type { Publishing } from "../publishing.ts";

/** Tags compared at a time. */
const TAGS_AT_ONCE = 16;

/** The last one that is done, and the page of the next with which to go on. */
type Cursor = { after: string; page: number } | null;

/** Compares the pages of all tags, a portion at a time with a pause between. */
export async function compareTags(
  publishing: Publishing,
  { context, ...work }: Work<JobType>,
  pauseMs = 0,
): Promise<Outcome<undefined>> {
  const cursor = work.cursor as Cursor;
  let after = cursor?.after ?? "";
  let page = cursor?.page ?? 1;
  const names = (await seriesOfTags(publishing)).filter((name) => name > after);
  for (const name of names.slice(0, TAGS_AT_ONCE)) {
    const compared = await publishing.listings.compareFrom(tagOfSeries(name), page);
    page = compared.next ?? 1;
    if (compared.next !== null) break;
    after = name;
  }
  if (names.length <= TAGS_AT_ONCE && page === 1) return nextUncommitted();
  const reached = { after, page };
  return pauseMs > 0 ? waitUntil(context.now() + pauseMs, reached) : again(reached);
}

/** The names of series that there are or should be, in order. */
async function seriesOfTags({ content }: Publishing): Promise<string[]> {
  const { context: { store }, index, schema } = content;
  const names = new Set<string>();
  const range = {
    start: pageSeriesKey(TAG_SERIES_RANGE.start),
    end: pageSeriesKey(TAG_SERIES_RANGE.end),
  };
  for await (const { key } of store.list(range)) names.add(key[1] as string);
  const { collections } = await schema.current();
  for (const collection of collections.filter(hasPages)) {
    const fields = tagFields(collection);
    if (fields.length === 0) continue;
    const facets = fields.map(({ key }) => ({ by: { fieldKey: key }, kind: "values" as const }));
    const view = await index.view({
      collections: [collection],
      statuses: ["published"],
      sort: [],
      facets,
    });
    for (const [at, field] of fields.entries()) {
      for (const { value } of await store.slices.run(view.valuesOf(facets[at]!.by))) {
        if (typeof value !== "string") continue;
        const tag = { collectionId: collection.id, tagId: tagId({ field, value }) };
        names.add(seriesName(tag));
      }
    }
  }
  return [...names].sort();
}
