/**
 * The order of events: upcoming ones by date, then past ones, latest first. Other documents stay in the order
 * of publication.
 *
 * @module
 */
import { indexedKeys } from "../../../kv/index/index_row.ts";
import type { Collection } from "../../../kv/model/entities/collection.ts";
import type { PublishedDocument } from "../../../kv/model/entities/page.ts";
import { fieldRole } from "../views/field_role.ts";
import type { Rendering } from "../views/view.ts";

/** Seconds of a day. */
export const DAY_SECONDS = 86_400;

/** The key of the field that says when documents of a collection take place; undefined where none does. */
export function eventKey({ fields }: Pick<Collection, "fields">): string | undefined {
  return fields.find((field) => fieldRole(field) === "date")?.key;
}

/** The key of that field if lists can be sorted by it: the pages of a listing then follow it. */
export function sortedEventKey(
  { day }: Pick<Rendering, "day">,
  collection: Collection,
): string | null {
  const key = eventKey(collection);
  const isSortable = key !== undefined && indexedKeys(collection).includes(key);
  return isSortable && day !== undefined ? key : null;
}

/**
 * Documents, newest first, as lists show them. What takes place today is to come until the day is over; a page is
 * rendered again each day for that.
 */
export function inEventOrder(
  { day }: Pick<Rendering, "day">,
  collection: Collection,
  documents: PublishedDocument[],
): PublishedDocument[] {
  const key = eventKey(collection);
  if (key === undefined || day === undefined) return documents;
  const dateOf = ({ data }: PublishedDocument) => {
    const value = data[key];
    return typeof value === "number" ? value : null;
  };
  const placeOf = (date: number | null) => date === null ? 1 : date >= day * DAY_SECONDS ? 0 : 2;
  return documents.toSorted((a, b) => {
    const [first, second] = [dateOf(a), dateOf(b)];
    const [place, other] = [placeOf(first), placeOf(second)];
    if (place !== other) return place - other;
    if (first === null || second === null) return 0;
    return place === 0 ? first - second : second - first;
  });
}

/** The additional dependency of a collection's list: the current day if its documents are events. */
export function dayOf({ day }: Pick<Rendering, "day">, collection: Collection): string {
  return eventKey(collection) === undefined || day === undefined ? "" : ` day ${day}`;
}
