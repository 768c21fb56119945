/**
 * Going through the documents of a collection, some at a time, for jobs that look at all of them: what a
 * portion costs does not grow with the collection.
 *
 * @module
 */
import type { Collection } from "../model/entities/collection.ts";
import type { Status } from "../model/entities/document.ts";
import type { IndexValue } from "../model/fields/field_type.ts";
import type { Content } from "./content.ts";

/** The position of a walk in the order of creation, which never changes. A type alias, so that it is JSON. */
export type WalkPosition = { values: IndexValue[]; id: string } | "start";

/** Some documents of a walk. */
export interface WalkPortion {
  ids: string[];
  /** Null when none follow. */
  next: WalkPosition | null;
  /** How many documents there are in all. */
  total: number;
}

/** The next documents with some statuses behind a position, at most `limit`. */
export async function walkDocuments(
  { index }: Content,
  collection: Collection,
  statuses: readonly Status[],
  after: WalkPosition,
  limit: number,
): Promise<WalkPortion> {
  const { rows, total, next } = await index.list({
    collections: [collection],
    statuses,
    sort: [{ by: "createdAt", descending: false }],
    offset: 0,
    limit,
    after,
  });
  const position = next ? { values: [...next.values], id: next.id } : null;
  return { ids: rows.map(({ id }) => id), next: position, total };
}
