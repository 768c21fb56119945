/**
 * The events of a listing in their order, the last of which come first on its newest page: past ones by date, those
 * without a date by publication, and then upcoming ones, the nearest last.
 *
 * @module
 */
import type { ListIndex } from "../../../kv/index/list_index.ts";
import { allOf, between, type Condition, hasValue } from "../../../kv/index/query/condition.ts";
import type { ListedDocument, ListPage, SortKey } from "../../../kv/index/query/list_query.ts";
import { DAY_SECONDS } from "../../render/pages/event_order.ts";
import type { Listing } from "./listing_target.ts";

/** A part of the order. */
interface Part {
  sort: SortKey;
  condition: Condition;
}

/** The documents of a listing, by their places. */
export interface EventList {
  total: number;
  page(offset: number, limit: number): Promise<ListedDocument[]>;
}

/** Reads how many events a listing has; `dateKey` names the field with their dates, `day` is today in days. */
export async function readEvents(
  index: Pick<ListIndex, "list">,
  { collection, where }: Listing,
  { dateKey, day }: { dateKey: string; day: number },
): Promise<EventList> {
  const by = { fieldKey: dateKey };
  const today = day * DAY_SECONDS;
  const parts: Part[] = [
    { sort: { by, descending: false }, condition: between(by, null, today - 1) },
    { sort: { by: "publishedAt", descending: false }, condition: hasValue(by, null) },
    { sort: { by, descending: true }, condition: between(by, today, null) },
  ];
  const read = ({ sort, condition }: Part, offset: number, limit: number): Promise<ListPage> =>
    index.list({
      collections: [collection],
      statuses: ["published"],
      where: where === undefined ? condition : allOf(where, condition),
      sort: [sort],
      offset,
      limit,
    });
  const counted = await Promise.all(parts.map(async (part) => {
    return { part, total: (await read(part, 0, 0)).total };
  }));
  return {
    total: counted.reduce((sum, { total }) => sum + total, 0),
    async page(offset, limit) {
      const rows: ListedDocument[] = [];
      let start = 0;
      for (const { part, total } of counted) {
        const from = Math.max(0, offset - start);
        const count = Math.min(total, offset + limit - start) - from;
        if (count > 0) rows.push(...(await read(part, from, count)).rows);
        start += total;
      }
      return rows;
    },
  };
}
