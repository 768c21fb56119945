/**
 * The documents of a listing in their order, the last of which come first on its newest page: by publication, or
 * for the events of a collection past ones by date and then upcoming ones, the nearest last. Tags follow
 * publication, because their feeds are made with their newest page.
 *
 * @module
 */
import type { IndexRow } from "../../../kv/index/index_row.ts";
import type { ListIndex } from "../../../kv/index/list_index.ts";
import { allOf, between, type Condition, hasValue } from "../../../kv/index/query/condition.ts";
import type {
  ListedDocument,
  ListPage,
  ListQuery,
  SortKey,
} from "../../../kv/index/query/list_query.ts";
import type { Entry } from "../../../kv/store/operation.ts";
import { DAY_SECONDS, sortedEventKey } from "../../render/pages/event_order.ts";
import type { ListingSlice } from "../../render/pages/listing_plan.ts";
import type { Rendering } from "../../render/views/view.ts";
import type { Listing } from "./listing_target.ts";

/** The documents of a listing at one moment. */
export interface ListingView {
  total: number;
  page(offset: number, limit: number): ListedDocument[];
  /** The place of a document by its publication; null for events, whose former dates are unknown. */
  rankOf: ((row: IndexRow) => number) | null;
}

/** The lists that a listing consists of, one after the other. */
type ListingParts = Omit<ListQuery, "offset" | "limit">[];

/** Reads the documents of a listing at a version of its index. */
export async function readListing(
  index: Pick<ListIndex, "view">,
  rendering: Pick<Rendering, "day">,
  listing: Listing,
  version: Entry,
): Promise<ListingView> {
  const parts = partsOf(rendering, listing);
  const views = await Promise.all(parts.map((part) => index.view(part, [version])));
  const [first] = views;
  if (views.length === 1) {
    const rankOf = (row: IndexRow) => first!.rankOf(row);
    return { total: first!.total, page: (...at) => first!.page(...at), rankOf };
  }
  const totals = views.map(({ total }) => total);
  return {
    total: sum(totals),
    page: (offset, limit) =>
      cutsOf(totals, offset, limit).flatMap(({ part, from, count }) =>
        views[part]!.page(from, count)
      ),
    rankOf: null,
  };
}

/** One page of the events of a collection; null if its listing follows publication. */
export async function listEvents(
  index: Pick<ListIndex, "list">,
  rendering: Pick<Rendering, "day">,
  listing: Listing,
  sliceOf: (total: number) => ListingSlice,
): Promise<{ slice: ListingSlice; page: ListPage } | null> {
  const parts = partsOf(rendering, listing);
  if (parts.length === 1) return null;
  const pages = await Promise.all(
    parts.map((part) => index.list({ ...part, offset: 0, limit: 1 })),
  );
  const totals = pages.map(({ total }) => total);
  const slice = sliceOf(sum(totals));
  const rows: ListedDocument[] = [];
  for (const { part, from, count } of cutsOf(totals, slice.start, slice.end - slice.start)) {
    rows.push(...(await index.list({ ...parts[part]!, offset: from, limit: count })).rows);
  }
  return { slice, page: { total: sum(totals), rows } };
}

function partsOf(
  rendering: Pick<Rendering, "day">,
  { collection, tag, where }: Listing,
): ListingParts {
  const part = (sort: SortKey, condition?: Condition): ListingParts[number] => {
    const conditions = [where, condition].filter((one) => one !== undefined);
    return {
      collections: [collection],
      statuses: ["published"],
      ...(conditions.length > 0 && { where: allOf(...conditions) }),
      sort: [sort],
    };
  };
  const byPublication: SortKey = { by: "publishedAt", descending: false };
  const dateKey = tag === null ? sortedEventKey(rendering, collection) : null;
  if (dateKey === null) return [part(byPublication)];
  const by = { fieldKey: dateKey };
  const today = rendering.day! * DAY_SECONDS;
  return [
    part({ by, descending: false }, between(by, null, today - 1)),
    part(byPublication, hasValue(by, null)),
    part({ by, descending: true }, between(by, today, null)),
  ];
}

/** What a page of joined lists takes of each. */
function cutsOf(
  totals: readonly number[],
  offset: number,
  limit: number,
): { part: number; from: number; count: number }[] {
  const cuts = [];
  let start = 0;
  for (const [part, total] of totals.entries()) {
    const from = Math.max(0, offset - start);
    const count = Math.min(total, offset + limit - start) - from;
    if (count > 0) cuts.push({ part, from, count });
    start += total;
  }
  return cuts;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
