/**
 * The documents of a listing in their order, the last of which come first on its newest page: by publication, or
 * for events past ones by date and then upcoming ones, the nearest last.
 *
 * @module
 */
import type { IndexRow } from "../../../kv/index/index_row.ts";
import type { ListIndex } from "../../../kv/index/list_index.ts";
import { allOf, between, type Condition, hasValue } from "../../../kv/index/query/condition.ts";
import type { ListedDocument, SortKey } from "../../../kv/index/query/list_query.ts";
import type { Entry } from "../../../kv/store/operation.ts";
import { DAY_SECONDS, sortedEventKey } from "../../render/pages/event_order.ts";
import type { Rendering } from "../../render/views/view.ts";
import type { Listing } from "./listing_target.ts";

/** The documents of a listing at one moment. */
export interface ListingView {
  total: number;
  page(offset: number, limit: number): ListedDocument[];
  /** The place of a document by its publication; null for events, whose former dates are unknown. */
  rankOf: ((row: IndexRow) => number) | null;
}

/** Reads the documents of a listing at a version of its index. */
export async function readListing(
  index: Pick<ListIndex, "view">,
  rendering: Pick<Rendering, "day">,
  { collection, where }: Listing,
  version: Entry,
): Promise<ListingView> {
  const read = (sort: SortKey, condition?: Condition) => {
    const conditions = [where, condition].filter((one) => one !== undefined);
    return index.view({
      collections: [collection],
      statuses: ["published"],
      ...(conditions.length > 0 && { where: allOf(...conditions) }),
      sort: [sort],
    }, [version]);
  };
  const dateKey = sortedEventKey(rendering, collection);
  if (dateKey === null) {
    const view = await read({ by: "publishedAt", descending: false });
    const { total } = view;
    return { total, page: (...at) => view.page(...at), rankOf: (row) => view.rankOf(row) };
  }
  const by = { fieldKey: dateKey };
  const today = rendering.day! * DAY_SECONDS;
  return joined([
    await read({ by, descending: false }, between(by, null, today - 1)),
    await read({ by: "publishedAt", descending: false }, hasValue(by, null)),
    await read({ by, descending: true }, between(by, today, null)),
  ]);
}

/** Several lists, one after the other. */
function joined(views: readonly Pick<ListingView, "total" | "page">[]): ListingView {
  return {
    total: views.reduce((sum, { total }) => sum + total, 0),
    page(offset, limit) {
      const rows: ListedDocument[] = [];
      let start = 0;
      for (const view of views) {
        const from = Math.max(0, offset - start);
        const count = Math.min(view.total, offset + limit - start) - from;
        if (count > 0) rows.push(...view.page(from, count));
        start += view.total;
      }
      return rows;
    },
    rankOf: null,
  };
}
